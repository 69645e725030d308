/**
 * Writes the members of merge patches from the schema that they change. Used by `make format`. Throws a `FormatError`
 * for members that a patch cannot express.
 */
import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq } from 'yaml';
import type { Document, YAMLMap, YAMLSeq } from 'yaml';
import { words } from './components.ts';
import {
  FormatError,
  at,
  keyOf,
  listOf,
  mapAt,
  membersOf,
  oneOf,
  put,
  putBehind,
  reference,
  referenced,
  textAt,
} from './nodes.ts';
import type { Member } from './nodes.ts';

const MARK = 'x-merge-patch-of';

/**
 * Writes the members of every schema with `x-merge-patch-of`: those of the schema that it names, each optional and
 * nullable (RFC 7396). A member that is itself an object becomes a merge patch of that object, in a schema that is
 * added if missing. So the schema that changes a record cannot drift from the schema that creates it.
 */
export function completeMergePatches(document: Document): void {
  const schemas = at(document.contents, 'components', 'schemas');
  if (!isMap(schemas)) return;
  const queue = membersOf(schemas)
    .filter(({ value }) => textAt(value, MARK) !== undefined)
    .map(keyOf);
  for (let name = queue.shift(); name !== undefined; name = queue.shift())
    queue.push(...writeMembers(document, schemas as YAMLMap, name));
}

/** Writes the members of one merge patch and returns the names of the schemas that were added for them. */
function writeMembers(document: Document, schemas: YAMLMap, name: string): string[] {
  const patch = at(schemas, name) as YAMLMap;
  const creation = textAt(patch, MARK) ?? '';
  const properties = at(schemas, creation, 'properties');
  if (!isMap(properties)) {
    throw new FormatError(
      at(patch, MARK),
      `there is no schema \`${creation}\` with ` +
        `members${oneOf(creation, membersOf(schemas).map(keyOf), 'name the schema by which the record is created')}`,
    );
  }
  const added: string[] = [];
  const members = membersOf(properties).map((member) => {
    const optional = (member as unknown as { clone(): Member }).clone();
    optional.value = nullable(
      document,
      optional.value as YAMLMap,
      (target) => {
        const found = patchOf(schemas, target);
        if (found !== null) return found;
        const made = `${target.replace(/(Create|Input)$/, '')}Update`;
        if (at(schemas, made) !== undefined)
          throw new FormatError(
            at(schemas, made),
            `\`${made}\` must say \`${MARK}: ${target}\`, because ${name} holds a merge patch of it`,
          );
        const value = {
          type: 'object',
          description: `A merge patch of ${article(words(target.replace(/(Create|Input)$/, '')))}.`,
          [MARK]: target,
          additionalProperties: false,
          properties: {},
        };
        putBehind(document, schemas, { key: made, value, behind: target });
        added.push(made);
        return made;
      },
      (target) => isMap(at(schemas, target, 'properties')),
    );
    return optional;
  });
  const own = mapAt(document, patch, 'properties');
  const text = (items: readonly Member[]) =>
    items.map((item) => [keyOf(item), (item.value as YAMLMap).toJS(document) as unknown]);
  if (!isDeepStrictEqual(text(own.items as Member[]), text(members))) {
    own.items = members as typeof own.items;
    own.flow = false;
  }
  return added;
}

/** Returns the name of the merge patch of a schema. */
function patchOf(schemas: YAMLMap, target: string): string | null {
  const found = membersOf(schemas).find(({ value }) => textAt(value, MARK) === target);
  return found === undefined ? null : keyOf(found);
}

/** Returns a member as it appears in a patch: `null` removes it, and an object changes the members that it names. */
function nullable(
  document: Document,
  member: YAMLMap,
  patchNamed: (target: string) => string,
  isCompound: (target: string) => boolean,
): YAMLMap {
  const named = (node: unknown) => {
    const target = referenced(node) ?? '';
    return document.createNode(reference('schemas', isCompound(target) ? patchNamed(target) : target));
  };
  member.delete('default');
  const union = at(member, 'oneOf');
  if (isSeq(union)) {
    (union as YAMLSeq).items = union.items.map((item) => (referenced(item) === null ? item : named(item)));
  } else if (referenced(member) !== null) {
    const target = named(member);
    member.delete('$ref');
    member.items.unshift(document.createPair('oneOf', [target, { type: 'null' }]) as (typeof member.items)[number]);
  } else {
    const type = at(member, 'type');
    if ((!isScalar(type) && !isSeq(type)) || ['array', 'object'].includes(String(isScalar(type) ? type.value : ''))) {
      throw new FormatError(
        member,
        'name this array or object in `components/schemas`, because a merge patch of it must be nullable',
      );
    }
    const types = isScalar(type) ? [type.value] : listOf(document, type);
    if (!types.includes('null')) put(document, member, 'type', [...types, 'null']);
    const values = at(member, 'enum');
    if (isSeq(values) && !listOf(document, values).includes(null)) values.items.push(document.createNode(null));
  }
  return member;
}

function article(text: string): string {
  return /^[aeiou]/.test(text) ? `an ${text}` : `a ${text}`;
}
