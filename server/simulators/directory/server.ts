/**
 * HTTPS server of the simulated directory (DICT), the central bank's directory that a sandbox and tests call instead of
 * the real one.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Logger } from '../../base/log.ts';
import type { Database } from '../../database/index.ts';
import {
  buildProblem,
  buildXml,
  type DirectoryClientOptions,
  openAuthority,
  type Signer,
  signXml,
} from '../../providers/directory/index.ts';
import { type Reply, RequestAnswerer } from './answering.ts';
import { hour, iso, sandboxIspb } from './core/values.ts';
import { directoryRates, type DirectoryRates } from './wire/rate-limits.ts';
import { Refusal } from './wire/request.ts';

const compress = promisify(gzip);

interface SendingOptions {
  readonly signer: Signer;
  readonly clock: () => Date;
  readonly slowMilliseconds: number;
  readonly signal: AbortSignal;
}

/** Writes a reply as the directory does: signed, compressed if the client accepts it, and disturbed by armed faults. */
async function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  { signer, clock, slowMilliseconds, signal }: SendingOptions,
): Promise<void> {
  const { answer, disturbances } = reply;
  if (disturbances.has('slow')) await sleep(slowMilliseconds, undefined, { signal });
  const correlationId = randomBytes(16).toString('hex');
  const now = (reply.now ?? clock().getTime()) + (disturbances.has('clock_skew') ? hour : 0);
  const refused = answer instanceof Refusal;
  const signed = signXml(
    refused
      ? buildProblem({ ...answer.problem, correlationId })
      : buildXml(answer.root, { ResponseTime: iso(now), CorrelationId: correlationId, ...answer.content }),
    signer,
  );
  // Replaces the correlation id after signing, so that the signature is wrong.
  const xml = Buffer.from(
    disturbances.has('wrong_signature')
      ? signed.replace(correlationId, correlationId.split('').reverse().join(''))
      : signed,
  );
  const body = disturbances.has('truncated') ? xml.subarray(0, Math.floor(xml.length / 2)) : xml;
  const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  response.writeHead(refused ? answer.problem.status : 200, {
    'Content-Type': refused ? 'application/problem+xml' : 'application/xml',
    ...(zipped && { 'Content-Encoding': 'gzip' }),
    ...(refused && answer.retryAfterSeconds !== null && { 'Retry-After': String(answer.retryAfterSeconds) }),
  });
  response.end(zipped ? await compress(body) : body);
}

export interface SimulatorOptions {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  /** Folder of the certificates. */
  readonly dataDir: string;
  readonly rates?: Partial<DirectoryRates>;
  /** Delay of a slow answer. By default longer than a client waits. */
  readonly slowMilliseconds?: number;
}

/** Participant and connection options of a tenant's directory. */
interface SandboxDirectory {
  readonly ispb: string;
  readonly client: DirectoryClientOptions;
}

export interface DirectorySimulator {
  readonly url: string;
  /** Options of a client that acts for any number of tenants. */
  readonly client: DirectoryClientOptions;
  directoryFor(tenantId: string): SandboxDirectory;
  stop(): Promise<void>;
}

/**
 * Starts the directory of the sandboxes on a free port of the loopback interface, over mutual TLS, with the wire format
 * of the real one. It stores nothing, so any number of processes may run one over the same database.
 */
export async function startDirectorySimulator({
  database,
  clock,
  log,
  dataDir,
  rates = {},
  slowMilliseconds = 15_000,
}: SimulatorOptions): Promise<DirectorySimulator> {
  const authority = await openAuthority(join(dataDir, 'directory'));
  const answering = new RequestAnswerer({
    database,
    clock,
    log,
    rates: { ...directoryRates, ...rates },
  });
  const stopping = new AbortController();
  const sending = {
    signer: authority.signer,
    clock,
    slowMilliseconds,
    signal: stopping.signal,
  };
  const server = createServer(
    {
      cert: authority.server.certificate,
      key: authority.server.key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      keepAliveTimeout: 65_000,
    },
    (request, response) => {
      answering
        .reply(request)
        .then((reply) => sendReply(request, response, reply, sending))
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) log.warn({ err: error }, 'the simulated directory could not answer');
          response.destroy();
        });
    },
  );
  // Clients without a certificate of this authority, and clients that disconnect during the handshake, are ignored.
  server.on('tlsClientError', () => undefined);
  // Unref'd: the server does not keep the process alive.
  server.unref();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The simulated directory has no port');
  const url = `https://127.0.0.1:${address.port}/api/v2/`;
  const client: DirectoryClientOptions = {
    url,
    authorities: authority.certificate,
    signers: [authority.signer.certificate],
    identify: (ispb) => authority.client(ispb),
  };
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
