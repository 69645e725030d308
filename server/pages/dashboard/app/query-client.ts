import { QueryClient } from '@tanstack/react-query';
import { isProblem } from './problem.ts';
import { isReachable, onReachability } from './reachability.ts';
import { onSession, sessionState } from './session.ts';

/** Answers are kept while somebody looks around, and asked for again when they come back. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What was refused is refused again; what did not arrive may arrive.
      retry: (failures, error) => failures < 1 && !isProblem(error) && isReachable(),
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** When the service is back, what is on the screen is read again. */
onReachability(() => {
  if (isReachable()) void queryClient.invalidateQueries();
});

/** What one person has read is nothing for the next one at the same screen. */
onSession(() => {
  if (sessionState().status === 'signed-out') queryClient.clear();
});
