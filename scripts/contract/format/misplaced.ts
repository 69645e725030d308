/**
 * Reports members of an operation at a wrong place, with the right one. Used by `make format`, so that one mistake is
 * not reported as many.
 */
import { isMap } from 'yaml';
import type { Document } from 'yaml';
import { METHODS } from '../contract.ts';
import { nearestName } from '../read.ts';
import { namesOn } from '../dialect.ts';
import { FormatError, at, keyOf, membersOf } from './nodes.ts';

/** Members that OpenAPI 3.1 defines for each object of a path. */
const OPERATION = [
  'operationId',
  'summary',
  'description',
  'externalDocs',
  'tags',
  'deprecated',
  'security',
  'parameters',
  'requestBody',
  'responses',
  'callbacks',
  'servers',
];
const DIALECT = [...namesOn('operation')];
const PATH_ITEM = [...METHODS, 'trace', '$ref', 'summary', 'description', 'servers', 'parameters'];
const REQUEST_BODY = ['$ref', 'description', 'content', 'required'];
const RESPONSE = ['$ref', 'summary', 'description', 'headers', 'content', 'links'];
const MEDIA_TYPE = ['schema', 'example', 'examples', 'encoding'];

interface Place {
  readonly name: string;
  readonly members: readonly string[];
}

/**
 * Reports a member of an operation that is nested too deep or too high, or is misspelt, once and with its right place.
 * Errors at the operation that follow from its absence are not reported.
 */
export function refuseMisplaced(document: Document): void {
  for (const item of membersOf(at(document.contents, 'paths'))) {
    check(item.value, { name: 'a path', members: PATH_ITEM });
    for (const method of METHODS) checkOperation(at(item.value, method));
  }
}

function checkOperation(operation: unknown): void {
  check(operation, { name: 'an operation', members: [...OPERATION, ...DIALECT] });
  const body = at(operation, 'requestBody');
  check(body, { name: 'a request body', members: REQUEST_BODY });
  checkContent(body);
  for (const { value } of membersOf(at(operation, 'responses'))) {
    check(value, { name: 'a response', members: RESPONSE });
    checkContent(value);
  }
}

function checkContent(node: unknown): void {
  for (const { value } of membersOf(at(node, 'content'))) check(value, { name: 'a media type', members: MEDIA_TYPE });
}

function check(node: unknown, place: Place): void {
  if (!isMap(node)) return;
  for (const member of membersOf(node)) {
    const name = keyOf(member);
    if (!place.members.includes(name)) throw new FormatError(member.key, sentence(name, place));
  }
}

function sentence(name: string, place: Place): string {
  const owner = [
    { name: 'the operation', members: [...OPERATION, ...DIALECT] },
    { name: 'the path', members: PATH_ITEM },
    { name: 'a response', members: RESPONSE },
    { name: 'a media type below `content`', members: MEDIA_TYPE },
  ].find(({ members }) => members.includes(name));
  if (owner !== undefined) return `\`${name}\` stands in ${place.name} and belongs to ${owner.name}`;
  const meant = nearestName(name, place.members);
  return `${place.name} has no \`${name}\`${meant === null ? '' : `; did you mean \`${meant}\`?`}`;
}
