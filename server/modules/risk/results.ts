import type { components } from '../../contract/generated/types.ts';
import type { Transaction } from '../../database/index.ts';
import { addCompared, type Compared, type ComparisonTotals, levelCounts, noComparison } from '../../risk/compare.ts';
import { countCompared } from './compared-store.ts';

type Results = components['schemas']['RiskBacktestResults'];

interface Rest {
  /** Subjects that were erased since. */
  readonly erased: number;
  /** Number of days that the population spans. */
  readonly days: number;
}

/** Returns how the decision about an application ended, as far as a comparison counts it. */
export function decidedOf(status: string): 'approved' | 'rejected' | null {
  return status === 'approved' || status === 'rejected' ? status : null;
}

/** Returns the results of a comparison as they are shown. */
export function resultsOf(totals: ComparisonTotals, { erased, days }: Rest): Results {
  const { scored, unscorable, matrix, agreement } = totals;
  const { before, after } = levelCounts(totals);
  const share = ({ low }: Results['levelsBefore']): number => (scored === 0 ? 0 : round(low / scored));
  const cases = ({ high, prohibited }: Results['levelsBefore']): number => round((high + prohibited) / days);
  return {
    scored,
    unscorable,
    erased,
    levelsBefore: before,
    levelsAfter: after,
    matrix: LEVELS.flatMap((from) =>
      LEVELS.map((to) => ({ from, to, count: matrix[from][to] })).filter(({ count }) => count > 0),
    ),
    lowShare: { before: share(before), after: share(after) },
    casesPerDay: { before: cases(before), after: cases(after) },
    rejectedCaughtBefore: agreement.rejectedCaughtBefore,
    rejectedCaughtAfter: agreement.rejectedCaughtAfter,
    approvedNowHigh: agreement.approvedNowHigh,
  };
}

const LEVELS = ['low', 'medium', 'high', 'prohibited'] as const;
const DECIMALS = 10_000;
const round = (value: number): number => Math.round(value * DECIMALS) / DECIMALS;

/** Returns the results of a shadow run so far. */
export async function shadowResults(
  tx: Transaction,
  comparisonId: string,
): Promise<{ readonly results: Results; readonly total: number }> {
  const { counts, days } = await countCompared(tx, comparisonId);
  let totals = noComparison();
  for (const { from, to, status, count } of counts) {
    const compared: Compared = {
      unscorable: false,
      from,
      to,
      decided: decidedOf(status),
      topFactors: [],
    };
    for (let i = 0; i < count; i++) totals = addCompared(totals, compared);
  }
  return { results: resultsOf(totals, { erased: 0, days }), total: totals.scored };
}
