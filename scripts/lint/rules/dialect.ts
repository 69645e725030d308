/**
 * Lint rules about the members of the dialect. Used by the list of rules. A mistyped member would silently have no
 * effect.
 */
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import type { Contract } from '../../contract/contract.ts';
import { members, namesOn } from '../../contract/dialect.ts';
import { inWords } from '../../contract/member.ts';
import type { JsonSchema } from '../../contract/member.ts';
import { operationSites, parameterSites, schemaSites } from '../../contract/walk.ts';
import type { Pointer } from '../../contract/walk.ts';
import type { Rule } from '../rule.ts';

interface ExtensionSite {
  readonly name: string;
  readonly value: unknown;
  readonly pointer: Pointer;
  readonly isKnown: boolean;
}

/** A mistyped extension would silently have no effect. */
const extensionsKnown: Rule = (contract, report) => {
  for (const { name, pointer, isKnown } of extensionSites(contract))
    if (!isKnown) report(pointer, `The dialect has no \`${name}\` here.`);
};

/** A value of a wrong form would have no effect, or an unintended one. Other rules judge the names in a value. */
const extensionValues: Rule = (contract, report) => {
  for (const { name, value, pointer, isKnown } of extensionSites(contract)) {
    const [schema, isValid] = forms.get(name) ?? [];
    if (isKnown && schema !== undefined && isValid?.(value) === false)
      report(pointer, `\`${name}\` must be ${inWords(schema)}.`);
  }
};

function extensionSites(contract: Contract): ExtensionSite[] {
  const sites = [
    ...operationSites(contract).map(({ operation, pointer }) => ({
      node: operation,
      pointer,
      known: namesOn('operation'),
    })),
    ...parameterSites(contract).map(({ parameter, pointer }) => ({
      node: parameter,
      pointer,
      known: namesOn('parameter'),
    })),
    ...schemaSites(contract).map(({ schema, pointer }) => ({ node: schema, pointer, known: namesOn('schema') })),
  ];
  return sites.flatMap(({ node, pointer, known }) =>
    Object.entries(node)
      .filter(([name]) => name.startsWith('x-'))
      .map(([name, value]) => ({
        name,
        value,
        pointer: [...pointer, name],
        isKnown: known.has(name),
      })),
  );
}

/**
 * Keywords whose violations other rules report with their own messages: the form of a name or a date, and that a list
 * is not empty.
 */
const JUDGED_ELSEWHERE = new Set(['pattern', 'format', 'minItems']);

const ajv = new Ajv({ strict: false });
const forms: ReadonlyMap<string, readonly [JsonSchema, ValidateFunction]> = new Map(
  members.map(([name, { schema }]) => [name, [schema, ajv.compile(formOf(schema))]]),
);

function formOf(schema: JsonSchema): object {
  return JSON.parse(
    JSON.stringify(schema, (keyword, value: unknown) => (JUDGED_ELSEWHERE.has(keyword) ? undefined : value)),
  ) as object;
}

export const dialect: Readonly<Record<string, Rule>> = {
  'extension-values': extensionValues,
  'extensions-known': extensionsKnown,
};
