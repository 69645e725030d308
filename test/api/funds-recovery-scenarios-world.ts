/** Fixture of the tests that play scenarios of the simulated directory and read the resulting feed of the sandbox. */
import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../server/database/index.ts';
import type { Ingestion } from '../../server/modules/recovery-ingestion/ingestion.ts';
import {
  armFault,
  type Fault,
  type HistoryEvent,
  historyOf,
  type Role,
  type RunOptions,
  type Scenario,
  startRun,
  stateAt,
} from '../../server/simulators/directory/index.ts';
import { named } from '../support/courses.ts';
import { startTestService, type TestService } from '../support/service.ts';

export interface FeedRow {
  readonly seq: number;
  readonly event_type: string;
  readonly status: string;
  readonly occurred_at: string;
  readonly dedupe_key: string;
  readonly funds_recovery_id: string;
  readonly raw_payload: {
    readonly '@meta': { readonly origin: string; readonly source: string; readonly signature: string };
    readonly [document: string]: unknown;
  };
}

const minute = 60_000;

/**
 * A service that follows the simulated directory of its sandboxes over mutual TLS. Its timers do not run, so it polls
 * only if a test says so.
 */
export class World {
  readonly service: TestService;
  readonly lines: string[];

  private constructor(service: TestService, lines: string[]) {
    this.service = service;
    this.lines = lines;
  }

  static async start(): Promise<World> {
    const lines: string[] = [];
    const service = await startTestService({
      env: { DIRECTORY_SIMULATOR: 'true', LOG_LEVEL: 'warn' },
      log: (line) => lines.push(line),
    });
    return new World(service, lines);
  }

  get ingestion(): Ingestion {
    return this.service.running.services.ingestion;
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  async sandbox(): Promise<Sandbox> {
    return new Sandbox(this, (await this.service.tenant()).id);
  }
}

/** A tenant's sandbox: its simulated directory, its clock, and its feed. */
export class Sandbox {
  readonly #world: World;
  readonly tenantId: string;

  constructor(world: World, tenantId: string) {
    this.#world = world;
    this.tenantId = tenantId;
  }

  /** Returns the sandbox of another tenant of the same service. */
  sandboxOf(tenantId: string): Sandbox {
    return new Sandbox(this.#world, tenantId);
  }

  within<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#world.service.database.database.transaction({ tenantId: this.tenantId }, work);
  }

  async now(): Promise<Date> {
    const [row] = await this.#world.service.database.sql<{ ahead: number }>(
      'SELECT sandbox_clock_offset_seconds AS ahead FROM tenant WHERE id = $1',
      [this.tenantId],
    );
    return new Date(this.#world.service.running.services.clock().getTime() + Number(row?.ahead) * 1000);
  }

  /** Advances the clock of the sandbox, but not that of the service. */
  async advance(milliseconds: number): Promise<void> {
    await this.#world.service.database.sql(
      'UPDATE tenant SET sandbox_clock_offset_seconds = sandbox_clock_offset_seconds + $2 WHERE id = $1',
      [this.tenantId, Math.ceil(milliseconds / 1000)],
    );
  }

  /** Starts a recovery in the simulated directory. Returns the id of the recovery, or null if there will be none. */
  async startScenario(scenario: Scenario | string, options: Partial<RunOptions> = {}): Promise<string | null> {
    const at = await this.now();
    const run: RunOptions = {
      runId: randomUUID(),
      role: 'SENT',
      amount: '812.40',
      pace: 'stepped',
      onTimeout: null,
      situation: 'SCAM',
      ...options,
    };
    return this.within((tx) => startRun(tx, at, typeof scenario === 'string' ? named(scenario) : scenario, run));
  }

  /** Makes the next `count` responses of the directory faulty. */
  async arm(fault: Fault, count = 1): Promise<void> {
    const at = await this.now();
    await this.within((tx) => armFault(tx, at, fault, count));
  }

  /** Polls the directory once. */
  pollNow(): Promise<void> {
    return this.#world.ingestion.pollNow(this.tenantId);
  }

  /** Returns the events that the directory's own history contains up to now: those that the feed must contain. */
  async history(): Promise<HistoryEvent[]> {
    const now = await this.now();
    return historyOf(await this.within((tx) => stateAt(tx, now)));
  }

  /**
   * Advances the clock by `days` in steps, and polls after each: the steps end when the directory's history has its
   * next event, or when the service stops waiting for a notification.
   */
  async advanceAndPoll(days: number): Promise<void> {
    await this.pollNow();
    const end = (await this.now()).getTime() + days * 24 * 60 * minute;
    for (;;) {
      const now = await this.now();
      const history = historyOf(await this.within((tx) => stateAt(tx, new Date(end))));
      const next = Math.min(
        ...history.map(({ knownFrom }) => Date.parse(knownFrom)).filter((at) => at > now.getTime()),
      );
      const held = await this.#heldUntil();
      const until = Math.min(next, held ?? end);
      if (until >= end) return;
      await this.advance(Math.max(1000, until - now.getTime()));
      await this.pollNow();
    }
  }

  async feed(): Promise<FeedRow[]> {
    return this.#world.service.database.sql<FeedRow & Record<string, unknown>>(
      `SELECT seq, event_type, status, occurred_at, dedupe_key, funds_recovery_id, raw_payload FROM fr_event
        WHERE tenant_id = $1 AND env = 'sandbox' ORDER BY seq`,
      [this.tenantId],
    );
  }

  /** Returns the types of the events in the feed, without their common prefix. */
  async types(): Promise<string[]> {
    return (await this.feed()).map(({ event_type }) => event_type.replace('FUNDS_RECOVERY_', ''));
  }

  /** Returns the time at which the service stops waiting for a notification, or null if it awaits none. */
  async #heldUntil(): Promise<number | null> {
    const [row] = await this.#world.service.database.sql<{ at: string | null }>(
      `SELECT min(wake_at) AS at FROM fr_record WHERE tenant_id = $1 AND env = 'sandbox' AND held <> '{}'`,
      [this.tenantId],
    );
    return row?.at == null ? null : Date.parse(row.at);
  }
}

/** Returns the types of the events that a scenario must add to the feed, without their common prefix. */
export const sequenceOf = (scenario: string, role: Role = 'SENT'): string[] =>
  named(scenario)
    .expected(role)
    .map(({ eventType }) => eventType.replace('FUNDS_RECOVERY_', ''));
