/**
 * The cache of everything that was read from the API. Given to the application by main.tsx. It is cleared at sign-out,
 * or the next user of the browser would see data of the last.
 */
import { QueryClient } from '@tanstack/react-query';
import { isProblem } from './problem.ts';
import { isReachable, onReachability } from './reachability.ts';
import { onSession, sessionState } from './session.ts';

/** Client of all queries. Answers are cached while the user navigates and refreshed on return. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refused request is not retried; a request without an answer is.
      retry: (failures, error) => failures < 1 && !isProblem(error) && isReachable(),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** Reloads the data on the screen when the service is reachable again. */
onReachability(() => {
  if (isReachable()) void queryClient.invalidateQueries();
});

/** Clears the cache at sign-out, because the next user of the browser must not see it. */
onSession(() => {
  if (sessionState().status === 'signed-out') queryClient.clear();
});
