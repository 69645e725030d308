import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import type { Database } from './database/index.ts';
import { sweepFiles } from './groups/applications/index.ts';
import { purgeThrottle } from './groups/auth/index.ts';
import { AccessTokens } from './http/access-token.ts';
import { ApiKeys } from './http/api-keys.ts';
import { CredentialsStore } from './http/credentials-store.ts';
import { Credentials } from './http/credentials.ts';
import { Cursors } from './http/cursor.ts';
import { drain } from './http/drain.ts';
import type { Phase } from './http/edge.ts';
import { purgeExpired } from './http/idempotency-store.ts';
import { KeyUses } from './http/key-use.ts';
import type { Logger } from './http/log.ts';
import type { RuntimeContract } from './http/slim-contract.ts';
import { warmUp } from './http/warm-up.ts';
import { LocalDirectory } from './providers/files/index.ts';
import { Outbox, smtpMailer } from './providers/mail/index.ts';
import type { Secrets } from './secrets.ts';
import type { Services } from './services.ts';

export interface Running {
  readonly url: string;
  readonly port: number;
  readonly services: Services;
  /** Finishes what runs, then closes everything, the database included. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly database: Database;
  readonly log: Logger;
  readonly clock?: () => Date;
  /** Where the documentation build puts its files. */
  readonly documentsDir?: string;
  /** Work that must be done before the service calls itself ready. */
  readonly prepare?: (services: Services, url: string) => Promise<void>;
}

const HOUR = 3_600_000;
const ROOT = join(import.meta.dirname, '..');

/** Everything between an open database and a service that is ready: services, contract, server, warm-up. */
export async function startService(options: StartOptions): Promise<Running> {
  const { config, secrets, database, log, clock = () => new Date(), documentsDir = join(ROOT, 'docs/dist') } = options;
  const store = new CredentialsStore(database);
  const credentials = new Credentials(store, clock);
  const keyUses = new KeyUses(store, clock, log);
  // The port may be a free one, which is known only when the service listens.
  let origin = config.publicUrl ?? '';
  const services: Services = {
    config, secrets, database, credentials, clock, log,
    cursors: new Cursors(secrets.deriveKey('cursor-mac')),
    tokens: new AccessTokens(secrets, clock),
    apiKeys: new ApiKeys(credentials, secrets),
    files: await LocalDirectory.open(join(config.dataDir, 'files'), clock()),
    mail: new Outbox({ secrets, clock, origin: () => origin }),
    mailer: config.smtpUrl === null || config.mailFrom === null ? null : smtpMailer(config.smtpUrl, config.mailFrom),
  };
  let phase: Phase = 'starting';
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 10_000, requestTimeout: 120_000 },
    createApp({ services, contract: readContract(), onKeyUse: keyUses.record, phase: () => phase, documentsDir }));
  await listen(server, config.port, config.host);
  const { port } = server.address() as AddressInfo;
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  origin = config.publicUrl ?? url;
  try {
    await options.prepare?.(services, origin);
    await warmUp(url, () => Promise.all(Array.from({ length: config.databasePoolSize }, () => database.ping())));
  } catch (error) {
    await drain(server, 0, log);
    throw error;
  }
  phase = 'ready';
  // At the start, after a crash or a long rest, and hourly because all of it must first be old enough.
  const tidy = (): void => {
    void remove('files without a document', () => sweepFiles(database, services.files, clock()), log);
    void remove('expired idempotency records', () => purgeExpired(database), log);
    void remove('forgotten failures to sign in', () => purgeThrottle(database, clock()), log);
  };
  tidy();
  const tidying = setInterval(tidy, HOUR).unref();
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    phase = 'stopping';
    clearInterval(tidying);
    await drain(server, config.shutdownGraceSeconds * 1000, log);
    await keyUses.settled();
    services.mailer?.close();
    await database.close();
  };
  return { url, port, services, stop: () => (stopping ??= stop()) };
}

function readContract(): RuntimeContract {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'contract/generated/contract.runtime.json'), 'utf8')) as RuntimeContract;
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, host, resolve);
  await promise;
  server.removeListener('error', reject);
}

async function remove(what: string, work: () => Promise<number>, log: Logger): Promise<void> {
  try {
    const count = await work();
    if (count > 0) log.info({ count }, `${what} removed`);
  } catch (error) {
    log.warn({ err: error }, `${what} could not be removed`);
  }
}
