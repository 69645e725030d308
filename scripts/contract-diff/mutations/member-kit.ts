/** Functions with which the mutations of object members are written. Used by the two files of mutations of members. */
import { dereference } from '../../contract/contract.ts';
import type { Schema } from '../../contract/contract.ts';
import { drop, membersOf, set } from './kit.ts';
import type { Direction, Member, Mutation } from './kit.ts';

/** Writes null around a reference. */
export function wrap(schema: Schema): void {
  const { $ref } = schema;
  drop(schema, '$ref');
  set(schema, { oneOf: [{ $ref }, { type: 'null' }] });
}

export function unwrap(schema: Schema): void {
  const $ref = schema.oneOf?.[0]?.$ref;
  drop(schema, 'oneOf');
  set(schema, { $ref });
}

export const isReference = ({ member }: Member) => member.$ref !== undefined;
export const isWrapped = ({ member }: Member) =>
  member.oneOf?.[0]?.$ref !== undefined && member.oneOf[1]?.type === 'null';

export const MORE: Schema = { type: 'string', maxLength: 10, description: 'Something more.' };
export const requires = (owner: Schema, name: string) => set(owner, { required: [...(owner.required ?? []), name] });
export const releases = (owner: Schema, name: string) =>
  set(owner, { required: (owner.required ?? []).filter((other) => other !== name) });

/** Replaces a member's reference to a short text by its target. */
export function writtenOut(apply: (schema: Schema) => void, ...directions: Direction[]): Mutation['edits'] {
  return (draft) =>
    (directions.length === 0 ? (['request', 'response'] as const) : directions).flatMap((direction) =>
      membersOf(draft, direction)
        .map((site) => ({ ...site, target: dereference(draft, site.member) }))
        .filter(({ member, target }) => target !== member && target.maxLength !== undefined)
        .map(({ member, target, where }) => ({
          where,
          apply: () => {
            drop(member, '$ref');
            set(member, structuredClone(target));
            apply(member);
          },
        })),
    );
}
