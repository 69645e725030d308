import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The server cannot listen at this address; the message says why, and what to do. */
export class AddressUnavailable extends Error {
  override readonly name = 'AddressUnavailable';

  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    super(reasonOf(host, port, cause), { cause });
  }
}

function reasonOf(host: string, port: number, { code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE': return `Port ${port} of ${host} is taken by another program. Stop that, or set PORT to another port.`;
    case 'EACCES': return `This account may not listen on port ${port}. Set PORT to 1024 or higher.`;
    case 'EADDRNOTAVAIL': return `${host} is no address of this machine. Set HOST to one that is.`;
    case 'ENOTFOUND': case 'EAI_AGAIN': return `There is no host ${host}. Set HOST to a name or an address of this machine.`;
    default: return `Cannot listen on port ${port} of ${host}: ${message}`;
  }
}

/** How many connections the system may keep until they are accepted. What comes in a flood beyond waits a second or more for its next try. */
const BACKLOG = 4096;

/** Resolves with the port when the server accepts connections, and rejects when it cannot. */
export async function listen(server: Server, port: number, host: string, log: { error(fields: object, text: string): void }): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const refuse = (error: Error): void => { reject(new AddressUnavailable(host, port, error)); };
  server.once('error', refuse).listen({ port, host, backlog: BACKLOG }, resolve);
  await promise;
  server.removeListener('error', refuse);
  // Accepting may fail later, for want of file descriptors for example: that costs a connection, not the service.
  server.on('error', (error) => log.error({ err: error }, 'a connection could not be accepted'));
  return (server.address() as AddressInfo).port;
}
