import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from './log.ts';

/** Resolves with the port when the server accepts connections, and rejects when it cannot. */
export async function listen(server: Server, port: number, host: string, log: Logger): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, host, resolve);
  await promise;
  server.removeListener('error', reject);
  // Accepting may fail later, for want of file descriptors for example: that costs a connection, not the service.
  server.on('error', (error) => log.error({ err: error }, 'a connection could not be accepted'));
  return (server.address() as AddressInfo).port;
}
