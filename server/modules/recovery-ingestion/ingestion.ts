/**
 * The loop that polls the directory for every participant, in two lanes. Created when the process starts and stopped
 * with it; the sandbox follower asks it for a round at once. One process at a time polls a participant, by an advisory
 * lock. A failed round waits and is repeated.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../base/log.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { Environment } from '../../contract/operation.ts';
import { type Database, DatabaseUnavailable } from '../../database/index.ts';
import { DirectoryError } from '../../providers/directory/index.ts';
import type { StageLimits } from '../recoveries/index.ts';
import type { IngestionAlarm, IngestionContext } from './context.ts';
import { Backoff, StalenessWatch } from './outage.ts';
import { type Participant, participantName, type Participants, type PolledParticipant } from './participants.ts';
import { readDocuments } from './documents.ts';
import { followAnnouncements } from './round.ts';
import { timeOf } from './participants-store.ts';

/** Interval of two polls a minute, out of the forty requests that the directory allows. */
const everyMilliseconds = 30_000;
/** Spreads the polls of replicas, so that they do not all request the same lock at the same instant. */
const jitter = 0.1;
/**
 * Lanes of a round. Notifications and lists never wait for reads of recoveries, because each lane has its own rounds,
 * slots and backoff. `parallel` is the number of participants of one environment that run at once; each of them uses a
 * database connection.
 */
const lanes = {
  announcements: {
    parallel: 2,
    run: (ingesting: IngestionContext, participant: Participant) => followAnnouncements(ingesting, participant),
  },
  documents: { parallel: 1, run: readDocuments },
} as const;
type Lane = keyof typeof lanes;
const leaderPause = 100;
/** Poll interval of a sandbox without open recoveries. */
const quietMilliseconds = 15 * 60_000;
/**
 * How long after an action in a sandbox the sandbox is not treated as quiet, because the effects of the action may
 * appear later.
 */
const activeMilliseconds = 60 * 60_000;

const laneName = (participant: Participant, lane: Lane): string => `${lane} ${participantName(participant)}`;

interface IngestionOptions {
  readonly database: Database;
  readonly participants: Participants;
  readonly limits: StageLimits;
  readonly alarm: IngestionAlarm;
  readonly log: Log;
  readonly clock: () => Date;
  /**
   * Runs the work while this process holds the lock of that name, among all processes that share the database. Returns
   * null if another process holds the lock.
   */
  readonly lead: <T>(name: string, work: (lost: AbortSignal) => Promise<T>) => Promise<{ readonly result: T } | null>;
}

