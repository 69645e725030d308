/** Mutations of members of request objects, with their verdicts. Used by run.ts. */
import { drop, onMembers, onSchemas, set } from './kit.ts';
import type { Mutation } from './kit.ts';
import { isReference, isWrapped, MORE, releases, requires, unwrap, wrap, writtenOut } from './member-kit.ts';

/** Members of objects that requests contain. */
export const requestMembers: readonly Mutation[] = [
  {
    name: 'request: optional member added',
    expected: 'non-breaking',
    edits: onSchemas(
      'request',
      ({ properties }) => properties !== undefined,
      (schema) => set(schema.properties ?? {}, { extra: MORE }),
    ),
  },
  {
    name: 'request: required member added',
    expected: 'breaking',
    edits: onSchemas(
      'request',
      ({ properties }) => properties !== undefined,
      (schema) => {
        set(schema.properties ?? {}, { extra: MORE });
        requires(schema, 'extra');
      },
    ),
  },
  {
    name: 'request: member removed',
    expected: 'breaking',
    edits: onMembers(
      'request',
      () => true,
      ({ owner, name }) => {
        drop(owner.properties ?? {}, name);
        releases(owner, name);
      },
    ),
  },
  {
    name: 'request: member renamed',
    expected: 'breaking',
    edits: onMembers(
      'request',
      () => true,
      ({ owner, name, member }) => {
        drop(owner.properties ?? {}, name);
        releases(owner, name);
        set(owner.properties ?? {}, { [`${name}New`]: member });
      },
    ),
  },
  {
    name: 'request: member became required',
    expected: 'breaking',
    edits: onMembers(
      'request',
      ({ required }) => !required,
      ({ owner, name }) => requires(owner, name),
    ),
  },
  {
    name: 'request: member became optional',
    expected: 'non-breaking',
    edits: onMembers(
      'request',
      ({ required }) => required,
      ({ owner, name }) => releases(owner, name),
    ),
  },
  {
    name: 'request: closed object opened',
    expected: 'non-breaking',
    edits: onSchemas(
      'request',
      ({ additionalProperties }) => additionalProperties === false,
      (schema) => drop(schema, 'additionalProperties'),
    ),
  },
  {
    name: 'request: open object closed',
    expected: 'breaking',
    edits: onSchemas(
      'request',
      (schema) => schema.properties !== undefined && schema.additionalProperties === undefined,
      (schema) => set(schema, { additionalProperties: false }),
    ),
  },
  {
    name: 'request: reference allowed to be null',
    expected: 'non-breaking',
    edits: onMembers('request', isReference, ({ member }) => wrap(member)),
  },
  {
    name: 'request: reference no longer allowed to be null',
    expected: 'breaking',
    edits: onMembers('request', isWrapped, ({ member }) => unwrap(member)),
  },
  {
    name: 'request: null written around a reference that is narrowed',
    expected: 'breaking',
    edits: writtenOut((schema) => {
      set(schema, { oneOf: [{ type: schema.type, maxLength: 1 }, { type: 'null' }] });
      drop(schema, 'type', 'maxLength', 'pattern', 'minLength', 'format');
    }, 'request'),
  },
  {
    name: 'request: reference inlined and narrowed',
    expected: 'breaking',
    edits: writtenOut((schema) => set(schema, { maxLength: 1 }), 'request'),
  },
  {
    name: 'request: default changed',
    expected: 'breaking',
    edits: onMembers(
      'request',
      ({ member }) => member.type === 'boolean' && member.default !== true,
      ({ member }) => set(member, { default: true }),
    ),
  },
  {
    name: 'request: enumeration narrowed',
    expected: 'breaking',
    edits: onSchemas(
      'request',
      (schema) => (schema.enum?.length ?? 0) > 1,
      (schema) => set(schema, { enum: schema.enum?.slice(1) }),
    ),
  },
  {
    name: 'request: enumeration widened',
    expected: 'non-breaking',
    edits: onSchemas(
      'request',
      (schema) => schema.enum !== undefined,
      (schema) => set(schema, { enum: [...(schema.enum ?? []), 'other'] }),
    ),
  },
  {
    name: 'request: enumeration set',
    expected: 'breaking',
    edits: onSchemas(
      'request',
      (schema) => schema.type === 'string' && schema.enum === undefined,
      (schema) => set(schema, { enum: ['one', 'two'] }),
    ),
  },
  {
    name: 'request: personal data unmarked',
    expected: 'breaking',
    edits: onSchemas(
      'request',
      (schema) => schema['x-pii'] === true,
      (schema) => drop(schema, 'x-pii'),
    ),
  },
];
