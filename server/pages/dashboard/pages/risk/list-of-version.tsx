import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../core/api.ts';
import { useMay } from '../../core/current.tsx';

/** Links to the reference list that has this version as its draft; to all lists until it is known. */
export function ListOfVersion({ versionId, children }: { readonly versionId: string; readonly children: ReactNode }) {
  const may = useMay();
  const lists = api.useQuery('get', '/v1/risk/lists', {}, { enabled: may('listReferenceLists') });
  const list = lists.data?.items.find(({ draft }) => draft?.id === versionId);
  return list === undefined ? (
    <Link to="/risk">{children}</Link>
  ) : (
    <Link to="/risk/lists/$listId" params={{ listId: list.id }}>
      {children}
    </Link>
  );
}
