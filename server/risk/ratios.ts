/** Ratios of two facts. Expressions compare and do not calculate, so a ratio is a fact of the catalogue. */
import type { FactGroup, Facts } from './facts.ts';

interface Ratio {
  readonly path: string;
  readonly of: string;
  readonly to: string;
  readonly description: string;
}

const SINCE = '2026-11-26';
const PER_ONE = 10_000;

const RATIOS: readonly Ratio[] = [
  {
    path: 'ratio.expectedVolumeToIncome',
    of: 'metadata.expectedMonthlyVolume',
    to: 'applicant.monthlyIncome',
    description:
      'The expected monthly volume of the products, divided by the monthly income. It exists if the settings declare ' +
      'the fact `metadata.expectedMonthlyVolume`, in reais, and both numbers are known.',
  },
  {
    path: 'ratio.expectedVolumeToRevenue',
    of: 'metadata.expectedMonthlyVolume',
    to: 'business.monthlyRevenue',
    description:
      'The expected monthly volume of the products, divided by the monthly revenue. It exists if the settings ' +
      'declare the fact `metadata.expectedMonthlyVolume`, in reais, and both numbers are known.',
  },
];

/** The ratios as facts of the catalogue. */
export const RATIO_GROUP: FactGroup = {
  source: 'ratio',
  facts: RATIOS.map(({ path, to, description }) => ({
    path,
    type: 'number',
    subjectTypes: [to.startsWith('business.') ? 'business' : 'individual'],
    description,
    pii: true,
    example: 1.5,
    availableSince: SINCE,
  })),
};

/** Adds the ratios of facts to them, with four decimals. A ratio to zero or less has no value. */
export function withRatios(facts: Facts): Facts {
  const ratios = RATIOS.map(({ path, of, to }) => {
    const [numerator, denominator] = [facts[of], facts[to]];
    const isKnown = typeof numerator === 'number' && typeof denominator === 'number' && denominator > 0;
    return [path, isKnown ? Math.round((numerator / denominator) * PER_ONE) / PER_ONE : null] as const;
  });
  return { ...facts, ...Object.fromEntries(ratios) };
}
