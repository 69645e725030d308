import { useCallback } from 'react';
import { api } from '../../core/api.ts';
import { useCurrent, useMay } from '../../core/current.tsx';

/**
 * Returns a function from the id of a member to their name. Roles that may not list members see the end of the id,
 * which still tells two people apart; everybody sees their own name.
 */
export function useMemberNames(): (id: string) => string {
  const { user } = useCurrent();
  const may = useMay();
  const { data } = api.useQuery(
    'get',
    '/v1/users',
    { params: { query: { limit: 100 } } },
    {
      enabled: may('listUsers'),
    },
  );
  const items = data?.items;
  return useCallback(
    (id) => (id === user.id ? user.name : (items?.find((member) => member.id === id)?.name ?? `…${id.slice(-6)}`)),
    [items, user.id, user.name],
  );
}
