/** Shows a query while it loads, fails or has data. Used by all pages that read something. */
import type { ReactNode } from 'react';
import { inLanguages, useWords } from '../core/language.ts';
import { Failure } from './notice.tsx';

/** The used part of a TanStack Query result. */
export interface QueryState<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

const words = inLanguages({ en: { loading: 'Loading…' }, pt: { loading: 'Carregando…' } });

/** Shows the data of a query, a loading state, or the error. Existing data stays if a refresh fails. */
export function Loaded<Data>({
  query,
  children,
}: {
  readonly query: QueryState<Data>;
  readonly children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error !== null) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return <Loading />;
}

export function Loading() {
  const t = useWords(words);
  return (
    <p className="loading" role="status">
      {t.loading}
    </p>
  );
}
