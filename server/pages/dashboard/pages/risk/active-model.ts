import { api } from '../../core/api.ts';
import { oneOf } from '../../core/search.ts';
import { SUBJECTS } from './risk-search.ts';
import type { Model, SubjectType } from './risk-words.ts';

/** Returns the active model for a kind of subject; undefined until it is read. */
export function useActiveModel(subjectType: SubjectType): Model | undefined {
  const known = oneOf(SUBJECTS, subjectType);
  const list = api.useQuery('get', '/v1/risk/models', {
    params: { query: { status: ['active'], limit: 1, ...(known !== undefined && { subjectType: known }) } },
  });
  const modelId = list.data?.items[0]?.id ?? '';
  const model = api.useQuery(
    'get',
    '/v1/risk/models/{modelId}',
    { params: { path: { modelId } } },
    { enabled: modelId !== '' },
  );
  return modelId === '' ? undefined : model.data;
}
