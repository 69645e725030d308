/**
 * Starts reading recoveries from the directories, live and sandbox. Called by server/start.ts, which also stops it.
 * Without a configured directory nothing live is read; a broken configuration stops the start.
 */
import type { Registry } from 'prom-client';
import type { Config } from './base/config.ts';
import type { Logger } from './base/log.ts';
import type { Database } from './database/index.ts';
import { standardStageLimits } from './modules/recoveries/index.ts';
import {
  ConfiguredParticipants,
  Ingestion,
  IngestionAlarm,
  observeTokens,
} from './modules/recovery-ingestion/index.ts';
import { DirectoryClient, openLiveDirectory } from './providers/directory/index.ts';
import { type DirectorySimulator, sandboxRates } from './simulators/directory/index.ts';
import { withJobLock } from './tasks/store.ts';

interface FollowingOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly metricsRegistry: Registry;
  readonly simulator: DirectorySimulator | null;
}

export interface Following {
  readonly ingestion: Ingestion;
  stop(): Promise<void>;
}

/**
 * Rates for the directory of the sandboxes, which has no other readers; scenarios are played faster than real
 * recoveries.
 */
const SANDBOX_RATES = {
  ...sandboxRates,
  FUNDS_RECOVERIES: { refillTokens: 6_000, capacity: 6_000, refillPeriodSeconds: 60 },
};
/**
 * Timeouts for the directory of the sandboxes, which answers within milliseconds. A scenario that slows it down
 * deliberately must not delay the others for long.
 */
const SANDBOX_TIMEOUTS = { connectMilliseconds: 2000, totalMilliseconds: 5000 };

/** Starts reading recoveries from the directories: the operator's, if one is configured, and that of the sandboxes. */
export async function followDirectory({
  config,
  database,
  log,
  clock,
  metricsRegistry,
  simulator,
}: FollowingOptions): Promise<Following> {
  const live = config.directory === null ? null : await openLiveDirectory(config.directory);
  if (live !== null) observeTokens(metricsRegistry, live.directory);
  const sandbox =
    simulator === null
      ? null
      : new DirectoryClient({ ...simulator.client, rates: SANDBOX_RATES, timeouts: SANDBOX_TIMEOUTS });
  const ingestion = new Ingestion({
    database,
    log,
    clock,
    participants: new ConfiguredParticipants(
      database,
      simulator === null || sandbox === null
        ? null
        : { directory: sandbox, ispbOf: (tenantId) => simulator.directoryFor(tenantId).ispb },
      live,
    ),
    limits: standardStageLimits,
    alarm: new IngestionAlarm(metricsRegistry, log),
    lead: (name, work) => withJobLock(database, name, work),
  });
  return {
    ingestion,
    async stop() {
      await ingestion.stop();
      await Promise.all([sandbox?.close(), live?.directory.close()]);
    },
  };
}
