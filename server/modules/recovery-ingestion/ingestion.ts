import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../base/log.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { Environment } from '../../contract/operation.ts';
import { type Database, DatabaseUnavailable } from '../../database/index.ts';
import { DirectoryError } from '../../providers/directory/index.ts';
import type { StageLimits } from '../recoveries/index.ts';
import type { IngestionAlarm } from './context.ts';
import { Backoff, StalenessWatch } from './outage.ts';
import { type Participant, participantName, type Participants, type PolledParticipant } from './participants.ts';
import { pollRound } from './round.ts';
import { businessTime } from './store.ts';

/** Twice a minute of the forty that the directory allows. */
const everyMilliseconds = 30_000;
/** Replicas shall not ask for the same lock at the same instant for ever. */
const jitter = 0.1;
/** How many participants of an environment are polled at once: each holds a connection to the database while it is its leader's turn. */
const parallelParticipants = 2;
const leaderPause = 100;
/** A sandbox in which nothing is under way. */
const quietMilliseconds = 15 * 60_000;
/** So long after a poke a sandbox is not taken for quiet: what was begun may show only later. */
const activeMilliseconds = 60 * 60_000;

interface IngestionOptions {
  readonly database: Database;
  readonly participants: Participants;
  readonly limits: StageLimits;
  readonly alarm: IngestionAlarm;
  readonly log: Log;
  readonly clock: () => Date;
  /** Runs the work while this process, of all that share the database, holds the lock of that name; null when another one does. */
  readonly lead: <T>(name: string, work: (lost: AbortSignal) => Promise<T>) => Promise<{ readonly result: T } | null>;
}

/** Follows the directory for every participant: one process at a time for each, one round after the other. */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly #stopping = new AbortController();
  readonly #lines = new Map<string, Promise<void>>();
  readonly #patience = new Map<string, Backoff>();
  readonly #silence = new StalenessWatch();
  readonly #visits = new Map<string, { pokedAt: number; seenAt: number }>();
  /** What is played in sandboxes, a directory that is slow on purpose for example, never holds back a live participant. */
  readonly #turns = { live: new Semaphore(parallelParticipants), sandbox: new Semaphore(parallelParticipants) };
  #ticking: Promise<unknown> | null = null;

  constructor(options: IngestionOptions) {
    this.#options = options;
  }

  start(): void {
    this.#ticking ??= Promise.all([this.#tick('live'), this.#tick('sandbox')]);
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ticking;
    await Promise.all(this.#lines.values());
  }

  /** Something has happened in a tenant's sandbox: looks at once. Resolves when the feed carries it. */
  async pollNow(tenantId: string): Promise<void> {
    const participant = this.#options.participants.sandboxOf(tenantId);
    if (participant === null) return;
    this.#visit(participant).pokedAt = this.#options.clock().getTime();
    await this.#inLine(participant, true);
  }

  /** Resolves when nothing is under way for the tenant any more. */
  async settled(tenantId: string): Promise<void> {
    await Promise.all([...this.#lines].filter(([name]) => name.endsWith(tenantId)).map(([, line]) => line));
  }

  /** One round of every participant whose time has come, of one environment or of both. */
  async pollAll(env?: Environment): Promise<void> {
    const polled = await this.#options.participants.all();
    await Promise.all(polled.filter((one) => (env ?? one.participant.env) === one.participant.env && this.#isDue(one)).map(({ participant }) => this.#inLine(participant, false)));
  }

  #isDue({ participant, isQuiet }: PolledParticipant): boolean {
    const now = this.#options.clock().getTime();
    const { pokedAt, seenAt } = this.#visit(participant);
    return !isQuiet || now - pokedAt < activeMilliseconds || now - seenAt >= quietMilliseconds;
  }

  #visit(participant: Participant): { pokedAt: number; seenAt: number } {
    const name = participantName(participant);
    const visit = this.#visits.get(name) ?? { pokedAt: 0, seenAt: 0 };
    this.#visits.set(name, visit);
    return visit;
  }

  async #tick(env: Environment): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.pollAll(env).catch((error: unknown) => this.#tell(error, {}));
      await sleep(everyMilliseconds * (1 - jitter + 2 * jitter * Math.random()), undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** A round that waits for another one sees everything that was there when it was asked for. */
  #inLine(participant: Participant, isPoked: boolean): Promise<void> {
    const name = participantName(participant);
    const line = (this.#lines.get(name) ?? Promise.resolve()).then(() => this.#turns[participant.env].run(() => this.#attempt(participant, isPoked)));
    this.#lines.set(name, line);
    void line.then(() => {
      if (this.#lines.get(name) === line) this.#lines.delete(name);
    });
    return line;
  }

  /** Never fails: what went wrong is told and tried again. */
  async #attempt(participant: Participant, isPoked: boolean): Promise<void> {
    const { clock } = this.#options;
    const name = participantName(participant);
    const patience = this.#patience.get(name) ?? new Backoff();
    this.#patience.set(name, patience);
    if (this.#stopping.signal.aborted || !patience.isOver(clock())) return;
    try {
      // Another process may have begun before what this round is for: whoever was poked waits for its turn.
      for (let isDone = false; !isDone && !this.#stopping.signal.aborted;) {
        isDone = await this.#lead(participant, isPoked) || !isPoked;
        if (!isDone) await sleep(leaderPause);
      }
      patience.succeeded();
      this.#visit(participant).seenAt = clock().getTime();
      this.#silence.reset(participant);
    } catch (error) {
      patience.failed(error, clock());
      this.#tell(error, { env: participant.env, ispb: participant.ispb });
      // The database itself may be what failed.
      await this.#watchSilence(participant).catch(() => {});
    }
  }

  async #watchSilence(participant: Participant): Promise<void> {
    const { database, alarm, clock } = this.#options;
    await this.#silence.check(participant, { database, alarm, at: await businessTime(database, participant, clock()) });
  }

  /** False when another process leads, or has read on. */
  async #lead(participant: Participant, thorough: boolean): Promise<boolean> {
    const { database, limits, alarm, clock, lead } = this.#options;
    const led = await lead(`directory ${participantName(participant)}`, (lost) => pollRound({
      database, limits, alarm, signal: AbortSignal.any([this.#stopping.signal, lost]),
      timeOf: (whose) => businessTime(database, whose, clock()),
    }, participant, thorough));
    return led?.result === true;
  }

  #tell(error: unknown, about: object): void {
    const reason = error instanceof DirectoryError || error instanceof DatabaseUnavailable ? { reason: error.message } : { err: error };
    this.#options.log.warn({ ...about, ...reason }, 'the directory could not be followed and will be asked again');
  }
}
