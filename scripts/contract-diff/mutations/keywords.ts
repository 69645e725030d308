/** Mutations of single keywords of schemas, with their verdicts. Used by run.ts. */
import type { Schema } from '../../contract/contract.ts';
import type { Verdict } from '../../contract/member.ts';
import { drop, is, isPlain, onSchemas, set } from './kit.ts';
import type { Direction, Mutation } from './kit.ts';

interface Kind {
  readonly name: string;
  /** Whether the edit makes fewer, more or other values valid. */
  readonly effect: 'narrows' | 'widens' | 'replaces';
  readonly fits: (schema: Schema) => boolean;
  readonly apply: (schema: Schema) => void;
}

const NARROWER = { format: 'email', pattern: '^a+$' };

/** Changes of one keyword, by their effect on the set of valid values. */
const KEYWORDS: readonly Kind[] = [
  {
    name: 'maxLength lowered',
    effect: 'narrows',
    fits: ({ maxLength }) => (maxLength ?? 0) > 1,
    apply: (schema) => set(schema, { maxLength: 1 }),
  },
  {
    name: 'maxLength raised',
    effect: 'widens',
    fits: ({ maxLength }) => maxLength !== undefined,
    apply: (schema) => set(schema, { maxLength: (schema.maxLength ?? 0) + 1 }),
  },
  {
    name: 'minLength raised',
    effect: 'narrows',
    fits: ({ minLength }) => minLength !== undefined,
    apply: (schema) => set(schema, { minLength: (schema.minLength ?? 0) + 1 }),
  },
  {
    name: 'minLength dropped',
    effect: 'widens',
    fits: ({ minLength }) => (minLength ?? 0) > 0,
    apply: (schema) => drop(schema, 'minLength'),
  },
  {
    name: 'pattern set',
    effect: 'narrows',
    fits: (schema) =>
      schema.type === 'string' &&
      schema.pattern === undefined &&
      schema.enum === undefined &&
      schema.format === undefined,
    apply: (schema) => set(schema, { pattern: NARROWER.pattern }),
  },
  {
    name: 'pattern dropped',
    effect: 'widens',
    fits: ({ pattern }) => pattern !== undefined,
    apply: (schema) => drop(schema, 'pattern'),
  },
  {
    name: 'pattern changed',
    effect: 'replaces',
    fits: ({ pattern }) => pattern !== undefined,
    apply: (schema) => set(schema, { pattern: NARROWER.pattern }),
  },
  {
    name: 'format changed',
    effect: 'replaces',
    fits: ({ format }) => format !== undefined && format !== 'binary',
    apply: (schema) => set(schema, { format: schema.format === 'date' ? 'date-time' : 'date' }),
  },
  {
    name: 'minimum raised',
    effect: 'narrows',
    fits: ({ minimum }) => minimum !== undefined,
    apply: (schema) => set(schema, { minimum: (schema.minimum ?? 0) + 1 }),
  },
  {
    name: 'minimum lowered',
    effect: 'widens',
    fits: ({ minimum }) => minimum !== undefined,
    apply: (schema) => set(schema, { minimum: (schema.minimum ?? 0) - 1 }),
  },
  {
    name: 'maximum lowered',
    effect: 'narrows',
    fits: ({ maximum }) => maximum !== undefined,
    apply: (schema) => set(schema, { maximum: (schema.maximum ?? 0) - 1 }),
  },
  {
    name: 'maximum raised',
    effect: 'widens',
    fits: ({ maximum }) => maximum !== undefined,
    apply: (schema) => set(schema, { maximum: (schema.maximum ?? 0) + 1 }),
  },
  {
    name: 'multipleOf set',
    effect: 'narrows',
    fits: (schema) => schema.type === 'integer' && schema.multipleOf === undefined,
    apply: (schema) => set(schema, { multipleOf: 5 }),
  },
  {
    name: 'maxItems lowered',
    effect: 'narrows',
    fits: ({ maxItems }) => (maxItems ?? 0) > 1,
    apply: (schema) => set(schema, { maxItems: (schema.maxItems ?? 0) - 1 }),
  },
  {
    name: 'maxItems raised',
    effect: 'widens',
    fits: ({ maxItems }) => maxItems !== undefined,
    apply: (schema) => set(schema, { maxItems: (schema.maxItems ?? 0) + 1 }),
  },
  {
    name: 'minItems set',
    effect: 'narrows',
    fits: (schema) => is(schema, 'array') && schema.minItems === undefined,
    apply: (schema) => set(schema, { minItems: 1 }),
  },
  {
    name: 'uniqueItems demanded',
    effect: 'narrows',
    fits: (schema) => is(schema, 'array') && schema.uniqueItems !== true,
    apply: (schema) => set(schema, { uniqueItems: true }),
  },
  {
    name: 'contains demanded',
    effect: 'narrows',
    fits: (schema) => is(schema, 'array'),
    apply: (schema) => set(schema, { contains: { const: 'x' } }),
  },
  {
    name: 'dependentRequired set',
    effect: 'narrows',
    fits: ({ properties }) => Object.keys(properties ?? {}).length > 1,
    apply: (schema) => {
      const [a = '', b = ''] = Object.keys(schema.properties ?? {});
      set(schema, { dependentRequired: { [a]: [b] } });
    },
  },
  {
    name: 'patternProperties set',
    effect: 'narrows',
    fits: ({ properties }) => properties !== undefined,
    apply: (schema) => {
      set(schema, { patternProperties: { '^[a-z]': { type: 'integer' } } });
    },
  },
  {
    name: 'maxProperties set',
    effect: 'narrows',
    fits: (schema) => schema.properties !== undefined && schema.maxProperties === undefined,
    apply: (schema) => set(schema, { maxProperties: 1 }),
  },
  {
    name: 'not set',
    effect: 'narrows',
    fits: (schema) => schema.type === 'string' && schema.enum === undefined,
    apply: (schema) => set(schema, { not: { const: 'x' } }),
  },
  {
    name: 'const set',
    effect: 'narrows',
    fits: (schema) =>
      schema.type === 'string' &&
      schema.enum === undefined &&
      schema.const === undefined &&
      schema.pattern === undefined &&
      schema.format === undefined,
    apply: (schema) => set(schema, { const: 'x' }),
  },
  {
    name: 'type changed',
    effect: 'replaces',
    fits: (schema) =>
      isPlain(schema) && ['string', 'integer', 'boolean'].includes(schema.type as string) && schema.enum === undefined,
    apply: (schema) => set(schema, { type: schema.type === 'integer' ? 'string' : 'integer' }),
  },
  {
    name: 'null allowed',
    effect: 'widens',
    fits: (schema) =>
      isPlain(schema) &&
      schema.type !== 'object' &&
      schema.type !== 'null' &&
      schema.enum === undefined &&
      schema.const === undefined,
    apply: (schema) => set(schema, { type: [schema.type, 'null'] }),
  },
  {
    name: 'null no longer allowed',
    effect: 'narrows',
    fits: (schema) => is(schema, 'null') && Array.isArray(schema.type),
    apply: (schema) => set(schema, { type: (schema.type as readonly string[])[0] }),
  },
];

const KEYWORD_VERDICTS: Readonly<Record<Direction, Readonly<Record<Kind['effect'], Verdict>>>> = {
  request: { narrows: 'breaking', widens: 'non-breaking', replaces: 'breaking' },
  response: { narrows: 'non-breaking', widens: 'breaking', replaces: 'breaking' },
};

/** Every keyword in both directions: narrowing a request breaks its senders, widening a response breaks its readers. */
export const keywords: readonly Mutation[] = (['request', 'response'] as const).flatMap((direction) =>
  KEYWORDS.map(({ name, effect, fits, apply }) => ({
    name: `${direction}: ${name}`,
    expected: KEYWORD_VERDICTS[direction][effect],
    edits: onSchemas(direction, fits, apply),
  })),
);
