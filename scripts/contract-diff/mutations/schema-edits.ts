import type { Verdict } from '../../contract/member.ts';
import { dereference } from '../../contract/contract.ts';
import type { Schema } from '../../contract/contract.ts';
import { drop, is, isPlain, membersOf, onMembers, onSchemas, set } from './kit.ts';
import type { Direction, Member, Mutation } from './kit.ts';

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
    apply: (schema) => {
      set(schema, { maxLength: 1 });
    },
  },
  {
    name: 'maxLength raised',
    effect: 'widens',
    fits: ({ maxLength }) => maxLength !== undefined,
    apply: (schema) => {
      set(schema, { maxLength: (schema.maxLength ?? 0) + 1 });
    },
  },
  {
    name: 'minLength raised',
    effect: 'narrows',
    fits: ({ minLength }) => minLength !== undefined,
    apply: (schema) => {
      set(schema, { minLength: (schema.minLength ?? 0) + 1 });
    },
  },
  {
    name: 'minLength dropped',
    effect: 'widens',
    fits: ({ minLength }) => (minLength ?? 0) > 0,
    apply: (schema) => {
      drop(schema, 'minLength');
    },
  },
  {
    name: 'pattern set',
    effect: 'narrows',
    fits: (schema) =>
      schema.type === 'string' &&
      schema.pattern === undefined &&
      schema.enum === undefined &&
      schema.format === undefined,
    apply: (schema) => {
      set(schema, { pattern: NARROWER.pattern });
    },
  },
  {
    name: 'pattern dropped',
    effect: 'widens',
    fits: ({ pattern }) => pattern !== undefined,
    apply: (schema) => {
      drop(schema, 'pattern');
    },
  },
  {
    name: 'pattern changed',
    effect: 'replaces',
    fits: ({ pattern }) => pattern !== undefined,
    apply: (schema) => {
      set(schema, { pattern: NARROWER.pattern });
    },
  },
  {
    name: 'format changed',
    effect: 'replaces',
    fits: ({ format }) => format !== undefined && format !== 'binary',
    apply: (schema) => {
      set(schema, { format: schema.format === 'date' ? 'date-time' : 'date' });
    },
  },
  {
    name: 'minimum raised',
    effect: 'narrows',
    fits: ({ minimum }) => minimum !== undefined,
    apply: (schema) => {
      set(schema, { minimum: (schema.minimum ?? 0) + 1 });
    },
  },
  {
    name: 'minimum lowered',
    effect: 'widens',
    fits: ({ minimum }) => minimum !== undefined,
    apply: (schema) => {
      set(schema, { minimum: (schema.minimum ?? 0) - 1 });
    },
  },
  {
    name: 'maximum lowered',
    effect: 'narrows',
    fits: ({ maximum }) => maximum !== undefined,
    apply: (schema) => {
      set(schema, { maximum: (schema.maximum ?? 0) - 1 });
    },
  },
  {
    name: 'maximum raised',
    effect: 'widens',
    fits: ({ maximum }) => maximum !== undefined,
    apply: (schema) => {
      set(schema, { maximum: (schema.maximum ?? 0) + 1 });
    },
  },
  {
    name: 'multipleOf set',
    effect: 'narrows',
    fits: (schema) => schema.type === 'integer' && schema.multipleOf === undefined,
    apply: (schema) => {
      set(schema, { multipleOf: 5 });
    },
  },
  {
    name: 'maxItems lowered',
    effect: 'narrows',
    fits: ({ maxItems }) => (maxItems ?? 0) > 1,
    apply: (schema) => {
      set(schema, { maxItems: (schema.maxItems ?? 0) - 1 });
    },
  },
  {
    name: 'maxItems raised',
    effect: 'widens',
    fits: ({ maxItems }) => maxItems !== undefined,
    apply: (schema) => {
      set(schema, { maxItems: (schema.maxItems ?? 0) + 1 });
    },
  },
  {
    name: 'minItems set',
    effect: 'narrows',
    fits: (schema) => is(schema, 'array') && schema.minItems === undefined,
    apply: (schema) => {
      set(schema, { minItems: 1 });
    },
  },
  {
    name: 'uniqueItems demanded',
    effect: 'narrows',
    fits: (schema) => is(schema, 'array') && schema.uniqueItems !== true,
    apply: (schema) => {
      set(schema, { uniqueItems: true });
    },
  },
  {
    name: 'contains demanded',
    effect: 'narrows',
    fits: (schema) => is(schema, 'array'),
    apply: (schema) => {
      set(schema, { contains: { const: 'x' } });
    },
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
    apply: (schema) => {
      set(schema, { maxProperties: 1 });
    },
  },
  {
    name: 'not set',
    effect: 'narrows',
    fits: (schema) => schema.type === 'string' && schema.enum === undefined,
    apply: (schema) => {
      set(schema, { not: { const: 'x' } });
    },
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
    apply: (schema) => {
      set(schema, { const: 'x' });
    },
  },
  {
    name: 'type changed',
    effect: 'replaces',
    fits: (schema) =>
      isPlain(schema) && ['string', 'integer', 'boolean'].includes(schema.type as string) && schema.enum === undefined,
    apply: (schema) => {
      set(schema, { type: schema.type === 'integer' ? 'string' : 'integer' });
    },
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
    apply: (schema) => {
      set(schema, { type: [schema.type, 'null'] });
    },
  },
  {
    name: 'null no longer allowed',
    effect: 'narrows',
    fits: (schema) => is(schema, 'null') && Array.isArray(schema.type),
    apply: (schema) => {
      set(schema, { type: (schema.type as readonly string[])[0] });
    },
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

/** Writes null around a reference. */
function wrap(schema: Schema): void {
  const { $ref } = schema;
  drop(schema, '$ref');
  set(schema, { oneOf: [{ $ref }, { type: 'null' }] });
}

function unwrap(schema: Schema): void {
  const $ref = schema.oneOf?.[0]?.$ref;
  drop(schema, 'oneOf');
  set(schema, { $ref });
}

const isReference = ({ member }: Member) => member.$ref !== undefined;
const isWrapped = ({ member }: Member) => member.oneOf?.[0]?.$ref !== undefined && member.oneOf[1]?.type === 'null';

const MORE: Schema = { type: 'string', maxLength: 10, description: 'Something more.' };
const requires = (owner: Schema, name: string) => {
  set(owner, { required: [...(owner.required ?? []), name] });
};
const releases = (owner: Schema, name: string) => {
  set(owner, { required: (owner.required ?? []).filter((other) => other !== name) });
};

/** Replaces a member's reference to a short text by its target. */
function writtenOut(apply: (schema: Schema) => void, ...directions: Direction[]): Mutation['edits'] {
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

/** Members of objects. */
export const members: readonly Mutation[] = [
  {
    name: 'request: optional member added',
    expected: 'non-breaking',
    edits: onSchemas(
      'request',
      ({ properties }) => properties !== undefined,
      (schema) => {
        set(schema.properties ?? {}, { extra: MORE });
      },
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
      ({ owner, name }) => {
        requires(owner, name);
      },
    ),
  },
  {
    name: 'request: member became optional',
    expected: 'non-breaking',
    edits: onMembers(
      'request',
      ({ required }) => required,
      ({ owner, name }) => {
        releases(owner, name);
      },
    ),
  },
  {
    name: 'request: closed object opened',
    expected: 'non-breaking',
    edits: onSchemas(
      'request',
      ({ additionalProperties }) => additionalProperties === false,
      (schema) => {
        drop(schema, 'additionalProperties');
      },
    ),
  },
  {
    name: 'request: open object closed',
    expected: 'breaking',
    edits: onSchemas(
      'request',
      (schema) => schema.properties !== undefined && schema.additionalProperties === undefined,
      (schema) => {
        set(schema, { additionalProperties: false });
      },
    ),
  },
  {
    name: 'request: reference allowed to be null',
    expected: 'non-breaking',
    edits: onMembers('request', isReference, ({ member }) => {
      wrap(member);
    }),
  },
  {
    name: 'request: reference no longer allowed to be null',
    expected: 'breaking',
    edits: onMembers('request', isWrapped, ({ member }) => {
      unwrap(member);
    }),
  },
  {
    name: 'response: reference allowed to be null',
    expected: 'breaking',
    edits: onMembers('response', isReference, ({ member }) => {
      wrap(member);
    }),
  },
  {
    name: 'response: reference no longer allowed to be null',
    expected: 'non-breaking',
    edits: onMembers('response', isWrapped, ({ member }) => {
      unwrap(member);
    }),
  },
  {
    name: 'request: null written around a reference that is narrowed',
    expected: 'breaking',
    edits: writtenOut((schema) => {
      set(schema, { oneOf: [{ type: schema.type, maxLength: 1 }, { type: 'null' }] });
      drop(schema, 'type', 'maxLength', 'pattern', 'minLength', 'format');
    }, 'request'),
  },
  { name: 'reference written out', expected: 'docs-only', edits: writtenOut(() => undefined) },
  {
    name: 'request: reference written out and narrowed',
    expected: 'breaking',
    edits: writtenOut((schema) => {
      set(schema, { maxLength: 1 });
    }, 'request'),
  },
  {
    name: 'response: reference written out and widened',
    expected: 'breaking',
    edits: writtenOut((schema) => {
      set(schema, { maxLength: 9999 });
    }, 'response'),
  },
  {
    name: 'request: default changed',
    expected: 'breaking',
    edits: onMembers(
      'request',
      ({ member }) => member.type === 'boolean' && member.default !== true,
      ({ member }) => {
        set(member, { default: true });
      },
    ),
  },
  {
    name: 'request: enumeration narrowed',
    expected: 'breaking',
    edits: onSchemas(
      'request',
      (schema) => (schema.enum?.length ?? 0) > 1,
      (schema) => {
        set(schema, { enum: schema.enum?.slice(1) });
      },
    ),
  },
  {
    name: 'request: enumeration widened',
    expected: 'non-breaking',
    edits: onSchemas(
      'request',
      (schema) => schema.enum !== undefined,
      (schema) => {
        set(schema, { enum: [...(schema.enum ?? []), 'other'] });
      },
    ),
  },
  {
    name: 'request: enumeration set',
    expected: 'breaking',
    edits: onSchemas(
      'request',
      (schema) => schema.type === 'string' && schema.enum === undefined,
      (schema) => {
        set(schema, { enum: ['one', 'two'] });
      },
    ),
  },
  {
    name: 'request: personal data unmarked',
    expected: 'breaking',
    edits: onSchemas(
      'request',
      (schema) => schema['x-pii'] === true,
      (schema) => {
        drop(schema, 'x-pii');
      },
    ),
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
      ({ owner, name }) => {
        releases(owner, name);
      },
    ),
  },
  {
    name: 'response: member became required',
    expected: 'non-breaking',
    edits: onMembers(
      'response',
      ({ required }) => !required,
      ({ owner, name }) => {
        requires(owner, name);
      },
    ),
  },
  {
    name: 'response: value added to an open enumeration',
    expected: 'non-breaking',
    edits: onSchemas(
      'response',
      (schema) => schema['x-enum-open'] === true,
      (schema) => {
        set(schema, { enum: [...(schema.enum ?? []), 'other'] });
      },
    ),
  },
  {
    name: 'response: value withdrawn from an enumeration',
    expected: 'non-breaking',
    edits: onSchemas(
      'response',
      (schema) => (schema.enum?.length ?? 0) > 1 && schema['x-enum-open'] === true,
      (schema) => {
        set(schema, { enum: schema.enum?.slice(1) });
      },
    ),
  },
  {
    name: 'response: enumeration closed',
    expected: 'breaking',
    edits: onSchemas(
      'response',
      (schema) => schema['x-enum-open'] === true,
      (schema) => {
        drop(schema, 'x-enum-open');
      },
    ),
  },
  {
    name: 'response: enumeration dropped',
    expected: 'breaking',
    edits: onSchemas(
      'response',
      (schema) => schema.enum !== undefined,
      (schema) => {
        drop(schema, 'enum', 'x-enum-open');
      },
    ),
  },
  {
    name: 'response: personal data unmarked',
    expected: 'breaking',
    edits: onSchemas(
      'response',
      (schema) => schema['x-pii'] === true,
      (schema) => {
        drop(schema, 'x-pii');
      },
    ),
  },
  {
    name: 'response: marked as personal data',
    expected: 'non-breaking',
    edits: onMembers(
      'response',
      ({ member }) => member.type === 'string' && member['x-pii'] === undefined,
      ({ member }) => {
        set(member, { 'x-pii': true });
      },
    ),
  },
  {
    name: 'response: masked otherwise',
    expected: 'non-breaking',
    edits: onMembers(
      'response',
      ({ member }) => member['x-masked'] === 'hidden',
      ({ member }) => {
        set(member, { 'x-masked': 'removed' });
      },
    ),
  },
  {
    name: 'response: masked',
    expected: 'non-breaking',
    edits: onMembers(
      'response',
      ({ member }) => member.type === 'string' && member['x-masked'] === undefined,
      ({ member }) => {
        set(member, { 'x-masked': 'hidden' });
      },
    ),
  },
  {
    name: 'response: no longer masked',
    expected: 'breaking',
    edits: onMembers(
      'response',
      ({ member }) => member['x-masked'] !== undefined,
      ({ member }) => {
        drop(member, 'x-masked');
      },
    ),
  },
  {
    name: 'member deprecated',
    expected: 'non-breaking',
    edits: onMembers(
      'response',
      ({ member }) => member.$ref === undefined,
      ({ member }) => {
        set(member, { deprecated: true });
      },
    ),
  },
  {
    name: 'member described anew',
    expected: 'docs-only',
    edits: onMembers(
      'response',
      ({ member }) => member.description !== undefined,
      ({ member }) => {
        set(member, { description: 'Another description.' });
      },
    ),
  },
  {
    name: 'examples of a member edited',
    expected: 'docs-only',
    edits: onMembers(
      'request',
      ({ member }) => member.type === 'string',
      ({ member }) => {
        set(member, { examples: ['other'] });
      },
    ),
  },
  {
    name: 'members reordered',
    expected: 'docs-only',
    edits: onSchemas(
      'response',
      ({ properties }) => Object.keys(properties ?? {}).length > 1,
      (schema) => {
        set(schema, { properties: Object.fromEntries(Object.entries(schema.properties ?? {}).reverse()) });
      },
    ),
  },
  {
    name: 'required list reordered',
    expected: 'docs-only',
    edits: onSchemas(
      'response',
      ({ required }) => (required?.length ?? 0) > 1,
      (schema) => {
        set(schema, { required: [...(schema.required ?? [])].reverse() });
      },
    ),
  },
  {
    name: 'enumeration reordered',
    expected: 'docs-only',
    edits: onSchemas(
      'response',
      (schema) => (schema.enum?.length ?? 0) > 1,
      (schema) => {
        set(schema, { enum: [...(schema.enum ?? [])].reverse() });
      },
    ),
  },
];
