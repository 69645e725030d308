import type { Server } from 'node:http';
import type { Logger } from './log.ts';

/** Stops accepting, lets running requests finish within the grace, then ends what is left. */
export async function drain(server: Server, graceMilliseconds: number, log: Logger): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  const overdue = setTimeout(() => {
    log.warn({}, 'requests were still running at the end of the grace period and have been ended');
    server.closeAllConnections();
  }, graceMilliseconds);
  await promise;
  clearTimeout(overdue);
}
