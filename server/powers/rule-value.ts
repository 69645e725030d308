import { coverOf, DELEGATE, limitsOf } from './covers.ts';
import { satisfied, type Way, waysOf } from './formula.ts';
import { type Force, forceOf, isConfirmed, isConstitutive } from './in-force.ts';
import type { People } from './people.ts';
import {
  type Act,
  certain,
  type Certainty,
  greatest,
  least,
  type Moment,
  NO,
  type PowerInstrument,
  type PowerRule,
  type PowersOnFile,
  UNKNOWN,
  YES,
} from './powers.ts';

/** What speaks against a rule, whoever signs. */
export interface Factor {
  readonly code: string;
  readonly value: Certainty;
}

/** A rule of an instrument, or the rule of the law, for which there is no instrument. */
export interface AppliedRule {
  readonly instrument: PowerInstrument | null;
  readonly rule: PowerRule;
  readonly ways: readonly Way[];
}

/** A rule with what it is worth whoever signs. */
export interface WeighedRule extends AppliedRule {
  readonly factors: readonly Factor[];
  readonly worth: Certainty;
}

/** Powers of attorney that may be drawn from each other. */
const LONGEST_CHAIN = 5;
/**
 * Legal forms for which the law lets each administrator act alone where the articles are silent (Civil Code, 1.013).
 */
const DEFAULT_FORMS = ['ltda', 'slu'];
const NOT_BY_DEFAULT = 'sell_real_estate';
const COMPANY_LEVEL_EXCEPT = 'power_of_attorney';

const FORCE_CODE: Readonly<Record<Exclude<Force, 'confirmed'>, string>> = {
  unconfirmed: 'instrument_unconfirmed',
  suspended: 'instrument_suspended',
  expired: 'instrument_expired',
  not_yet: 'instrument_expired',
  revoked: 'instrument_revoked',
  superseded: 'instrument_expired',
};

/** Rule of the law: each administrator alone. */
const DEFAULT_RULE: PowerRule = {
  key: 'statutory_default',
  actTypes: ['*'],
  excludeActTypes: [NOT_BY_DEFAULT],
  maxAmount: null,
  formula: { role: 'administrator' },
  conditions: [],
  canDelegate: true,
  territory: null,
};

/** Applies the rules on file to one act. */
export class Rules {
  readonly #file: PowersOnFile;
  readonly #people: People;
  readonly #ways = new Map<PowerRule, readonly Way[]>();

  constructor(file: PowersOnFile, people: People) {
    this.#file = file;
    this.#people = people;
  }

