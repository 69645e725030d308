import { type Act, certain, type Certainty, NO, type Place, type PowerRule, UNKNOWN, YES } from './powers.ts';

/** Act of giving powers to somebody else. */
export const DELEGATE = 'delegate_powers';

/** How a rule bears on a type of acts. A rule with a limit covers delegation only if it names it. */
export function coverOf(
  { actTypes, excludeActTypes, maxAmount }: Pick<PowerRule, 'actTypes' | 'excludeActTypes' | 'maxAmount'>,
  type: string,
): 'covers' | 'excludes' | 'silent' {
  if (excludeActTypes.includes(type)) return 'excludes';
  if (actTypes.includes(type)) return 'covers';
  return actTypes.includes('*') && (type !== DELEGATE || maxAmount === null) ? 'covers' : 'silent';
}

/** A circumstance of an act that a rule limits, and whether the act is within it. */
export interface Limit {
  readonly code: 'amount_exceeds_limit' | 'currency_mismatch' | 'condition_not_met' | 'territory_not_covered';
  readonly value: Certainty;
}

/** Returns whether an act is within the limits of a rule, one by one. */
export function limitsOf(rule: PowerRule, act: Act, establishment: Place): Limit[] {
  return [
    amountLimit(rule, act),
    { code: 'condition_not_met', value: certain(areConditionsMet(rule, act)) },
    { code: 'territory_not_covered', value: territory(rule.territory, act.place ?? establishment) },
  ];
}

function amountLimit({ maxAmount }: PowerRule, { amount }: Act): Limit {
  const code = 'amount_exceeds_limit';
  if (maxAmount === null) return { code, value: YES };
  if (amount === null) return { code, value: UNKNOWN };
  if (amount.currency !== maxAmount.currency) return { code: 'currency_mismatch', value: NO };
  return { code, value: certain(amount.amount <= maxAmount.amount) };
}

/** Each condition needs a document of its own. */
function areConditionsMet({ conditions }: PowerRule, { conditionsMet }: Act): boolean {
  return conditions.every(({ kind }) => {
    const needed = conditions.filter((condition) => condition.kind === kind).length;
    const given = new Set(conditionsMet.filter((met) => met.kind === kind).map(({ documentId }) => documentId));
    return given.size >= needed;
  });
}

/** A territory is everywhere, a state, or a state and a city; what else it says, nobody can compare. */
function territory(text: string | null, { state, city }: Place): Certainty {
  if (text === null) return YES;
  const match = /^([A-Za-z]{2})(?:\/(.+))?$/.exec(text.trim());
  if (match === null || state === null) return UNKNOWN;
  const [, ownState, ownCity] = match;
  if (folded(ownState!) !== folded(state)) return NO;
  if (ownCity === undefined) return YES;
  return city === null ? UNKNOWN : certain(folded(ownCity) === folded(city));
}

function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase();
}
