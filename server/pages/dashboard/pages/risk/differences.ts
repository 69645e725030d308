import { inLanguages, useWords } from '../../core/language.ts';
import { useExpressionText } from './expression-text.ts';
import { type Definition, type Factor, type HardRule, useRiskNames } from './risk-words.ts';

/** A member of a model that differs between two versions. Null is a member that one of them lacks. */
export interface Difference {
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
}

export const memberWords = inLanguages({
  en: {
    name: 'Name',
    medium: 'Medium from',
    high: 'High from',
    lowMonths: 'Review at low risk',
    mediumMonths: 'Review at medium risk',
    highMonths: 'Review at high risk',
    months: (count: number) => `${count} months`,
    policy: 'If a fact is missing',
    factor: 'Factor',
    rule: 'Rule',
    label: 'Name',
    category: 'Family',
    weight: 'Weight',
    fact: 'Fact',
    scoring: 'Scores',
    rationale: 'Rationale',
    when: 'Condition',
    effect: 'Effect',
    reason: 'Reason',
    order: 'Order',
  },
  pt: {
    name: 'Nome',
    medium: 'Médio a partir de',
    high: 'Alto a partir de',
    lowMonths: 'Revisão em risco baixo',
    mediumMonths: 'Revisão em risco médio',
    highMonths: 'Revisão em risco alto',
    months: (count: number) => `${count} meses`,
    policy: 'Se falta um fato',
    factor: 'Fator',
    rule: 'Regra',
    label: 'Nome',
    category: 'Família',
    weight: 'Peso',
    fact: 'Fato',
    scoring: 'Pontuação',
    rationale: 'Justificativa',
    when: 'Condição',
    effect: 'Efeito',
    reason: 'Motivo',
    order: 'Ordem',
  },
});

type Described = ReadonlyMap<string, string>;

/** Returns a function that lists what differs between two versions of a model, in words. */
export function useDifferences(): (before: Definition, after: Definition) => readonly Difference[] {
  const t = useWords(memberWords);
  const names = useRiskNames();
  const text = useExpressionText();
  const factor = ({ label, category, weight, fact, scoring, rationale }: Factor): Described =>
    new Map([
      [t.label, label],
      [t.category, names.categories[category]],
      [t.weight, String(weight)],
      [t.fact, fact],
      [t.scoring, text.scoring(scoring).join('; ')],
      [t.rationale, rationale],
    ]);
  const rule = ({ when, effect, reasonCode }: HardRule): Described =>
    new Map([
      [t.when, text.condition(when)],
      [t.effect, names.effects[effect]],
      [t.reason, reasonCode],
    ]);
  const head = ({ name, thresholds, reviewMonths, missingDataPolicy }: Definition): Described =>
    new Map([
      [t.name, name],
      [t.medium, String(thresholds.medium)],
      [t.high, String(thresholds.high)],
      [t.lowMonths, t.months(reviewMonths.low)],
      [t.mediumMonths, t.months(reviewMonths.medium)],
      [t.highMonths, t.months(reviewMonths.high)],
      [t.policy, names.policies[missingDataPolicy]],
    ]);
  return (before, after) => [
    ...changes(head(before), head(after), ''),
    ...listChanges(described(before.factors, factor), described(after.factors, factor), t.factor, t.order),
    ...listChanges(described(before.hardRules, rule), described(after.hardRules, rule), t.rule, t.order),
  ];
}

function described<Item extends { readonly key: string }>(
  items: readonly Item[],
  describe: (item: Item) => Described,
): ReadonlyMap<string, Described> {
  return new Map(items.map((item) => [item.key, describe(item)]));
}

function changes(before: Described, after: Described, about: string): readonly Difference[] {
  return [...after].flatMap(([member, text]) => {
    const was = before.get(member) ?? null;
    return was === text ? [] : [{ what: [about, member].filter(Boolean).join(': '), before: was, after: text }];
  });
}

/** Compares two lists by their keys: what is gone, what is new, what has changed, and whether the order has. */
function listChanges(
  before: ReadonlyMap<string, Described>,
  after: ReadonlyMap<string, Described>,
  noun: string,
  order: string,
): readonly Difference[] {
  const summary = (item: Described): string => [...item.values()].slice(0, 3).join(' · ');
  const gone = [...before].filter(([key]) => !after.has(key));
  const kept = (keys: ReadonlyMap<string, Described>, others: ReadonlyMap<string, Described>): string =>
    [...keys.keys()].filter((key) => others.has(key)).join(', ');
  const [orderBefore, orderAfter] = [kept(before, after), kept(after, before)];
  return [
    ...gone.map(([key, item]) => ({ what: `${noun} ${key}`, before: summary(item), after: null })),
    ...[...after].flatMap(([key, item]) => {
      const was = before.get(key);
      const about = `${noun} ${key}`;
      return was === undefined ? [{ what: about, before: null, after: summary(item) }] : changes(was, item, about);
    }),
    ...(orderBefore === orderAfter ? [] : [{ what: `${noun}: ${order}`, before: orderBefore, after: orderAfter }]),
  ];
}
