import { coverOf } from './covers.ts';
import { forceOf } from './in-force.ts';
import { People } from './people.ts';
import { type Money, NO, type PowerInstrument, type PowerRule, type PowersOnFile } from './powers.ts';
import { type AppliedRule, Rules } from './rule-value.ts';
import { signerSets } from './signer-sets.ts';

/** A person who may sign by a rule, alone or with others. */
export interface Signatory {
  readonly partyKey: string;
  /** Null for the rule of the law. */
  readonly instrumentId: string | null;
  readonly rule: PowerRule;
  readonly alone: boolean;
  /** Smallest sets of further persons with whom the rule is satisfied. */
  readonly with: readonly (readonly string[])[];
  /** Last day of the instrument or of the person's term, whichever is earlier; null without an end. */
  readonly validUntil: string | null;
}

export interface Signatories {
  readonly rows: readonly Signatory[];
  /** Whether there may be further sets or rows. */
  readonly isTruncated: boolean;
}

/** What a sheet is about. */
export interface SheetWanted {
  /** Day in São Paulo. */
  readonly on: string;
  /** Type of acts; null for all. */
  readonly type: string | null;
  /** Amount of the act; null if it does not matter. */
  readonly amount: Money | null;
}

/** Fills that all rules of a sheet may take together, and that each may take at least. */
const MOST_FILLS = 20_000;
const LEAST_FILLS = 200;
const MOST_ROWS = 1000;
/** Type of acts for which the rule of the law is shown if the sheet is about all. */
const USUAL = 'general_contract';
const DELEGATIONS = ['delegation_cycle', 'delegation_not_permitted', 'grantor_lacked_power'];

/**
 * Lists who may sign on a day by the confirmed powers in force: person by person and rule by rule. A rule is listed by
 * its smallest sets of signers, so a person who is only needed beside a sufficient set is not in them.
 */
export function signatories(file: PowersOnFile, { on, type, amount }: SheetWanted): Signatories {
  const people = new People(file.parties);
  const rules = new Rules(file, people);
  const moment = { on, at: null };
  const applied = rules
    .all(type ?? USUAL, moment)
    .filter(({ instrument }) => instrument === null || forceOf(instrument, moment, file.instruments) === 'confirmed')
    .filter(({ rule }) => type === null || coverOf(rule, type) === 'covers')
    .filter(({ rule }) => isWithin(rule, amount))
    .filter((one) => isDelegated(rules, one, { on, type }));
  const mostFills = Math.max(LEAST_FILLS, Math.floor(MOST_FILLS / Math.max(1, applied.length)));
  const everybody = [...people.all.keys()].filter((person) => !people.isSanctioned(person));
  let isTruncated = false;
  const rows = applied.flatMap(({ instrument, rule, ways }): Signatory[] => {
    const candidates = people.candidates(instrument ?? { groups: [] }, on);
    const found = signerSets([{ ways, candidates }], new Set(), everybody, mostFills);
    isTruncated ||= found.isTruncated;
    return [...new Set(found.sets.flat())].sort().map((person) => {
      const sets = found.sets.filter((set) => set.includes(person));
      return {
        partyKey: person,
        instrumentId: instrument?.id ?? null,
        rule,
        alone: sets.some((set) => set.length === 1),
        with: sets.filter((set) => set.length > 1).map((set) => set.filter((other) => other !== person)),
        validUntil: lastDay(
          instrument,
          people.all.get(person)!.parties.map(({ key }) => key),
        ),
      };
    });
  });
  return { rows: rows.slice(0, MOST_ROWS), isTruncated: isTruncated || rows.length > MOST_ROWS };
}

/** An amount in another currency than that of the limit is not within it. */
function isWithin({ maxAmount }: PowerRule, amount: Money | null): boolean {
  if (amount === null || maxAmount === null) return true;
  return amount.currency === maxAmount.currency && amount.amount <= maxAmount.amount;
}

/** Tells whether the grantors of a power of attorney could give it, or may have been able to. */
function isDelegated(rules: Rules, applied: AppliedRule, { on, type }: Pick<SheetWanted, 'on' | 'type'>): boolean {
  if (applied.instrument?.type !== 'power_of_attorney') return true;
  const act = {
    type: type ?? applied.rule.actTypes.find((one) => one !== '*') ?? USUAL,
    amount: null,
    at: `${on}T12:00:00.000Z`,
    on,
    counterparty: null,
    conditionsMet: [],
    place: null,
  };
  return !rules.factors(applied, act).some(({ code, value }) => DELEGATIONS.includes(code) && value === NO);
}

function lastDay(instrument: PowerInstrument | null, keys: readonly string[]): string | null {
  if (instrument === null) return null;
  const terms = instrument.groups.flatMap(({ members }) => members.filter(({ partyKey }) => keys.includes(partyKey)));
  const open = terms.length === 0 || terms.some(({ termUntil }) => termUntil === null);
  const term = open
    ? null
    : terms
        .map(({ termUntil }) => termUntil!)
        .sort()
        .at(-1)!;
  const ends = [instrument.validUntil, term].filter((day) => day !== null);
  return ends.sort()[0] ?? null;
}
