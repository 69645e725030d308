/**
 * Who is signed in, and what their role may do. Provided by shell.tsx; used by most pages. `useMay` only decides what
 * is offered: the service checks every call again.
 */
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { api, type Schemas } from './api.ts';
import type { OperationId } from './operation-id.ts';

export type CurrentUser = Schemas['CurrentUser'];

const CurrentContext = createContext<CurrentUser | null>(null);

export function CurrentProvider({
  current,
  children,
}: {
  readonly current: CurrentUser;
  readonly children: ReactNode;
}) {
  return <CurrentContext value={current}>{children}</CurrentContext>;
}

/** Returns the signed-in user, tenant, environment and permissions. */
export function useCurrent(): CurrentUser {
  const current = useContext(CurrentContext);
  if (current === null) throw new Error('useCurrent needs a CurrentContext with a signed-in user');
  return current;
}

/**
 * Returns whether the role of the signed-in user may call an operation. Operations that it may not call are not
 * offered.
 */
export function useMay(): (operation: OperationId) => boolean {
  const { permissions } = useCurrent();
  return (operation) => permissions.includes(operation);
}

/** Reloads the signed-in user and tenant after something that may have changed them. */
export function useRefreshCurrent(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/auth/me').queryKey });
}
