/**
 * What every step of the ingestion needs, and the alarm by which it reports. Created when the process starts and passed
 * to the rounds. Alarms are counted in metrics and logged; they contain no personal data.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Log } from '../../base/log.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Database } from '../../database/index.ts';
import type { DirectoryClient } from '../../providers/directory/index.ts';
import type { StageLimits } from '../recoveries/index.ts';
import type { Participant } from './participants.ts';

/** Kinds of event about the directory that an operator has to examine. */
export type AlarmKind =
  | 'signature_invalid'
  | 'unreadable'
  | 'unknown_entity'
  | 'unmapped_participant'
  | 'recovery_not_shown'
  | 'unknown_status'
  | 'conflicting_end'
  | 'list_cut'
  | 'silent_for_a_day'
  | 'silent_for_five_days'
  | 'notifications_lost';

const severeKinds: readonly AlarmKind[] = [
  'signature_invalid',
  'conflicting_end',
  'silent_for_five_days',
  'notifications_lost',
];

/**
 * Reports to operators by log and metrics. Sandboxes are counted too, because the real directory may show the same
 * behaviour.
 */
export class IngestionAlarm {
  readonly #alarms: Counter<'env' | 'kind'>;
  readonly #events: Counter<'env'>;
  readonly #lastPage: Gauge<'ispb'>;
  readonly #log: Log;

  constructor(registry: Registry, log: Log) {
    const registers = [registry];
    this.#alarms = new Counter({
      name: 'directory_alarms_total',
      help: 'What came from the directory and has to be looked at.',
      labelNames: ['env', 'kind'],
      registers,
    });
    this.#events = new Counter({
      name: 'funds_recovery_events_published_total',
      help: 'Events that were added to feeds.',
      labelNames: ['env'],
      registers,
    });
    this.#lastPage = new Gauge({
      name: 'directory_last_page_timestamp_seconds',
      help: 'When a participant last got a good page of notifications.',
      labelNames: ['ispb'],
      registers,
    });
    this.#log = log;
  }

  raise(kind: AlarmKind, { environment: env, ispb, tenantId }: Participant, about: object = {}): void {
    this.#alarms.inc({ env, kind });
    const fields = {
      kind,
      env,
      ispb,
      tenantId,
      ...about,
    };
    if (env === 'live' && severeKinds.includes(kind)) this.#log.error(fields, 'the directory needs attention');
    else this.#log.warn(fields, 'the directory needs attention');
  }

  published(env: Environment, count: number): void {
    if (count > 0) this.#events.inc({ env }, count);
  }

  /**
   * Reports live participants only, because the number of sandboxes has no bound. Null means never, which is reported
   * as the epoch.
   */
  lastPage({ environment, ispb }: Participant, at: Date | null): void {
    if (environment === 'live') this.#lastPage.set({ ispb }, (at?.getTime() ?? 0) / 1000);
  }
}

/** Dependencies of every step of the ingestion. */
export interface IngestionContext {
  readonly database: Database;
  readonly limits: StageLimits;
  readonly alarm: IngestionAlarm;
  /** Returns the business time, because a tenant's sandbox can be ahead of real time. */
  readonly timeOf: (participant: Participant) => Promise<Date>;
  readonly signal: AbortSignal;
}

/**
 * Reports, for the production directory, how many calls each participant on the operator's list may still make, as
 * known to this process.
 */
export function observeTokens(registry: Registry, directory: Pick<DirectoryClient, 'tokens'>): void {
  new Gauge({
    name: 'directory_tokens',
    help: 'Calls that a participant may still make at once, by rate policy.',
    labelNames: ['ispb', 'policy'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { ispb, policy, tokens } of await directory.tokens()) this.set({ ispb, policy }, tokens);
    },
  });
}