/** Follows the directory for every participant. In each lane one process runs at a time, one round after the other. */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly #stopping = new AbortController();
  readonly #queues = new Map<string, Promise<void>>();
  readonly #backoffs = new Map<string, Backoff>();
  readonly #staleness = new StalenessWatch();
  readonly #activities = new Map<string, { requestedAt: number; polledAt: number }>();
  /**
   * Separate semaphores for each environment, so that a sandbox, whose directory may be slow on purpose, never delays a
   * live participant.
   */
  readonly #semaphores = {
    live: {
      announcements: new Semaphore(lanes.announcements.parallel),
      documents: new Semaphore(lanes.documents.parallel),
    },
    sandbox: {
      announcements: new Semaphore(lanes.announcements.parallel),
      documents: new Semaphore(lanes.documents.parallel),
    },
  };
  #ticking: Promise<unknown> | null = null;

  constructor(options: IngestionOptions) {
    this.#options = options;
  }

  start(): void {
    this.#ticking ??= Promise.all(
      (['live', 'sandbox'] as const).flatMap((environment) => [
        this.#tick(environment, 'announcements'),
        this.#tick(environment, 'documents'),
      ]),
    );
  }

  /** Resolves when no round is running any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ticking;
    await Promise.all(this.#queues.values());
  }

  /**
   * Polls a tenant's sandbox at once, because something has happened in it. Resolves when the feed contains the result.
   */
  async pollNow(tenantId: string): Promise<void> {
    const participant = this.#options.participants.sandboxOf(tenantId);
    if (participant === null) return;
    for (const lane of ['announcements', 'documents'] as const) {
      this.#activityOf(participant, lane).requestedAt = this.#options.clock().getTime();
      await this.#enqueue(participant, lane, true);
    }
  }

  /** Resolves when no round is running for the tenant any more. */
  async settled(tenantId: string): Promise<void> {
    await Promise.all([...this.#queues].filter(([name]) => name.endsWith(tenantId)).map(([, queued]) => queued));
  }

  /** Runs one round of both lanes for every participant that is due. */
  async pollAll(): Promise<void> {
    for (const lane of ['announcements', 'documents'] as const)
      for (const environment of ['live', 'sandbox'] as const) await this.#pollLane(environment, lane);
  }

  async #pollLane(environment: Environment, lane: Lane): Promise<void> {
    const polled = await this.#options.participants.all();
    await Promise.all(
      polled
        .filter((one) => one.participant.environment === environment && this.#isDue(one, lane))
        .map(({ participant }) => this.#enqueue(participant, lane, false)),
    );
  }

  #isDue({ participant, isQuiet }: PolledParticipant, lane: Lane): boolean {
    const now = this.#options.clock().getTime();
    const { requestedAt, polledAt } = this.#activityOf(participant, lane);
    return !isQuiet || now - requestedAt < activeMilliseconds || now - polledAt >= quietMilliseconds;
  }

  #activityOf(participant: Participant, lane: Lane): { requestedAt: number; polledAt: number } {
    const name = laneName(participant, lane);
    const activity = this.#activities.get(name) ?? { requestedAt: 0, polledAt: 0 };
    this.#activities.set(name, activity);
    return activity;
  }

  async #tick(environment: Environment, lane: Lane): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#pollLane(environment, lane).catch((error: unknown) => this.#logFailure(error, {}));
      await sleep(everyMilliseconds * (1 - jitter + 2 * jitter * Math.random()), undefined, {
        signal,
        ref: false,
      }).catch(() => {});
    }
  }

  /** Queues a round behind the running one, so that the round sees everything that existed when it was requested. */
  #enqueue(participant: Participant, lane: Lane, isRequested: boolean): Promise<void> {
    const name = laneName(participant, lane);
    const queued = (this.#queues.get(name) ?? Promise.resolve()).then(() =>
      this.#semaphores[participant.environment][lane].run(() => this.#attempt(participant, lane, isRequested)),
    );
    this.#queues.set(name, queued);
    void queued.then(() => {
      if (this.#queues.get(name) === queued) this.#queues.delete(name);
    });
    return queued;
  }

  /** Never rejects: a failure is logged, and the next round retries. */
  async #attempt(participant: Participant, lane: Lane, isRequested: boolean): Promise<void> {
    const { clock } = this.#options;
    const name = laneName(participant, lane);
    const backoff = this.#backoffs.get(name) ?? new Backoff();
    this.#backoffs.set(name, backoff);
    if (this.#stopping.signal.aborted || !backoff.isOver(clock())) return;
    try {
      // Another process may have started its round before the change that this round is for, so a requested round waits
      // for the lock.
      for (let isDone = false; !isDone && !this.#stopping.signal.aborted; ) {
        isDone = (await this.#lead(participant, lane, isRequested)) || !isRequested;
        if (!isDone) await sleep(leaderPause);
      }
      backoff.succeeded();
      this.#activityOf(participant, lane).polledAt = clock().getTime();
      if (lane === 'announcements') this.#staleness.reset(participant);
    } catch (error) {
      backoff.failed(error, clock());
      this.#logFailure(error, { env: participant.environment, ispb: participant.ispb });
      // The failure may come from the database itself.
      if (lane === 'announcements') await this.#checkStaleness(participant).catch(() => {});
    }
  }

  async #checkStaleness(participant: Participant): Promise<void> {
    const { database, alarm, clock } = this.#options;
    await this.#staleness.check(participant, {
      database,
      alarm,
      at: await timeOf(database, participant, clock()),
    });
  }

  /** Returns false if another process leads, or has read further. */
  async #lead(participant: Participant, lane: Lane, thorough: boolean): Promise<boolean> {
    const { database, limits, alarm, clock, lead } = this.#options;
    const led = await lead(`directory ${laneName(participant, lane)}`, (lost) => {
      const ingesting: IngestionContext = {
        database,
        limits,
        alarm,
        signal: AbortSignal.any([this.#stopping.signal, lost]),
        timeOf: (whose) => timeOf(database, whose, clock()),
      };
      return lanes[lane].run(ingesting, participant, thorough);
    });
    return led?.result === true;
  }

  #logFailure(error: unknown, about: object): void {
    const reason =
      error instanceof DirectoryError || error instanceof DatabaseUnavailable
        ? { reason: error.message }
        : { err: error };
    this.#options.log.warn({ ...about, ...reason }, 'the directory could not be followed and will be asked again');
  }
}
