import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import type { Application } from './words.ts';

/** The query of one application, so that an answer to a change can take its place. */
export function applicationQuery(applicationId: string) {
  return api.queryOptions('get', '/v1/applications/{applicationId}', { params: { path: { applicationId } } });
}

/** To be called with what a change has answered: the page shows it at once, and lists and histories are read anew. */
export function useChanged(): (application: Application) => void {
  const queries = useQueryClient();
  return (application) => {
    queries.setQueryData(applicationQuery(application.id).queryKey, application);
    queries.removeQueries({ queryKey: api.queryOptions('get', '/v1/applications').queryKey });
    queries.removeQueries({ queryKey: api.queryOptions('get', '/v1/audit/events').queryKey });
    void queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/applications/{applicationId}/timeline', { params: { path: { applicationId: application.id } } }).queryKey });
  };
}

/** To be called when a change has answered something else than the application, which is read anew. */
export function useReadAgain({ id }: Pick<Application, 'id'>): () => Promise<void> {
  const queries = useQueryClient();
  const changed = useChanged();
  return async () => changed(await queries.fetchQuery({ ...applicationQuery(id), staleTime: 0 }));
}

/** The precondition of a change: the version that was shown. */
export function matching({ version }: Pick<Application, 'version'>): { readonly 'If-Match': string } {
  return { 'If-Match': `"${version}"` };
}
