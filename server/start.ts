/**
 * This file assembles the service: from an open database it creates the services, the HTTP server, the periodic jobs
 * and the worker of tasks, warms them up, and stops them in reverse order. Used by run.ts, tests and tools. What is
 * started here and not stopped keeps the process alive.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { createApp } from './app.ts';
import { AuditAlarm } from './audit/alarm.ts';
import type { Config } from './base/config.ts';
import { openDataDir, rememberOrigin } from './base/data-directory.ts';
import { FairQueue } from './base/fair-queue.ts';
import type { Logger } from './base/log.ts';
import { ProcessAlarm } from './base/process-alarm.ts';
import type { Secrets } from './base/secrets.ts';
import type { RuntimeContract } from './contract/pruned-contract.ts';
import type { Database } from './database/index.ts';
// Imported for its table: all tables must be defined before a database is opened, because its roles get the rights that
// they declare.
import './demo/store.ts';
import { followDirectory } from './follow-directory.ts';
import { AccessTokens } from './identity/access-token.ts';
import { ApiKeyVerifier, CredentialCache } from './identity/credential-cache.ts';
import { KeyUsageStore } from './identity/key-usage-store.ts';
import { KeyUsageRecorder } from './identity/key-usage.ts';
import { FailedAuthenticationLimiter } from './identity/rate-limit.ts';
import { CredentialStore } from './identity/store.ts';
import { Inspector } from './modules/documents/index.ts';
import { MonitoredSubjects, MonitoringAlarm } from './modules/monitoring/index.ts';
import { checkFeedMarker, FeedAlarm } from './modules/recovery-feed/index.ts';
import { type EstimateLimits, LineEstimator, ListAlarm, LoadedLists } from './modules/screenings/index.ts';
import { registerListeners } from './modules/subject-events/index.ts';
import { installShippedLists, ListFetcher, readListSources } from './modules/watch-lists/index.ts';
import { WorkArrivals } from './modules/workflows/index.ts';
import { listeners, taskKinds } from './modules.ts';
import { jobs } from './periodic-jobs.ts';
import { LocalDirectory } from './providers/files/index.ts';
import { Outbox, smtpMailer } from './providers/mail/index.ts';
import { OwnFaceReader, PictureReaders, readConnectors, readRoots } from './providers/verification/index.ts';
import { ConnectionRegistry } from './request/connections.ts';
import type { ServicePhase } from './request/lifecycle.ts';
import { Cursors } from './request/pagination.ts';
import { createHttpServer, drainServer, listen } from './request/server.ts';
import type { AppServices } from './services.ts';
import { sandboxRates, startDirectorySimulator } from './simulators/directory/index.ts';
import { JobMetrics } from './tasks/job.ts';
import { Scheduler } from './tasks/scheduler.ts';
import { TaskWorker } from './tasks/worker.ts';
import { warmUp } from './warm-up.ts';

/** Events that a service waits for if it replaces a running one, as `make dev` does when a file changes. */
export interface Standby {
  /** Called when all modules are loaded and the database is open. Resolves with the contract to enforce. */
  contract(): Promise<RuntimeContract>;
  /** Called when the contract can be enforced. Resolves when the address is free. */
  address(): Promise<void>;
  /**
   * Tells whether the service takes over the address of another one, which has already printed the banner and seeded
   * the demo.
   */
  isSuccessor(): boolean;
}

export interface RunningService {
  readonly url: string;
  readonly port: number;
  readonly services: AppServices;
  /**
   * Runs a periodic job once, now. Returns the number of processed items, or null if another process is running the
   * job.
   */
  runJob(name: string): Promise<number | null>;
  /** Runs the background tasks that are due now. */
  runTasks(): Promise<void>;
  /** Writes the uses of API keys that are so far counted only in memory to the database. */
  recordKeyUses(): Promise<void>;
  /** Finishes running requests and jobs, then closes everything, the database included. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly database: Database;
  readonly log: Logger;
  readonly clock?: () => Date;
  /** Folder into which the documentation build writes. */
  readonly documentsDir?: string;
  /** Work that must be done before the service reports ready. */
  readonly prepare?: (services: AppServices, url: string) => Promise<void>;
  /** Whether to warm up, so that the first requests are as fast as later ones. */
  readonly warm?: boolean;
  /** Set for a service that replaces another one. */
  readonly standby?: Standby;
  /** Inspector of uploaded files, closed with the service; by default one of its own. */
  readonly inspector?: Inspector;
  /** How many names an estimate of lines tries; by default as many as its figures need. */
  readonly estimateLimits?: EstimateLimits;
}

const ROOT = join(import.meta.dirname, '..');

