import { type Filled, satisfied, slotName } from './formula.ts';
import { forceOf, isConstitutive } from './in-force.ts';
import { People } from './people.ts';
import {
  type Act,
  type Certainty,
  greatest,
  least,
  NO,
  type PowersOnFile,
  type Signer,
  UNKNOWN,
  YES,
} from './powers.ts';
import { type Reason, reasonsOf } from './reasons.ts';
import { Rules, type WeighedRule } from './rule-value.ts';
import { signerSets } from './signer-sets.ts';

/** Whether the powers on file let these persons do this act. */
export interface Evaluation {
  readonly result: 'authorized' | 'not_authorized' | 'indeterminate';
  readonly coverage: 'complete' | 'partial' | 'none';
  readonly satisfiedBy: readonly {
    readonly instrumentId: string | null;
    readonly ruleKey: string;
    readonly slots: readonly { readonly slot: string; readonly partyKey: string }[];
  }[];
  readonly missing: readonly (readonly string[])[];
  readonly minimalSets: readonly (readonly string[])[];
  readonly isTruncated: boolean;
  readonly reasons: readonly Reason[];
}

/**
 * Tells whether some persons may do an act in the name of the company. Without signers it tells who could. The same
 * values always give the same answer: it depends on no clock.
 */
export function evaluateSigning(file: PowersOnFile, act: Act, signers: readonly Signer[] | null): Evaluation {
  const people = new People(file.parties);
  const rules = new Rules(file, people);
  const moment = { on: act.on, at: act.at };
  const weighed = rules.all(act.type, moment).map((applied): WeighedRule => {
    const factors = rules.factors(applied, act);
    return { ...applied, factors, worth: least(...factors.map(({ value }) => value)) };
  });
  const given = (signers ?? []).map((signer) => people.find(signer));
  const signed = new Set(given.filter((person) => person !== null));
  const coverage = coverageOf(file, rules.hasDefault(act.type, moment), act);
  const refusals = refusalsOf(file, people, act, signed);

  const withAtLeast = (persons: Iterable<string>, value: Certainty): Set<string> =>
    new Set([...persons].filter((person) => people.signature(person, act) >= value));
  const filledBy = (rule: WeighedRule, persons: Iterable<string>, value: Certainty): Filled[] | null =>
    rule.worth < value
      ? null
      : satisfied(rule.ways, withAtLeast(persons, value), people.candidates(rule.instrument ?? { groups: [] }, act.on));
  const valueFor = (persons: Iterable<string>): Certainty =>
    greatest(
      weighed.map((rule) => {
        if (filledBy(rule, persons, YES) !== null) return YES;
        return filledBy(rule, persons, UNKNOWN) === null ? NO : UNKNOWN;
      }),
    );

  const value = valueFor(signed);
  const everybody = [...people.all.keys()];
  const best = valueFor(everybody);
  const sets =
    best > value && refusals.length === 0
      ? signerSets(
          weighed
            .filter(({ worth }) => worth >= best)
            .map(({ ways, instrument }) => ({
              ways,
              candidates: people.candidates(instrument ?? { groups: [] }, act.on),
            })),
          withAtLeast(signed, best),
          [...withAtLeast(everybody, best)],
        )
      : { sets: [], isTruncated: false };
  const missing = signers === null ? [] : sets.sets;
  return {
    result: resultOf(value, coverage, refusals.length > 0, file.business.situation),
    coverage,
    satisfiedBy:
      refusals.length > 0
        ? []
        : weighed.flatMap((rule) => {
            const filled = signers === null ? null : filledBy(rule, signed, YES);
            return filled === null ? [] : [satisfaction(rule, filled)];
          }),
    missing,
    minimalSets: signers === null ? sets.sets : [],
    isTruncated: sets.isTruncated,
    reasons: [
      ...refusals,
      ...(signers === null
        ? []
        : reasonsOf({
            people,
            act,
            weighed,
            signers,
            given,
            value,
            missing,
            needsGiven: (set) => valueFor(set) < best,
          })),
    ],
  };
}

function satisfaction({ instrument, rule }: WeighedRule, filled: readonly Filled[]) {
  return {
    instrumentId: instrument?.id ?? null,
    ruleKey: rule.key,
    slots: filled
      .map(({ leaf, person }) => ({ slot: slotName(leaf), partyKey: person }))
      .sort((a, b) => (a.slot + a.partyKey < b.slot + b.partyKey ? -1 : 1)),
  };
}

/** Unseen articles may say anything, so without them nothing is certain, yes and no alike. */
function resultOf(
  value: Certainty,
  coverage: Evaluation['coverage'],
  isRefused: boolean,
  situation: string | null,
): Evaluation['result'] {
  if (isRefused) return 'not_authorized';
  if (coverage !== 'complete' || situation === null || value === UNKNOWN) return 'indeterminate';
  return value === YES ? 'authorized' : 'not_authorized';
}

function coverageOf(
  { instruments, parties }: PowersOnFile,
  hasDefault: boolean,
  { on, at }: Act,
): Evaluation['coverage'] {
  const forces = instruments.map((instrument) => ({ instrument, force: forceOf(instrument, { on, at }, instruments) }));
  if (forces.some(({ instrument, force }) => force === 'confirmed' && isConstitutive(instrument))) return 'complete';
  const isAnyInForce = forces.some(({ force }) => ['confirmed', 'unconfirmed', 'suspended'].includes(force));
  const administrator = new People(parties).candidates({ groups: [] }, on)({ role: 'administrator' });
  return isAnyInForce || (hasDefault && administrator.size > 0) ? 'partial' : 'none';
}

/** Returns why the act is refused as a whole, whatever the instruments say. */
function refusalsOf({ business }: PowersOnFile, people: People, { type }: Act, signed: ReadonlySet<string>): Reason[] {
  const of = (code: Reason['code'], partyKey: string | null = null): Reason => ({ code, partyKey, instrumentId: null });
  return [
    ...(business.situation !== null && business.situation !== 'active' ? [of('business_not_active')] : []),
    ...(type === 'open_account' && business.protectionActive ? [of('protection_active')] : []),
    ...[...signed].flatMap((person) => [
      ...(type === 'open_account' && people.isProtected(person) ? [of('protection_active', person)] : []),
      ...(people.isSanctioned(person) ? [of('signer_sanctioned', person)] : []),
    ]),
  ];
}
