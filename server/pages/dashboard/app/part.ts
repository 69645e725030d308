import { answers, reportReachability, untilReachable } from './reachability.ts';

/**
 * A part of the dashboard that is loaded on demand. While the service is away it cannot come, so it is waited for: a router
 * or a `lazy` that sees one failure would show nothing else until the whole page is loaded again.
 */
export function part<Module>(load: () => Promise<Module>): () => Promise<Module> {
  const arrival = async (): Promise<Module> => {
    try {
      return await load();
    } catch (error) {
      // What is missing although the service answers was replaced by a newer release.
      if (await answers()) throw error;
      reportReachability(false);
      await untilReachable();
      return arrival();
    }
  };
  return arrival;
}
