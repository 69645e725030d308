import { oneOf } from '../../core/search.ts';
import { type Level, LEVELS, type Status, type SubjectType } from './risk-words.ts';

export const SUBJECTS = ['individual', 'business'] as const satisfies readonly SubjectType[];
export const STATUSES = ['draft', 'pending_activation', 'active', 'retired'] as const satisfies readonly Status[];

/** State of the page of risk models in the URL: which models it lists. */
export interface RiskSearch {
  readonly subject?: SubjectType | undefined;
  readonly status?: Status | undefined;
}

export function riskSearch(search: Readonly<Record<string, unknown>>): RiskSearch {
  return { subject: oneOf(SUBJECTS, search['subject']), status: oneOf(STATUSES, search['status']) };
}

/** State of the page of a backtest in the URL: which moves from one level to another it lists. */
export interface BacktestSearch {
  readonly from?: Level | undefined;
  readonly to?: Level | undefined;
}

export function backtestSearch(search: Readonly<Record<string, unknown>>): BacktestSearch {
  return { from: oneOf(LEVELS, search['from']), to: oneOf(LEVELS, search['to']) };
}
