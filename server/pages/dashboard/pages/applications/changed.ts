/**
 * What to read again after a change of an application or a company, and the precondition of a change. Used by every
 * part of their pages that changes something. A query that is forgotten here shows old data.
 */
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../core/api.ts';
import type { SubjectKind } from './subject.ts';
import type { Application } from './words.ts';

/** Returns the query of one application, so that the answer to a change can replace its data. */
export function applicationQuery(applicationId: string) {
  return api.queryOptions('get', '/v1/applications/{applicationId}', { params: { path: { applicationId } } });
}

/**
 * Returns a function that takes the answer to a change: the page shows the answer at once, and lists and histories are
 * reloaded.
 */
export function useChanged(): (application: Application) => void {
  const queries = useQueryClient();
  return (application) => {
    queries.setQueryData(applicationQuery(application.id).queryKey, application);
    queries.removeQueries({ queryKey: api.queryOptions('get', '/v1/applications').queryKey });
    queries.removeQueries({ queryKey: api.queryOptions('get', '/v1/audit/events').queryKey });
    void queries.invalidateQueries({
      queryKey: api.queryOptions('get', '/v1/applications/{applicationId}/timeline', {
        params: { path: { applicationId: application.id } },
      }).queryKey,
    });
  };
}

/**
 * Returns a function that reloads an application, unless another kind is named, after a change whose answer does not
 * contain it.
 */
export function useReadAgain({
  id,
  kind = 'application',
}: Pick<Application, 'id'> & { readonly kind?: SubjectKind }): () => Promise<void> {
  const queries = useQueryClient();
  const changed = useChanged();
  const businessChanged = useBusinessChanged();
  return async () =>
    kind === 'business'
      ? businessChanged()
      : changed(await queries.fetchQuery({ ...applicationQuery(id), staleTime: 0 }));
}

/** Returns a function that reloads everything that is shown of companies, because one change moves many parts. */
export function useBusinessChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    queries.removeQueries({ queryKey: api.queryOptions('get', '/v1/audit/events').queryKey });
    const [, businesses] = api.queryOptions('get', '/v1/businesses').queryKey;
    await queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith(businesses) });
  };
}

/** Returns the precondition of a change: the version that was shown. */
export function matching({ version }: Pick<Application, 'version'>): { readonly 'If-Match': string } {
  return { 'If-Match': `"${version}"` };
}
