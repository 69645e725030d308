/**
 * What to read again after a screening or a decision about a hit. Used by screen-now.ts and decide-dialog.tsx. A query
 * that is forgotten here shows old data.
 */
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../core/api.ts';

/** Queries that a screening, or a decision about a hit, may have changed. */
const ABOUT = [
  api.queryOptions('get', '/v1/screenings').queryKey,
  api.queryOptions('get', '/v1/screenings/allowlist').queryKey,
  api.queryOptions('get', '/v1/monitoring/alerts').queryKey,
  api.queryOptions('get', '/v1/monitoring/coverage').queryKey,
];

/** Returns a function that reloads everything that shows screenings or depends on them. */
export function useScreened(): (screeningId: string, applicationId: string | null) => Promise<void> {
  const queries = useQueryClient();
  return async (screeningId, applicationId) => {
    const keys = [
      ...ABOUT,
      api.queryOptions('get', '/v1/screenings/{screeningId}', { params: { path: { screeningId } } }).queryKey,
      ...(applicationId === null
        ? []
        : [
            api.queryOptions('get', '/v1/applications/{applicationId}', { params: { path: { applicationId } } })
              .queryKey,
          ]),
    ];
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
}
