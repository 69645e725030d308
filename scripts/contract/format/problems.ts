/**
 * Expands lists of problem codes into responses with examples, and keeps the catalogue and the enumeration equal. Used
 * by `make format`. A code that stands under another status than in the catalogue is refused.
 */
import { isDeepStrictEqual } from 'node:util';
import { isMap } from 'yaml';
import type { Document, YAMLMap, YAMLSeq } from 'yaml';
import { camelCase, pascalCase } from '../../generate/naming.ts';
import {
  FormatError,
  at,
  keyOf,
  listOf,
  mapAt,
  membersOf,
  oneOf,
  put,
  reference,
  referenced,
  textAt,
} from './nodes.ts';
import { STATUSES } from './implied.ts';
import type { Facts } from './implied.ts';

const TYPE = 'application/problem+json';

/** Request id of the examples. */
const REQUEST_ID = '0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00';

/** Statuses whose codes a designer adds to those of every repeated key (409) and every invalid body (422). */
const SHARED_WITH: ReadonlySet<string> = new Set(['409', '422']);

/**
 * Expands `'409': [note_closed]` into a problem response with an example of each code, or into the shared response that
 * has exactly these codes. A new code needs one line in `x-problems` of `ProblemCode`; its entry in the enumeration and
 * its example follow from that line.
 */
export function problemResponse(document: Document, codes: YAMLSeq, status: string, facts: Facts) {
  const catalogue = at(document.contents, 'components', 'schemas', 'ProblemCode', 'x-problems');
  const own = listOf(document, codes).map(String);
  for (const code of own) {
    const known = at(catalogue, code);
    if (known === undefined)
      throw new FormatError(
        codes,
        'there is no problem ' +
          `\`${code}\`${oneOf(code, membersOf(catalogue).map(keyOf), '`x-problems` of `ProblemCode` lists them')}`,
      );
    const catalogued = String(at(known, 'status'));
    if (catalogued !== status)
      throw new FormatError(codes, `\`${code}\` is a ${catalogued} and stands under ${status}`);
  }
  const implied = SHARED_WITH.has(status)
    ? STATUSES.find((row) => row.status === status && row.when(facts))?.response
    : undefined;
  const shared = at(document.contents, 'components', 'responses', implied ?? '');
  const names = [...own.map((code) => exampleOf(document, catalogue, code)), ...examplesOf(shared)];
  const same = membersOf(at(document.contents, 'components', 'responses')).find(({ value }) =>
    isDeepStrictEqual(examplesOf(value).toSorted(), names.toSorted()),
  );
  if (same !== undefined) return reference('responses', keyOf(same));
  const titles = own.map((code) => textAt(catalogue, code, 'title') ?? code);
  return {
    description: `${[...titles, textAt(shared, 'description')?.replace(/\.$/, '')]
      .filter((text) => text !== undefined)
      .map(continued)
      .join(', or ')}.`,
    content: { [TYPE]: problemContent(names) },
  };
}

function examplesOf(response: unknown): string[] {
  return membersOf(at(response, 'content', TYPE, 'examples')).map(({ value }) => referenced(value) ?? '');
}

/** Lowers the first letter of a text within a sentence, unless its first word is written in capitals. */
function continued(text: string, index: number): string {
  return index === 0 || /^[A-Z`]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function problemContent(names: readonly string[]) {
  return {
    schema: reference('schemas', 'Problem'),
    examples: Object.fromEntries(names.map((name) => [camelCase(name), reference('examples', name)])),
  };
}

/** Returns the name of the example of a code, after writing the example if missing. */
function exampleOf(document: Document, catalogue: unknown, code: string): string {
  const examples = mapAt(document, at(document.contents, 'components') as YAMLMap, 'examples');
  const found = membersOf(examples).find(({ value }) => textAt(value, 'value', 'code') === code);
  if (found !== undefined) return keyOf(found);
  const name = pascalCase(code);
  const title = textAt(catalogue, code, 'title') ?? code;
  const status = Number(at(catalogue, code, 'status'));
  put(document, examples, name, {
    summary: title,
    value: {
      type: `/problems/${code}`,
      title,
      status,
      instance: `urn:uuid:${REQUEST_ID}`,
      code,
      requestId: REQUEST_ID,
    },
  });
  return name;
}

/** Adds each code of the catalogue to the enumeration, behind the code that precedes it in the catalogue. */
export function completeProblemCodes(document: Document): void {
  const schema = at(document.contents, 'components', 'schemas', 'ProblemCode');
  if (!isMap(schema)) return;
  const catalogued = membersOf(at(schema, 'x-problems')).map(keyOf);
  const codes = listOf(document, at(schema, 'enum')).map(String);
  const missing = catalogued.filter((code) => !codes.includes(code));
  for (const code of missing) codes.splice(codes.indexOf(catalogued[catalogued.indexOf(code) - 1] ?? '') + 1, 0, code);
  if (missing.length > 0) put(document, schema as YAMLMap, 'enum', codes);
}
