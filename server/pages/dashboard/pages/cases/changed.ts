import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import type { ReviewCase } from './case-words.ts';

/** Returns the query of one case, so that the answer to a change can replace its data. */
export function caseQuery(caseId: string) {
  return api.queryOptions('get', '/v1/cases/{caseId}', { params: { path: { caseId } } });
}

/** Queries of the lists that show cases. */
export const CASE_LISTS = [
  api.queryOptions('get', '/v1/cases').queryKey,
  api.queryOptions('get', '/v1/cases/summary').queryKey,
  api.queryOptions('get', '/v1/work').queryKey,
];

const ALERTS = api.queryOptions('get', '/v1/monitoring/alerts').queryKey;

/**
 * Returns a function that reads a case again after a change, and marks the lists that show it as out of date. A change
 * can have an effect on the application, its hits and its alerts, so these are read again when they are shown.
 */
export function useCaseChanged(): (caseId: string) => Promise<void> {
  const queries = useQueryClient();
  return async (caseId) => {
    for (const queryKey of [...CASE_LISTS, ALERTS]) void queries.invalidateQueries({ queryKey });
    await queries.fetchQuery({ ...caseQuery(caseId), staleTime: 0 });
  };
}

/** Returns the precondition of a change: the version that was shown. */
export function matching({ version }: Pick<ReviewCase, 'version'>): { readonly 'If-Match': string } {
  return { 'If-Match': `"${version}"` };
}
