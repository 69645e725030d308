/** Mutations of members of response objects, with their verdicts. Used by run.ts. */
import { drop, onMembers, onSchemas, set } from './kit.ts';
import type { Mutation } from './kit.ts';
import { isReference, isWrapped, MORE, releases, requires, unwrap, wrap, writtenOut } from './member-kit.ts';

/** Members of objects that responses contain. */
export const responseMembers: readonly Mutation[] = [
  {
    name: 'response: reference allowed to be null',
    expected: 'breaking',
    edits: onMembers('response', isReference, ({ member }) => wrap(member)),
  },
  {
    name: 'response: reference no longer allowed to be null',
    expected: 'non-breaking',
    edits: onMembers('response', isWrapped, ({ member }) => unwrap(member)),
  },
  {
    name: 'response: reference inlined and widened',
    expected: 'breaking',
    edits: writtenOut((schema) => set(schema, { maxLength: 9999 }), 'response'),
  },
  {
    name: 'response: member added',
    expected: 'non-breaking',
    edits: onSchemas(
      'response',
      ({ properties }) => properties !== undefined,
      (schema) => {
        set(schema.properties ?? {}, { extra: MORE });
        requires(schema, 'extra');
      },
    ),
  },
  {
    name: 'response: member removed',
    expected: 'breaking',
    edits: onMembers(
      'response',
      () => true,
      ({ owner, name }) => {
        drop(owner.properties ?? {}, name);
        releases(owner, name);
      },
    ),
  },
  {
    name: 'response: member renamed',
    expected: 'breaking',
    edits: onMembers(
      'response',
      () => true,
      ({ owner, name, member }) => {
        drop(owner.properties ?? {}, name);
        releases(owner, name);
        set(owner.properties ?? {}, { [`${name}New`]: member });
      },
    ),
  },
  {
    name: 'response: member became optional',
    expected: 'breaking',
    edits: onMembers(
      'response',
      ({ required }) => required,
      ({ owner, name }) => releases(owner, name),
    ),
  },
  {
    name: 'response: member became required',
    expected: 'non-breaking',
    edits: onMembers(
      'response',
      ({ required }) => !required,
      ({ owner, name }) => requires(owner, name),
    ),
  },
  {
    name: 'response: value added to an open enumeration',
    expected: 'non-breaking',
    edits: onSchemas(
      'response',
      (schema) => schema['x-enum-open'] === true,
      (schema) => set(schema, { enum: [...(schema.enum ?? []), 'other'] }),
    ),
  },
  {
    name: 'response: value withdrawn from an enumeration',
    expected: 'non-breaking',
    edits: onSchemas(
      'response',
      (schema) => (schema.enum?.length ?? 0) > 1 && schema['x-enum-open'] === true,
      (schema) => set(schema, { enum: schema.enum?.slice(1) }),
    ),
  },
  {
    name: 'response: enumeration closed',
    expected: 'breaking',
    edits: onSchemas(
      'response',
      (schema) => schema['x-enum-open'] === true,
      (schema) => drop(schema, 'x-enum-open'),
    ),
  },
  {
    name: 'response: enumeration dropped',
    expected: 'breaking',
    edits: onSchemas(
      'response',
      (schema) => schema.enum !== undefined,
      (schema) => drop(schema, 'enum', 'x-enum-open'),
    ),
  },
  {
    name: 'response: personal data unmarked',
    expected: 'breaking',
    edits: onSchemas(
      'response',
      (schema) => schema['x-pii'] === true,
      (schema) => drop(schema, 'x-pii'),
    ),
  },
  {
    name: 'response: marked as personal data',
    expected: 'non-breaking',
    edits: onMembers(
      'response',
      ({ member }) => member.type === 'string' && member['x-pii'] === undefined,
      ({ member }) => set(member, { 'x-pii': true }),
    ),
  },
  {
    name: 'response: masked otherwise',
    expected: 'non-breaking',
    edits: onMembers(
      'response',
      ({ member }) => member['x-masked'] === 'hidden',
      ({ member }) => set(member, { 'x-masked': 'removed' }),
    ),
  },
  {
    name: 'response: masked',
    expected: 'non-breaking',
    edits: onMembers(
      'response',
      ({ member }) => member.type === 'string' && member['x-masked'] === undefined,
      ({ member }) => set(member, { 'x-masked': 'hidden' }),
    ),
  },
  {
    name: 'response: no longer masked',
    expected: 'breaking',
    edits: onMembers(
      'response',
      ({ member }) => member['x-masked'] !== undefined,
      ({ member }) => drop(member, 'x-masked'),
    ),
  },
];

/** The same members, written or described in another way. */
export const memberNotation: readonly Mutation[] = [
  { name: 'reference inlined', expected: 'docs-only', edits: writtenOut(() => undefined) },
  {
    name: 'member deprecated',
    expected: 'non-breaking',
    edits: onMembers(
      'response',
      ({ member }) => member.$ref === undefined,
      ({ member }) => set(member, { deprecated: true }),
    ),
  },
  {
    name: 'member description changed',
    expected: 'docs-only',
    edits: onMembers(
      'response',
      ({ member }) => member.description !== undefined,
      ({ member }) => set(member, { description: 'Another description.' }),
    ),
  },
  {
    name: 'examples of a member edited',
    expected: 'docs-only',
    edits: onMembers(
      'request',
      ({ member }) => member.type === 'string',
      ({ member }) => set(member, { examples: ['other'] }),
    ),
  },
  {
    name: 'members reordered',
    expected: 'docs-only',
    edits: onSchemas(
      'response',
      ({ properties }) => Object.keys(properties ?? {}).length > 1,
      (schema) => set(schema, { properties: Object.fromEntries(Object.entries(schema.properties ?? {}).reverse()) }),
    ),
  },
  {
    name: 'required list reordered',
    expected: 'docs-only',
    edits: onSchemas(
      'response',
      ({ required }) => (required?.length ?? 0) > 1,
      (schema) => set(schema, { required: [...(schema.required ?? [])].reverse() }),
    ),
  },
  {
    name: 'enumeration reordered',
    expected: 'docs-only',
    edits: onSchemas(
      'response',
      (schema) => (schema.enum?.length ?? 0) > 1,
      (schema) => set(schema, { enum: [...(schema.enum ?? [])].reverse() }),
    ),
  },
];
