import { isMap } from 'yaml';
import type { Document, YAMLMap } from 'yaml';
import { FormatError } from './error.ts';
import { plural } from './english.ts';
import { at, mapAt, put, reference, referenced, textAt } from './nodes.ts';

const ENDING = 'List';

/** The name of the page of a schema: what an SDK calls it. */
export function pageOf(schema: string): string {
  return `${schema}${ENDING}`;
}

/**
 * The envelope of a list, as `x-pagination` demands it: the array, `cursor` and `hasMore`. One that is missing is made of the schema
 * that its name begins with; members beyond these are the designer's.
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
    if (at(schemas, item) === undefined) throw new FormatError(at(media, 'schema'), `there is no schema \`${name}\`, and no \`${item}\` to make a page of`);
    put(document, schemas, name, { type: 'object', description: `A page of ${plural(item)}.`, required: [], properties: {} }, item);
  }
  const envelope = at(schemas, name);
  if (isMap(envelope)) completeEnvelope(document, envelope as YAMLMap, member, item);
}

function completeEnvelope(document: Document, envelope: YAMLMap, member: string, item: string): void {
  const properties = mapAt(document, envelope, 'properties');
  const members = {
    [member]: { type: 'array', maxItems: 100, items: reference('schemas', item), description: `The ${plural(item)}.` },
    cursor: { type: ['string', 'null'], maxLength: 512, description: 'Where the next page starts; `null` when there is none.' },
    hasMore: { type: 'boolean', description: 'Whether there is a next page.' },
  };
  for (const [name, schema] of Object.entries(members)) if (at(properties, name) === undefined) put(document, properties, name, schema);
  const required = at(envelope, 'required');
  const stated = (isMap(required) ? [] : ((required as { toJSON?(): unknown } | undefined)?.toJSON?.() ?? [])) as string[];
  const missing = Object.keys(members).filter((name) => !stated.includes(name));
  if (missing.length > 0) put(document, envelope, 'required', [...stated, ...missing]);
}
