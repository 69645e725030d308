import { once } from 'node:events';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { Database } from '../database/index.ts';
import type { Logger } from '../http/log.ts';
import { openAuthority, type DirectoryClientOptions } from '../providers/directory/index.ts';
import { Answering } from './answering.ts';
import { sandboxIspb } from './core/ids.ts';
import { send } from './sending.ts';
import { directoryRates, type DirectoryRates } from './wire/policies.ts';

export interface SimulatorOptions {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  /** Where its certificates are, in a folder of their own. */
  readonly dataDir: string;
  readonly rates?: Partial<DirectoryRates>;
  /** How slow a slow answer is; by default slower than a client waits. */
  readonly slowMilliseconds?: number;
}

/** Of a tenant: as whom its directory is asked, and how. */
export interface SandboxDirectory {
  readonly ispb: string;
  readonly client: DirectoryClientOptions;
}

export interface DirectorySimulator {
  readonly url: string;
  /** For a client that speaks for any number of tenants. */
  readonly client: DirectoryClientOptions;
  directoryFor(tenantId: string): SandboxDirectory;
  stop(): Promise<void>;
}

/**
 * The directory of the sandboxes: on a free port of the loopback interface, over mutual TLS, with the wire of the real one.
 * It keeps nothing, so any number of processes may run one over the same database.
 */
export async function startDirectorySimulator({ database, clock, log, dataDir, rates = {}, slowMilliseconds = 15_000 }: SimulatorOptions): Promise<DirectorySimulator> {
  const authority = await openAuthority(join(dataDir, 'directory'));
  const answering = new Answering({ database, clock, log, rates: { ...directoryRates, ...rates } });
  const stopping = new AbortController();
  const sending = { signer: authority.signer, clock, slowMilliseconds, signal: stopping.signal };
  const server = createServer({
    cert: authority.server.certificate, key: authority.server.key, ca: authority.certificate,
    requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2', keepAliveTimeout: 65_000,
  }, (request, response) => {
    answering.reply(request).then((reply) => send(request, response, reply, sending)).catch((error: unknown) => {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'the simulated directory could not answer');
      response.destroy();
    });
  });
  // Whoever has no certificate of this authority, or goes away in the middle, is nobody's concern here.
  server.on('tlsClientError', () => undefined);
  // It is there for its process and never keeps it.
  server.unref();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The simulated directory has no port');
  const url = `https://127.0.0.1:${address.port}/api/v2/`;
  const client: DirectoryClientOptions = { url, authorities: authority.certificate, signers: [authority.signer.certificate], identify: (ispb) => authority.client(ispb) };
  return {
    url,
    client,
    directoryFor: (tenantId) => ({ ispb: sandboxIspb(tenantId), client }),
    stop: async () => {
      stopping.abort();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
