import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../core/api.ts';

/** The first parts of the keys of all queries about risk; what they begin with is any record of that kind. */
const ABOUT = [
  api.queryOptions('get', '/v1/risk/models').queryKey,
  api.queryOptions('get', '/v1/risk/models/{modelId}', { params: { path: { modelId: '' } } }).queryKey,
  api.queryOptions('get', '/v1/risk/models/{modelId}/backtests', { params: { path: { modelId: '' } } }).queryKey,
  api.queryOptions('get', '/v1/risk/backtests/{backtestId}', { params: { path: { backtestId: '' } } }).queryKey,
  api.queryOptions('get', '/v1/risk/lists').queryKey,
  api.queryOptions('get', '/v1/risk/lists/{listId}', { params: { path: { listId: '' } } }).queryKey,
  api.queryOptions('get', '/v1/risk/assessments').queryKey,
  api.queryOptions('get', '/v1/risk/assessments/{assessmentId}', { params: { path: { assessmentId: '' } } }).queryKey,
  api.queryOptions('get', '/v1/work').queryKey,
].map(([method, path]) => [method, path]);

/** Returns a function that reads everything about risk again that a page shows, after a change. */
export function useRiskChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all(ABOUT.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
}