/** Starts the service on an open database: services, contract, server, warm-up. */
export async function startService(options: StartOptions): Promise<RunningService> {
  const {
    config,
    secrets,
    database,
    log,
    clock = () => new Date(),
    documentsDir = join(ROOT, 'docs/dist'),
    standby,
    warm = true,
    inspector = new Inspector(),
    estimateLimits,
  } = options;
  openDataDir(config.dataDir);
  registerListeners(listeners);
  const store = new CredentialStore(database);
  const credentials = new CredentialCache(store, clock, () => changes.isCurrent());
  const workArrivals = new WorkArrivals();
  const changes = database.listen({
    onChange: (message) => {
      if (!workArrivals.isAnnouncedBy(message)) credentials.applyChange(message);
    },
    onGap: () => {
      credentials.forgetAll();
      workArrivals.announceAll();
    },
  });
  const keyUses = new KeyUsageRecorder(new KeyUsageStore(database), clock, log);
  const metricsRegistry = new Registry();
  // With port 0 the operating system chooses a free port, which is known only once the service listens.
  let origin = config.publicUrl ?? '';
  const failures = new FailedAuthenticationLimiter(config.rateLimits.failedAuthentications, clock);
  const directorySimulator = config.directorySimulator
    ? await startDirectorySimulator({
        database,
        clock,
        log,
        dataDir: config.dataDir,
        rates: sandboxRates,
      })
    : null;
  const following = await followDirectory({
    config,
    database,
    log,
    clock,
    metricsRegistry,
    simulator: directorySimulator,
  });
  const fairQueue = new FairQueue(Math.max(3, availableParallelism() + 1));
  const watchLists = new LoadedLists({
    database,
    folder: join(config.dataDir, 'indexes'),
    log,
    fairQueue,
  });
  const readers = { isOn: config.verification === 'on', folder: join(ROOT, 'build/verification') };
  const services: AppServices = {
    config,
    secrets,
    database,
    credentials,
    clock,
    log,
    cursors: new Cursors(secrets.deriveKey('cursor-mac')),
    tokens: new AccessTokens(secrets, clock),
    apiKeys: new ApiKeyVerifier(credentials, secrets, failures),
    failures,
    files: await LocalDirectory.open(join(config.dataDir, 'files'), clock()),
    inspector,
    verificationProviders: {
      pictureReader: new PictureReaders(readers),
      faceReader: new OwnFaceReader(readers),
      roots: config.verificationRoots === null ? [] : await readRoots(config.verificationRoots),
      connectors: config.verificationConnector === null ? [] : await readConnectors(config.verificationConnector),
    },
    lineEstimator: new LineEstimator({
      database,
      lists: watchLists,
      log,
      clock,
      limits: estimateLimits,
    }),
    listAlarm: new ListAlarm(metricsRegistry, log, clock),
    monitoringAlarm: new MonitoringAlarm(metricsRegistry, log, clock),
    listFetcher: new ListFetcher({
      database,
      sources: config.watchLists === null ? [] : await readListSources(config.watchLists),
      log,
      metricsRegistry,
    }),
    watchLists,
    fairQueue,
    monitored: new MonitoredSubjects(watchLists.engine, database),
    mail: new Outbox({ secrets, clock, origin: () => origin }),
    mailer: config.smtpUrl === null || config.mailFrom === null ? null : smtpMailer(config.smtpUrl, config.mailFrom),
    auditAlarm: new AuditAlarm(metricsRegistry, log),
    feedAlarm: new FeedAlarm(metricsRegistry, log, clock),
    directorySimulator,
    ingestion: following.ingestion,
    workArrivals,
  };
  let phase: ServicePhase = 'starting';
  const contract = (await standby?.contract()) ?? readContract();
  const connections = new ConnectionRegistry(
    { connections: config.maxConnections, windowMilliseconds: config.slowClientSeconds * 1000 },
    metricsRegistry,
  );
  const app = createApp({
    services,
    contract,
    metricsRegistry,
    connections,
    keyActivity: keyUses,
    phase: () => phase,
    documentsDir,
    dashboardDir: join(ROOT, 'build/dashboard'),
  });
  const server = createHttpServer(app, { connections, registry: metricsRegistry, log });
  await standby?.address();
  const port = await listen(server, config.port, config.host, log);
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  origin = config.publicUrl ?? url;
  rememberOrigin(config.dataDir, origin);
  try {
    await installShippedLists(database, clock());
    await checkFeedMarker({ database, log, dataDir: config.dataDir }, AbortSignal.timeout(60_000));
    await options.prepare?.(services, origin);
    // A service that replaces a running one was prepared before (`Standby`), and its address is not served meanwhile,
    // so it starts without warm-up requests.
    if (warm) await Promise.all([services.watchLists.warm('live'), services.watchLists.warm('sandbox')]);
    if (warm && standby === undefined)
      await warmUp(url, () => Promise.all(Array.from({ length: config.databasePoolSize }, () => database.ping())));
    failures.reset();
  } catch (error) {
    await drainServer(server, 0, log);
    await following.stop();
    await directorySimulator?.stop();
    throw error;
  }
  phase = 'ready';
  const processAlarm = new ProcessAlarm(metricsRegistry, log, config.memoryAlarmMebibytes);
  const scheduler = new Scheduler(services, jobs, new JobMetrics(metricsRegistry));
  const tasks = new TaskWorker<AppServices>(services, taskKinds, metricsRegistry, { fairQueue: services.fairQueue });
  if (config.jobs) {
    scheduler.start();
    tasks.start();
    following.ingestion.start();
  }
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    phase = 'stopping';
    workArrivals.close();
    const working = Promise.all([scheduler.stop(), tasks.stop()]);
    await drainServer(server, config.shutdownGraceSeconds * 1000, log);
    await Promise.all([keyUses.flush(), working]);
    services.inspector.close();
    services.verificationProviders.pictureReader.close();
    services.verificationProviders.faceReader.close();
    await services.lineEstimator.stop();
    await services.watchLists.stop();
    services.mailer?.close();
    await following.stop();
    await directorySimulator?.stop();
    await database.close();
    processAlarm.stop();
  };
  return {
    url,
    port,
    services,
    runJob: (name) => scheduler.run(name),
    runTasks: () => tasks.runDue(),
    recordKeyUses: () => keyUses.flush(),
    stop: () => (stopping ??= stop()),
  };
}

let contractRead: RuntimeContract | undefined;

/** Returns the same object for each service of a process, so that it is compiled once. */
function readContract(): RuntimeContract {
  contractRead ??= JSON.parse(
    readFileSync(join(import.meta.dirname, 'contract/generated/contract.runtime.json'), 'utf8'),
  ) as RuntimeContract;
  return contractRead;
}
