/**
 * Rules about the keywords `x-…` of the contract. They follow from scripts/contract/dialect.ts, a table that defines
 * each keyword and the effects of changing it. Used by the list of all rules (index.ts).
 */
import { isDeepStrictEqual } from 'node:util';
import type { Contract, Schema } from '../../contract/contract.ts';
import { members } from '../../contract/dialect.ts';
import type { MemberName } from '../../contract/dialect.ts';
import type { Comparison, MemberOwner, Effect } from '../../contract/member.ts';
import { impactOf } from '../change.ts';
import type { Change, DiffRule } from '../change.ts';
import { directedPairs, operationPairs, parameterPairs, schemaPairs, without } from '../pairs.ts';
import type { Pair } from '../pairs.ts';

type Finding = Omit<Change, 'rule'>;
type Pairs = (base: Contract, revision: Contract) => readonly Pair<object>[];

const parts = members.flatMap(([name, { on, changes = [] }]) =>
  changes.map((comparison) => ({ name, on, comparison })),
);

/** Rules by name. Each compares the values of one keyword, or of several that share a rule. */
export const dialect: Readonly<Record<string, DiffRule>> = Object.fromEntries(
  parts.map(({ comparison: { rule } }): [string, DiffRule] => [
    rule,
    (base, revision) =>
      parts
        .filter(({ comparison }) => comparison.rule === rule)
        .flatMap(({ name, on, comparison }) => {
          const pairs = on.flatMap((where) => (PAIRS[name] ?? PAIRS_BY_OWNER[where])(base, revision));
          return pairs.flatMap(({ place, ...pair }) =>
            compared(comparison, place, valueOf(pair.base, name), valueOf(pair.revision, name)),
          );
        }),
  ]),
);

/** Returns the value of a keyword; `false` counts as omitted. */
function valueOf(node: object, name: MemberName): unknown {
  const value = (node as Readonly<Record<string, unknown>>)[name];
  return value === false ? undefined : value;
}

/**
 * Compares two values of a keyword as `Comparison` (scripts/contract/member.ts) declares: lists by their added and
 * removed items, maps entry by entry, and other values as a whole. `of` extracts the part to compare, `absent` stands
 * for a missing value, and `nothing` is the text of a missing value in messages. A list that one side omits is not
 * compared, unless `absent` is a list.
 */
function compared(comparison: Comparison<never>, place: string, before: unknown, after: unknown): Finding[] {
  const { of = (value: never): unknown => value, absent, by, ...effects } = comparison;
  const { gained, lost, changed, lowered, raised, nothing } = effects;
  const [was, is] = [before, after].map((value) => (value === undefined ? absent : of(value as never)));
  const shown = { before: String(was ?? nothing), after: String(is ?? nothing) };
  if (Array.isArray(was) && Array.isArray(is)) {
    const found = (effect: Effect | undefined, items: readonly unknown[]) =>
      reported(items, by).flatMap((group) => findings(effect, place, { items: group.join(', ') }));
    return [...found(lost, without<unknown>(was, is)), ...found(gained, without<unknown>(is, was))];
  }
  if (by === 'entry') {
    const [old, now] = [new Map(Object.entries(was as object)), new Map(Object.entries(is as object))];
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) =>
      compared(effects, key, old.get(key), now.get(key)),
    );
  }
  if (isDeepStrictEqual(was, is) || Array.isArray(was ?? is)) return [];
  if (was === undefined) return findings(gained, place, shown);
  if (is === undefined) return findings(lost, place, shown);
  return findings((Number(is) < Number(was) ? lowered : raised) ?? changed, place, shown);
}

/** Groups items as they are reported: one by one, or all together. */
function reported(items: readonly unknown[], by: Comparison<never>['by']): readonly (readonly unknown[])[] {
  if (by === 'item') return items.map((item) => [item]);
  return items.length > 0 ? [items] : [];
}

function findings(effect: Effect | undefined, place: string, shown: Readonly<Record<string, string>>): Finding[] {
  if (effect === undefined) return [];
  const [verdict, message] = effect;
  return [
    {
      impact: impactOf(verdict),
      place,
      message: message.replaceAll(/\{(\w+)\}/g, (_, name: string) => shown[name] ?? ''),
    },
  ];
}

/**
 * Returns whether both sides are references, or neither is. The target of a reference is a pair of its own, so a
 * reference that was replaced by its target, or the reverse, does not count.
 */
function haveSameKind({ base, revision }: { readonly base: Schema; readonly revision: Schema }): boolean {
  return (base.$ref === undefined) === (revision.$ref === undefined);
}

const PAIRS_BY_OWNER: Readonly<Record<MemberOwner, Pairs>> = {
  operation: operationPairs,
  parameter: parameterPairs,
  schema: schemaPairs,
};

/** Keywords that are compared on other pairs of nodes than those of `PAIRS_BY_OWNER`. */
const PAIRS: Partial<Readonly<Record<MemberName, Pairs>>> = {
  // The declaration of personal data matters only in schemas that requests or responses use.
  'x-pii': (base, revision) => directedPairs(base, revision).filter(haveSameKind),
  'x-not-before': (base, revision) => schemaPairs(base, revision).filter(haveSameKind),
  'x-max-bytes': (base, revision) => schemaPairs(base, revision).filter(haveSameKind),
  'x-in-order': (base, revision) => schemaPairs(base, revision).filter(haveSameKind),
  'x-masked': directedPairs,
  // Only for enumerations do the types and models of the SDKs depend on this keyword.
  'x-enum-open': (base, revision) =>
    schemaPairs(base, revision)
      .filter((pair) => isEnumeration(pair.base))
      .map(({ place, ...pair }) => ({
        place,
        base: { 'x-enum-open': isOpen(pair.base) },
        revision: { 'x-enum-open': isOpen(pair.revision) },
      })),
};

/**
 * Returns whether an enumeration is open. Contracts of other authors, which `make diff` compares too, declare this by
 * listing the known values in `x-extensible-enum`.
 */
function isOpen(schema: Schema): boolean {
  return schema['x-enum-open'] === true || 'x-extensible-enum' in schema;
}

function isEnumeration(schema: Schema): boolean {
  return schema.enum !== undefined || 'x-extensible-enum' in schema;
}
