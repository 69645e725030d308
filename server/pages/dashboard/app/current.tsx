import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { api, type Schemas } from './api.ts';
import type { OperationId } from './operation-id.ts';

export type CurrentUser = Schemas['CurrentUser'];

const CurrentContext = createContext<CurrentUser | null>(null);

export function CurrentProvider({ current, children }: { readonly current: CurrentUser; readonly children: ReactNode }) {
  return <CurrentContext value={current}>{children}</CurrentContext>;
}

/** Who is signed in, where, and what is open to them. */
export function useCurrent(): CurrentUser {
  const current = useContext(CurrentContext);
  if (current === null) throw new Error('nobody is signed in here');
  return current;
}

/** Whether the role of the signed-in person may call an operation: what it may not is not offered. */
export function useMay(): (operation: OperationId) => boolean {
  const { permissions } = useCurrent();
  return (operation) => permissions.includes(operation);
}

/** Reads again who is signed in and where, after something that may have changed it. */
export function useRefreshCurrent(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/auth/me').queryKey });
}
