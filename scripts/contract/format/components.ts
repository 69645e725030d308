/**
 * Adds components that follow from operations: envelopes of lists and ids in paths. Used by the completion of
 * operations, merge patches and short forms. Throws a `FormatError` with the place if something must be written by
 * hand.
 */
import { isMap, isSeq } from 'yaml';
import type { Document, YAMLMap, YAMLSeq } from 'yaml';
import { pascalCase, snakeCase } from '../../generate/naming.ts';
import { FormatError, at, keyOf, mapAt, membersOf, put, putBehind, reference, referenced, textAt } from './nodes.ts';

/**
 * Components that follow from operations: the envelopes of their pages and the ids in their paths, with descriptions in
 * plain words.
 */

const ENDING = 'List';

/** Returns the name of the page of a schema, as SDKs use it. */
export function pageOf(schema: string): string {
  return `${schema}${ENDING}`;
}

/**
 * Adds the envelope of a list, as `x-pagination` demands it: the array, `cursor` and `hasMore`. A missing envelope is
 * made of the schema whose name its own name begins with; other members are the designer's.
 */
export function completeList(document: Document, operation: YAMLMap): void {
  const media = at(operation, 'responses', '200', 'content', 'application/json');
  const name = referenced(at(media, 'schema'));
  const declared = at(operation, 'x-pagination');
  const member = textAt(declared, 'items');
  if (name === null || member === undefined) return;
  const schemas = mapAt(document, at(document.contents, 'components') as YAMLMap, 'schemas');
  const item = name.slice(0, -ENDING.length);
  if (at(schemas, name) === undefined) {
    if (at(schemas, item) === undefined)
      throw new FormatError(
        at(media, 'schema'),
        `there is no schema \`${name}\`, and no \`${item}\` to make a page of`,
      );
    const value = {
      type: 'object',
      description: `A page of ${plural(item)}.`,
      required: [],
      properties: {},
    };
    putBehind(document, schemas, { key: name, value, behind: item });
  }
  const envelope = at(schemas, name);
  if (isMap(envelope)) completeEnvelope(document, envelope as YAMLMap, member, item);
}

function completeEnvelope(document: Document, envelope: YAMLMap, member: string, item: string): void {
  const properties = mapAt(document, envelope, 'properties');
  const members = {
    [member]: {
      type: 'array',
      maxItems: 100,
      items: reference('schemas', item),
      description: `The ${plural(item)}.`,
    },
    cursor: {
      type: ['string', 'null'],
      maxLength: 512,
      description: 'Where the next page starts; `null` when there is none.',
    },
    hasMore: { type: 'boolean', description: 'Whether there is a next page.' },
  };
  for (const [name, schema] of Object.entries(members))
    if (at(properties, name) === undefined) put(document, properties, name, schema);
  const required = at(envelope, 'required');
  const stated = (
    isMap(required) ? [] : ((required as { toJSON?(): unknown } | undefined)?.toJSON?.() ?? [])
  ) as string[];
  const missing = Object.keys(members).filter((name) => !stated.includes(name));
  if (missing.length > 0) put(document, envelope, 'required', [...stated, ...missing]);
}

/** Id for examples, in the form that this service generates. */
const EXAMPLE_ID = '0197f2d3-10aa-7b55-9e21-0a1b2c3d4e60';

/**
 * Adds the names in the braces of a path as parameters of all its operations; a name that ends in `Id` gets a generated
 * description.
 */
export function completePath(document: Document, path: string, item: YAMLMap): void {
  const templates = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const declared = (at(item, 'parameters') as YAMLSeq | undefined)?.items.map((node) => nameOf(document, node)) ?? [];
  const missing = templates
    .filter((name) => !declared.includes(name))
    .map((name) => componentOf(document, name))
    .filter((name) => name !== null);
  if (missing.length === 0) return;
  if (!isSeq(at(item, 'parameters'))) put(document, item, 'parameters', []);
  const list = at(item, 'parameters') as YAMLSeq;
  list.flow = false;
  for (const name of missing) list.items.push(document.createNode(reference('parameters', name)));
}

/** Returns the name of a parameter, which may be a reference. */
export function nameOf(document: Document, node: unknown): string | undefined {
  const name = referenced(node);
  return textAt(name === null ? node : at(document.contents, 'components', 'parameters', name), 'name');
}

/** Returns the component that describes a path parameter; null if it must be written by hand. */
function componentOf(document: Document, name: string): string | null {
  const components = at(document.contents, 'components');
  if (!isMap(components) || at(components, 'schemas', 'Id') === undefined) return null;
  const parameters = mapAt(document, components as YAMLMap, 'parameters');
  const found = membersOf(parameters).find(
    ({ value }) => textAt(value, 'in') === 'path' && textAt(value, 'name') === name,
  );
  if (found !== undefined) return keyOf(found);
  if (!name.endsWith('Id')) return null;
  put(document, parameters, pascalCase(name), {
    name,
    in: 'path',
    required: true,
    description: `The id of the ${words(name.slice(0, -2))}.`,
    schema: reference('schemas', 'Id'),
    example: EXAMPLE_ID,
  });
  return pascalCase(name);
}

/** `ReviewNote` → `review note` */
export function words(name: string): string {
  return snakeCase(name).replaceAll('_', ' ');
}

/** `ReviewEntry` → `review entries`: good enough for a description that a designer may word better. */
export function plural(name: string): string {
  return words(name)
    .replace(/([^aeiou])y$/, '$1ie')
    .replace(/(s|x|ch|sh)$/, '$1e')
    .concat('s');
}
