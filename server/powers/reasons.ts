import { fill, satisfied, sizeOf } from './formula.ts';
import type { People } from './people.ts';
import { type Act, type Certainty, NO, type Signer, UNKNOWN, YES } from './powers.ts';
import type { WeighedRule } from './rule-value.ts';

/** Why an evaluation is not a plain yes. */
export interface Reason {
  readonly code: ReasonCode;
  readonly partyKey: string | null;
  readonly instrumentId: string | null;
}

/** Codes of reasons, those of the signers first. */
export const REASON_CODES = [
  'signer_unknown',
  'signer_not_in_powers',
  'signer_identity_unverified',
  'signer_sanctioned',
  'conflict_of_interest',
  'joint_signature_required',
  'distinct_persons_required',
  'term_expired',
  'instrument_expired',
  'instrument_revoked',
  'instrument_unconfirmed',
  'instrument_suspended',
  'amount_exceeds_limit',
  'currency_mismatch',
  'condition_not_met',
  'territory_not_covered',
  'act_excluded',
  'act_not_covered',
  'delegation_not_permitted',
  'grantor_lacked_power',
  'delegation_cycle',
  'business_not_active',
  'protection_active',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** An evaluation of given signers, of which the reasons are sought. */
interface Evaluated {
  readonly people: People;
  readonly act: Act;
  readonly weighed: readonly WeighedRule[];
  readonly signers: readonly Signer[];
  readonly given: readonly (string | null)[];
  readonly value: Certainty;
  readonly missing: readonly (readonly string[])[];
  /** Tells whether a set of further persons would not suffice without those who have signed. */
  readonly needsGiven: (set: readonly string[]) => boolean;
}

/** Returns the reasons, each once, in the order of the codes. */
export function reasonsOf(evaluated: Evaluated): Reason[] {
  const { value } = evaluated;
  const all = [...ofSigners(evaluated), ...(value === YES ? [] : ofRules(evaluated))];
  const seen = new Set<string>();
  return all
    .filter((reason) => {
      const name = JSON.stringify(reason);
      return !seen.has(name) && seen.add(name);
    })
    .sort((a, b) => REASON_CODES.indexOf(a.code) - REASON_CODES.indexOf(b.code));
}

function ofSigners({ people, act, weighed, signers, given, value, missing, needsGiven }: Evaluated): Reason[] {
  const reasons: Reason[] = [];
  const add = (code: ReasonCode, partyKey: string | null): void => {
    reasons.push({ code, partyKey, instrumentId: null });
  };
  for (const [index, person] of given.entries()) {
    if (person === null) {
      add('signer_unknown', signers[index]!.partyKey ?? null);
      continue;
    }
    const isNamed = weighed.some(({ ways, instrument }) =>
      ways.some((way) =>
        way.some(({ leaves }) =>
          leaves.some((leaf) =>
            people
              .candidates(
                instrument ?? { groups: [] },
                null,
              )(leaf)
              .has(person),
          ),
        ),
      ),
    );
    if (!isNamed) add('signer_not_in_powers', person);
    if (people.isOtherSide(person, act.counterparty)) add('conflict_of_interest', person);
    if (value !== YES && people.signature(person, act) === UNKNOWN) add('signer_identity_unverified', person);
    if (given.indexOf(person) < index) add('distinct_persons_required', person);
  }
  if (missing.some(needsGiven)) add('joint_signature_required', null);
  return reasons;
}

/** Returns what alone is wrong with a rule whose formula the signers satisfy, and what alone keeps them from that. */
function ofRules({ people, act, weighed, given }: Evaluated): Reason[] {
  const signed = new Set(
    given.filter((person) => person !== null && people.signature(person, act) > NO),
  ) as Set<string>;
  return weighed.flatMap(({ instrument, ways, factors }): Reason[] => {
    const instrumentId = instrument?.id ?? null;
    const of = (code: string): Reason => ({ code: code as ReasonCode, partyKey: null, instrumentId });
    const candidates = people.candidates(instrument ?? { groups: [] }, act.on);
    const wrong = factors.filter(({ value }) => value < YES);
    if (satisfied(ways, signed, candidates) !== null) return wrong.length === 1 ? [of(wrong[0]!.code)] : [];
    if (wrong.length > 0) return [];
    if (satisfied(ways, signed, people.candidates(instrument ?? { groups: [] }, null)) !== null)
      return [of('term_expired')];
    // Each slot could be filled, but only by somebody who fills another one.
    const isSpread = ways.some((way) => {
      const fillable = way.every(
        (slots) =>
          slots.leaves.filter((leaf) => [...candidates(leaf)].some((person) => signed.has(person))).length >=
          slots.count,
      );
      return fillable && fill(way, signed, candidates).length < sizeOf(way);
    });
    return isSpread ? [of('distinct_persons_required')] : [];
  });
}
