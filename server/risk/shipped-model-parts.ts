/** Factors and rules that the shipped models share. */
import type { RiskExpression, RiskFactor, RiskModel } from './model.ts';

type Scoring = Extract<RiskFactor['scoring'], { by: 'when' }>;

const absent = (fact: string): RiskExpression => ({ not: [{ exists: [{ fact }] }] });
const listed = (fact: string, list: string): RiskExpression => ({ in: [{ fact }, { list }] });

/** Whether a fact is known, and a list holds it: a fact that is not declared is not missing. */
export const isListed = (fact: string, list: string): RiskExpression => ({
  and: [{ exists: [{ fact }] }, listed(fact, list)],
});

/** Scores a country; a country that is not declared is scored like one about which little is known. */
export function countryScores(fact: string, other: number): Scoring {
  return {
    by: 'when',
    when: [
      { expr: absent(fact), score: 20 },
      { expr: listed(fact, 'high_risk_countries'), score: 100 },
      { expr: listed(fact, 'monitored_countries'), score: 70 },
      { expr: listed(fact, 'favoured_tax_countries'), score: 60 },
      { expr: { eq: [{ fact }, 'BR'] }, score: 10 },
    ],
    default: other,
  };
}

/** Scores a value by whether a list holds it; one that is not declared has a score of its own. */
export function listScores(
  fact: string,
  list: string,
  scores: Readonly<Record<'absent' | 'listed' | 'other', number>>,
): Scoring {
  return {
    by: 'when',
    when: [
      { expr: absent(fact), score: scores.absent },
      { expr: listed(fact, list), score: scores.listed },
    ],
    default: scores.other,
  };
}

/** Scores several values by whether a list holds any of them. */
export function anyListScores(
  fact: string,
  values: RiskExpression | string[],
  scores: Readonly<Record<'absent' | 'listed' | 'other', number>>,
): Scoring {
  return {
    by: 'when',
    when: [
      { expr: absent(fact), score: scores.absent },
      { expr: { any: [{ fact }, values] }, score: scores.listed },
    ],
    default: scores.other,
  };
}

export const CHANNEL: RiskFactor = {
  key: 'channel',
  label: 'Channel',
  category: 'channel',
  weight: 10,
  fact: 'channel',
  scoring: {
    by: 'lookup',
    lookup: [
      { match: 'branch', score: 10 },
      { match: ['web', 'mobile'], score: 30 },
      { match: 'api', score: 40 },
    ],
    default: 60,
  },
  rationale: 'Who is seen in person is harder to impersonate; a partner identifies on behalf of the institution.',
};

export const PRODUCTS: RiskFactor = {
  key: 'products',
  label: 'Products',
  category: 'product',
  weight: 10,
  fact: 'product.codes',
  scoring: anyListScores(
    'product.codes',
    { list: 'higher_risk_products' },
    {
      absent: 20,
      listed: 80,
      other: 20,
    },
  ),
  rationale: 'Products that move value abroad, in cash or in virtual assets are used more for laundering.',
};

export const SCREENING_STATE: RiskFactor = {
  key: 'screening',
  label: 'Screening',
  category: 'screening',
  weight: 15,
  fact: 'screening.state',
  scoring: {
    by: 'lookup',
    lookup: [
      { match: 'clear', score: 0 },
      { match: 'none', score: 30 },
      { match: 'open', score: 70 },
    ],
    default: 100,
  },
  rationale: 'A hit that nobody has decided about leaves open who the subject is; a confirmed one settles it.',
};

const isTrue = (fact: string): RiskExpression => ({ eq: [{ fact }, true] });

/** Rules about what screening has established. */
export const SCREENING_RULES: RiskModel['hardRules'] = [
  {
    key: 'sanction_confirmed',
    when: isTrue('screening.sanctionConfirmed'),
    effect: 'prohibit',
    reasonCode: 'sanctions_match',
  },
  {
    key: 'pep_confirmed',
    when: isTrue('screening.pepConfirmed'),
    effect: 'floor_high',
    reasonCode: 'pep_confirmed',
  },
  {
    key: 'hit_confirmed',
    when: isTrue('screening.otherConfirmed'),
    effect: 'floor_high',
    reasonCode: 'hit_confirmed',
  },
];

/** A customer of low risk is reviewed every two years, one of high risk every half-year. */
export const REVIEW_MONTHS: RiskModel['reviewMonths'] = { low: 24, medium: 12, high: 6 };