  /** Returns all rules on file, and the rule of the law where it applies to a type of acts. */
  all(type: string, moment: Moment): AppliedRule[] {
    return [
      ...this.#file.instruments.flatMap((instrument) =>
        instrument.rules.map((rule) => ({ instrument, rule, ways: this.waysOf(rule) })),
      ),
      ...(this.hasDefault(type, moment)
        ? [{ instrument: null, rule: DEFAULT_RULE, ways: this.waysOf(DEFAULT_RULE) }]
        : []),
    ];
  }

  waysOf(rule: PowerRule): readonly Way[] {
    const ways = this.#ways.get(rule) ?? waysOf(rule.formula);
    this.#ways.set(rule, ways);
    return ways;
  }

  /**
   * Tells whether the rule of the law applies: in a limited company, where no confirmed instrument of the company in
   * force says anything about the type of acts, and its articles are confirmed or not on file at all.
   */
  hasDefault(type: string, moment: Moment): boolean {
    const { business, instruments } = this.#file;
    if (!DEFAULT_FORMS.includes(business.legalForm) || type === NOT_BY_DEFAULT) return false;
    const constitutive = instruments.filter(isConstitutive);
    if (constitutive.length > 0 && !constitutive.some(isConfirmed)) return false;
    return !instruments.some(
      (instrument) =>
        instrument.type !== COMPANY_LEVEL_EXCEPT &&
        forceOf(instrument, moment, instruments) === 'confirmed' &&
        instrument.rules.some((rule) => coverOf(rule, type) !== 'silent'),
    );
  }

  /** Returns what a rule is worth for an act, whoever signs, factor by factor. */
  factors({ instrument, rule }: AppliedRule, act: Act): Factor[] {
    const cover = coverOf(rule, act.type);
    return [
      ...(instrument === null ? [] : [this.#force(instrument, { on: act.on, at: act.at })]),
      { code: cover === 'excludes' ? 'act_excluded' : 'act_not_covered', value: certain(cover === 'covers') },
      ...limitsOf(rule, act, this.#file.business.establishment),
      ...(instrument?.type === 'power_of_attorney' ? [this.#delegation(instrument, act, [])] : []),
    ];
  }

  #force(instrument: PowerInstrument, moment: Moment): Factor {
    const force = forceOf(instrument, moment, this.#file.instruments);
    if (force === 'confirmed') return { code: 'instrument_expired', value: YES };
    return {
      code: FORCE_CODE[force],
      value: force === 'unconfirmed' || force === 'suspended' ? UNKNOWN : NO,
    };
  }

  /**
   * Tells whether the grantors of a power of attorney could give it: on the day of the grant, they could delegate and
   * do the act themselves, by the instrument that it is drawn from. One that is drawn from another falls with it.
   */
  #delegation(instrument: PowerInstrument, act: Act, chain: readonly string[]): Factor {
    if (chain.includes(instrument.id)) return { code: 'delegation_cycle', value: NO };
    if (chain.length >= LONGEST_CHAIN) return { code: 'delegation_not_permitted', value: NO };
    const grantor = this.#file.instruments.find(({ id }) => id === instrument.grantorInstrumentId);
    const lacking = 'grantor_lacked_power';
    if (grantor === undefined) return { code: lacking, value: UNKNOWN };
    const moment: Moment = { on: instrument.grantedOn ?? instrument.validFrom, at: null };
    const rules = this.#rulesOf(grantor, act, moment);
    const { establishment } = this.#file.business;
    const value = (rule: PowerRule): Certainty =>
      least(
        certain(coverOf(rule, act.type) === 'covers' && this.#isGranted(grantor, rule, instrument, moment)),
        ...limitsOf(rule, act, establishment).map((limit) => limit.value),
      );
    const mayDelegate = certain(
      rules.some((rule) => coverOf(rule, DELEGATE) === 'covers' && this.#isGranted(grantor, rule, instrument, moment)),
    );
    const base = this.#force(grantor, moment).value;
    const allowed = greatest(rules.filter(({ canDelegate }) => canDelegate).map(value));
    const above = grantor.type === 'power_of_attorney' ? this.#above(grantor, act, [...chain, instrument.id]) : null;
    if (above !== null && above.value === NO) return above;
    const result = least(base, mayDelegate, allowed, above?.value ?? YES);
    const wasOnlyForbidden = greatest(rules.map(value)) > allowed && mayDelegate === YES && base === YES;
    return { code: wasOnlyForbidden ? 'delegation_not_permitted' : lacking, value: result };
  }

  #above(grantor: PowerInstrument, act: Act, chain: readonly string[]): Factor {
    const force = this.#force(grantor, { on: act.on, at: act.at });
    const delegation = this.#delegation(grantor, act, chain);
    return force.value <= delegation.value ? force : delegation;
  }

  /** Rules of an instrument, with the rule of the law if the instrument is the company's own and is silent. */
  #rulesOf(grantor: PowerInstrument, act: Act, moment: Moment): readonly PowerRule[] {
    if (grantor.type === COMPANY_LEVEL_EXCEPT) return grantor.rules;
    const silent = [act.type, DELEGATE].filter((type) => this.hasDefault(type, moment));
    return silent.length === 0 ? grantor.rules : [...grantor.rules, { ...DEFAULT_RULE, actTypes: silent }];
  }

  /** Tells whether those who granted a power satisfied a rule on that day. */
  #isGranted(grantor: PowerInstrument, rule: PowerRule, { grantedBy }: PowerInstrument, { on }: Moment): boolean {
    const persons = new Set(grantedBy.flatMap((partyKey) => this.#people.find({ partyKey }) ?? []));
    return satisfied(this.waysOf(rule), persons, this.#people.candidates(grantor, on)) !== null;
  }
}
