/** Rules about schemas, for changes that `redocly diff` does not compare. Used by the list of all rules (index.ts). */
import { isDeepStrictEqual } from 'node:util';
import { isNullable, schemaTypes } from '../../contract/contract.ts';
import type { Schema } from '../../contract/contract.ts';
import type { Change, DiffRule } from '../change.ts';
import { directedPairs } from '../pairs.ts';
import type { DirectedPair } from '../pairs.ts';

/** A caller who omits a value gets another result than before. In a response, a default is only informative. */
const defaultChanged: DiffRule = (base, revision) =>
  directedPairs(base, revision).flatMap(({ place, direction, ...pair }) => {
    const [was, is] = [JSON.stringify(pair.base.default), JSON.stringify(pair.revision.default)];
    return was === is
      ? []
      : [
          {
            impact: direction === 'request' ? 'major' : 'patch',
            place,
            message: `default was ${was ?? 'absent'} and is ${is ?? 'absent'}`,
          },
        ];
  });

/** Null may now be sent in a request, or returned in a response, where it was not allowed before, or the reverse. */
const nullChanged: DiffRule = (base, revision) =>
  directedPairs(base, revision).flatMap(({ place, direction, ...pair }) => {
    if (!isWritten(pair.base) || !isWritten(pair.revision)) return [];
    const [before, after] = [isNullable(pair.base), isNullable(pair.revision)];
    if (before === after) return [];
    const breaks = direction === 'request' ? before : after;
    return [
      {
        impact: breaks ? 'major' : 'minor',
        place,
        message: `${direction === 'request' ? 'may' : 'can'} ${after ? 'be null' : 'no longer be null'}`,
      },
    ];
  });

/** Returns whether a schema says which values it allows. */
function isWritten({
  type,
  oneOf,
  $ref,
}: {
  readonly type?: unknown;
  readonly oneOf?: unknown;
  readonly $ref?: unknown;
}): boolean {
  return type !== undefined || oneOf !== undefined || $ref !== undefined;
}

/**
 * A reference replaced by its target, or the reverse, and null written around a reference: `redocly diff` does not
 * compare the content behind them, so a change of it would be missed.
 */
const rewrittenSchemaChanged: DiffRule = (base, revision) =>
  directedPairs(base, revision)
    .filter(({ rewritten }) => rewritten)
    .flatMap(({ place, ...pair }): Omit<Change, 'rule'>[] =>
      broken(pair).map((what) => ({ impact: 'major', place, message: what })),
    );

function broken({ base, revision, direction }: Omit<DirectedPair, 'place'>): string[] {
  if (
    base.$ref !== undefined ||
    revision.$ref !== undefined ||
    base.oneOf !== undefined ||
    revision.oneOf !== undefined
  )
    return [];
  if (direction === 'request')
    return narrowed(base, revision).map((keyword) => `the request is narrowed by ${keyword}`);
  const promised = base['x-enum-open'] === true ? ['enum'] : [];
  return [
    ...membersLost(base, revision).map((name) => `the response lost ${name}`),
    ...narrowed(revision, base)
      .filter((keyword) => !promised.includes(keyword))
      .map((keyword) => `the response is widened by ${keyword}`),
  ];
}

const UPPER = ['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const LOWER = ['minimum', 'minLength', 'minItems', 'minProperties'] as const;
const EXACT = ['const', 'pattern', 'format', 'multipleOf'] as const;

/** Returns the keywords by which `now` refuses what `before` allowed; nested schemas are compared separately. */
function narrowed(before: Schema, now: Schema): string[] {
  return [
    ...(losesTypes(before, now) ? ['type'] : []),
    ...(now.enum !== undefined && (before.enum ?? [undefined]).some((value) => !now.enum?.includes(value))
      ? ['enum']
      : []),
    ...UPPER.filter((keyword) => (now[keyword] ?? Infinity) < (before[keyword] ?? Infinity)),
    ...LOWER.filter((keyword) => (now[keyword] ?? -Infinity) > (before[keyword] ?? -Infinity)),
    ...EXACT.filter((keyword) => now[keyword] !== undefined && !isDeepStrictEqual(now[keyword], before[keyword])),
    ...(now.uniqueItems === true && before.uniqueItems !== true ? ['uniqueItems'] : []),
    ...((now.required ?? []).some((name) => before.required?.includes(name) !== true) ? ['required'] : []),
    ...(isClosed(now) && (!isClosed(before) || membersLost(before, now).length > 0) ? ['additionalProperties'] : []),
  ];
}

function membersLost(before: Schema, now: Schema): string[] {
  return Object.keys(before.properties ?? {}).filter((name) => !Object.hasOwn(now.properties ?? {}, name));
}

function losesTypes(before: Schema, now: Schema): boolean {
  const allowed = schemaTypes(now);
  if (allowed.length === 0) return false;
  const types = schemaTypes(before);
  // The rule null-changed covers null.
  return (
    types.length === 0 ||
    types.some(
      (type) => type !== 'null' && !allowed.includes(type) && !(type === 'integer' && allowed.includes('number')),
    )
  );
}

function isClosed({ additionalProperties, unevaluatedProperties }: Schema): boolean {
  return additionalProperties === false || unevaluatedProperties === false;
}

/**
 * Returns a rule for keywords of JSON Schema that only narrow: adding one breaks senders, removing one breaks readers,
 * and changing its value may break both.
 */
function assertionChanged(keywords: readonly string[]): DiffRule {
  return (base, revision) =>
    directedPairs(base, revision).flatMap(({ place, direction, ...pair }) =>
      keywords.flatMap((keyword): Omit<Change, 'rule'>[] => {
        const [before, after] = [pair.base, pair.revision].map(
          (schema) => (schema as Schema & Readonly<Record<string, unknown>>)[keyword],
        );
        if (isDeepStrictEqual(before, after)) return [];
        const breaks = direction === 'request' ? after !== undefined : before !== undefined;
        return [
          {
            impact: breaks ? 'major' : 'minor',
            place,
            message: `${keyword} of the ${direction} ${fateOf(before, after)}`,
          },
        ];
      }),
    );
}

function fateOf(before: unknown, after: unknown): string {
  if (before === undefined) return 'is new';
  return after === undefined ? 'is gone' : 'is another';
}

/** Keywords that exclude values, or apply only under a condition. */
const conditionChanged = assertionChanged(['not', 'if', 'then', 'else']);

/** Keywords about what an array has to contain, and how often. */
const containsChanged = assertionChanged(['contains', 'minContains', 'maxContains']);

/** Keywords that require members because of another member. */
const dependentRequiredChanged = assertionChanged(['dependentRequired', 'dependentSchemas']);

/** Keywords that restrict members by their names. */
const patternPropertiesChanged = assertionChanged(['patternProperties']);

export const schemas: Readonly<Record<string, DiffRule>> = {
  'condition-changed': conditionChanged,
  'contains-changed': containsChanged,
  'default-changed': defaultChanged,
  'dependent-required-changed': dependentRequiredChanged,
  'null-changed': nullChanged,
  'pattern-properties-changed': patternPropertiesChanged,
  'rewritten-schema-changed': rewrittenSchemaChanged,
};
