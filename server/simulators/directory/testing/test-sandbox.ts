/** Test support: a running simulated directory with a client for one tenant. Used by the tests of the simulator. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { named } from '../../../../test/support/courses.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.ts';
import { createLog } from '../../../base/log.ts';
import type { Transaction } from '../../../database/index.ts';
import { DirectoryClient, type NotificationPage } from '../../../providers/directory/index.ts';
import type { Role } from '../core/model.ts';
import { sandboxIspb } from '../core/values.ts';
import { armFault, type Fault } from '../journal.ts';
import { type DirectorySimulator, type SimulatorOptions, startDirectorySimulator } from '../server.ts';
import { startRun } from '../state.ts';

const plenty = { refillTokens: 100_000, capacity: 100_000, refillPeriodSeconds: 1 };
/** Rates that keep the client from waiting. The directory's own rates are in `SimulatorOptions`. */
const unhurried = {
  EVENT_LIST: plenty,
  INFRACTION_REPORTS_LIST_WITH_ROLE: plenty,
  REFUND_LIST_WITH_ROLE: plenty,
  POLICIES_READ: plenty,
  FUNDS_RECOVERIES: plenty,
};

/** A simulated directory over its own database, called over mutual TLS for one new tenant at a time. */
export class TestSandbox {
  readonly database: TestDatabase;
  readonly dataDir: string;
  readonly simulator: DirectorySimulator;
  readonly client: DirectoryClient;
  /** The directory's view of real time. */
  now = 0;
  tenantId = '';
  ispb = '';
  runId = '';
  #runs = 0;

  static async open(): Promise<TestSandbox> {
    const dataDir = await mkdtemp(join(tmpdir(), 'directory-simulator-'));
    const database = await createTestDatabase();
    const clock = { now: () => new Date() };
    const simulator = await startDirectorySimulator({
      database: database.database,
      clock: () => clock.now(),
      log: createLog('silent'),
      dataDir,
      slowMilliseconds: 2500,
    });
    const opened = new TestSandbox(database, dataDir, simulator);
    clock.now = () => new Date(opened.now);
    return opened;
  }

  constructor(database: TestDatabase, dataDir: string, simulator: DirectorySimulator) {
    this.database = database;
    this.dataDir = dataDir;
    this.simulator = simulator;
    this.client = this.clientOf(simulator);
  }

  clientOf(simulator: DirectorySimulator): DirectoryClient {
    return new DirectoryClient({
      ...simulator.client,
      rates: unhurried,
      timeouts: { connectMilliseconds: 2000, totalMilliseconds: 2000 },
    });
  }

  /** Starts another simulator over the same database, as another process would. */
  async another(options: Partial<SimulatorOptions> = {}): Promise<DirectorySimulator> {
    return startDirectorySimulator({
      database: this.database.database,
      clock: () => new Date(this.now),
      log: createLog('silent'),
      dataDir: this.dataDir,
      ...options,
    });
  }

  async newTenant(): Promise<void> {
    this.now = Date.parse('2026-03-02T09:00:00.000Z');
    this.tenantId = await this.database.tenant();
    this.ispb = sandboxIspb(this.tenantId);
  }

  async inTenant<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.database.transaction({ tenantId: this.tenantId }, work);
  }

  async start(
    name: string,
    { role = 'SENT', pace = 'stepped' }: { readonly role?: Role; readonly pace?: 'instant' | 'stepped' } = {},
  ): Promise<string> {
    this.runId = `run-${++this.#runs}`;
    const options = {
      runId: this.runId,
      role,
      amount: '1000.00',
      pace,
      onTimeout: null,
      situation: 'SCAM',
    } as const;
    return (await this.inTenant((tx) => startRun(tx, new Date(this.now), named(name), options))) ?? '';
  }

  async arm(kind: Fault, count = 1): Promise<void> {
    await this.inTenant((tx) => armFault(tx, new Date(this.now), kind, count));
  }

  async list(cursor: string | null = null): Promise<NotificationPage> {
    return this.client.listEventNotifications(this.ispb, { cursor, includeIndirect: false });
  }

  async restartFeed(): Promise<void> {
    await this.database.sql(`UPDATE fr_feed SET generation = generation + 1 WHERE tenant_id = $1 AND env = 'sandbox'`, [
      this.tenantId,
    ]);
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.simulator.stop();
    await this.database.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** Returns the names of events without their common prefix. */
export function eventsOf({ notifications }: NotificationPage): string[] {
  return notifications.map(({ Event }) => Event.replace('FUNDS_RECOVERY_', ''));
}
