import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { openDataDir, rememberOrigin } from './data-dir.ts';
import type { Database } from './database/index.ts';
import { sandboxRates, startDirectorySimulator } from './directory-simulator/index.ts';
import { followDirectory } from './follow-directory.ts';
import { Inspector } from './groups/applications/index.ts';
import { AuditAlarm } from './groups/audit/index.ts';
import { FeedAlarm } from './groups/funds-recovery/index.ts';
import { AccessTokens } from './http/access-token.ts';
import { ApiKeys } from './http/api-keys.ts';
import { Connections } from './http/connections.ts';
import { CredentialsStore } from './http/credentials-store.ts';
import { Credentials } from './http/credentials.ts';
import { Cursors } from './http/cursor.ts';
import { drain } from './http/drain.ts';
import type { Phase } from './http/edge.ts';
import { FailedAuthentications } from './http/failed-authentications.ts';
import { KeyUseStore } from './http/key-use-store.ts';
import { KeyUses } from './http/key-use.ts';
import { listen } from './http/listen.ts';
import type { Logger } from './http/log.ts';
import { ProcessAlarm } from './http/process-alarm.ts';
import { httpServer } from './http/server.ts';
import type { RuntimeContract } from './http/slim-contract.ts';
import { warmUp } from './http/warm-up.ts';
import { JobMetrics, jobs, Scheduler } from './jobs/index.ts';
import { LocalDirectory } from './providers/files/index.ts';
import { Outbox, smtpMailer } from './providers/mail/index.ts';
import type { Secrets } from './secrets.ts';
import type { Services } from './services.ts';
import type { Standby } from './standby.ts';

export interface Running {
  readonly url: string;
  readonly port: number;
  readonly services: Services;
  /** One round of a periodic job now; how much it did, or null when another process is at it. */
  runJob(name: string): Promise<number | null>;
  /** Writes down the uses of keys that are only counted so far. */
  recordKeyUses(): Promise<void>;
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
  /** For a service that takes the place of another one. */
  readonly standby?: Standby;
}

const ROOT = join(import.meta.dirname, '..');

/** Everything between an open database and a service that is ready: services, contract, server, warm-up. */
export async function startService(options: StartOptions): Promise<Running> {
  const { config, secrets, database, log, clock = () => new Date(), documentsDir = join(ROOT, 'docs/dist'), standby } = options;
  openDataDir(config.dataDir);
  const store = new CredentialsStore(database);
  const credentials = new Credentials(store, clock, () => changes.isCurrent());
  const changes = database.listen({ onChange: (message) => credentials.heard(message), onGap: () => credentials.forgetAll() });
  const keyUses = new KeyUses(new KeyUseStore(database), clock, log);
  const metricsRegistry = new Registry();
  // The port may be a free one, which is known only when the service listens.
  let origin = config.publicUrl ?? '';
  const failures = new FailedAuthentications(config.rateLimits.failedAuthentications, clock);
  const directorySimulator = config.directorySimulator ? await startDirectorySimulator({ database, clock, log, dataDir: config.dataDir, rates: sandboxRates }) : null;
  const following = await followDirectory({ config, database, log, clock, metricsRegistry, simulator: directorySimulator });
  const services: Services = {
    config, secrets, database, credentials, clock, log,
    cursors: new Cursors(secrets.deriveKey('cursor-mac')),
    tokens: new AccessTokens(secrets, clock),
    apiKeys: new ApiKeys(credentials, secrets, failures), failures,
    files: await LocalDirectory.open(join(config.dataDir, 'files'), clock()), inspector: new Inspector(),
    mail: new Outbox({ secrets, clock, origin: () => origin }),
    mailer: config.smtpUrl === null || config.mailFrom === null ? null : smtpMailer(config.smtpUrl, config.mailFrom),
    auditAlarm: new AuditAlarm(metricsRegistry, log),
    feedAlarm: new FeedAlarm(metricsRegistry, log, clock),
    directorySimulator, ingestion: following.ingestion,
  };
  let phase: Phase = 'starting';
  const contract = await standby?.contract() ?? readContract();
  const connections = new Connections({ connections: config.maxConnections, windowMilliseconds: config.slowClientSeconds * 1000 }, metricsRegistry);
  const app = createApp({ services, contract, metricsRegistry, connections, keyActivity: keyUses, phase: () => phase, documentsDir });
  const server = httpServer(app, connections, metricsRegistry, log);
  await standby?.address();
  const port = await listen(server, config.port, config.host, log);
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  origin = config.publicUrl ?? url;
  rememberOrigin(config.dataDir, origin);
  try {
    await options.prepare?.(services, origin);
    // Whoever replaces a running service has had the time to warm up before.
    if (standby === undefined) await warmUp(url, () => Promise.all(Array.from({ length: config.databasePoolSize }, () => database.ping())));
    failures.forget();
  } catch (error) {
    await drain(server, 0, log);
    await following.stop();
    await directorySimulator?.stop();
    throw error;
  }
  phase = 'ready';
  const processAlarm = new ProcessAlarm(metricsRegistry, log, config.memoryAlarmMebibytes);
  const scheduler = new Scheduler(services, jobs, new JobMetrics(metricsRegistry));
  if (config.jobs) {
    scheduler.start();
    following.ingestion.start();
  }
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    phase = 'stopping';
    const working = scheduler.stop();
    await drain(server, config.shutdownGraceSeconds * 1000, log);
    await Promise.all([keyUses.settle(), working]);
    services.inspector.close();
    services.mailer?.close();
    await following.stop();
    await directorySimulator?.stop();
    await database.close();
    processAlarm.stop();
  };
  return { url, port, services, runJob: (name) => scheduler.run(name), recordKeyUses: () => keyUses.settle(), stop: () => (stopping ??= stop()) };
}

function readContract(): RuntimeContract {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'contract/generated/contract.runtime.json'), 'utf8')) as RuntimeContract;
}
