/** Support of the crash tests: a service, its replica and its database, each of which can be killed. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LiveService, startLiveService } from '../../scripts/test/live-service.ts';
import { loadSecrets } from '../../server/base/secrets.ts';
import {
  connectDatabase,
  type Database,
  DatabaseUnavailable,
  knex,
  type Transaction,
} from '../../server/database/index.ts';
import { rolePassword } from '../../server/database/database-login.ts';
import {
  fold,
  type HistoryEvent,
  historyOf,
  loadJournal,
  type Scenario,
  startRun,
  stateAt,
} from '../../server/simulators/directory/index.ts';
import { silent } from '../support/silent.ts';

export interface FeedEvent {
  readonly seq: number;
  readonly key: string;
  readonly status: string;
  readonly recovery: string;
}

const patience = 30_000;

/**
 * A service with its database, and a second service that does the periodic work, as replicas do; each of their
 * processes can be killed.
 */
export class CrashSite {
  readonly #name: string;
  #service: LiveService;
  #follower: LiveService | null = null;
  #database: Database;
  readonly tenantId: string;

  private constructor(name: string, service: LiveService) {
    this.#name = name;
    this.#service = service;
    this.#database = this.#connect();
    this.tenantId = (JSON.parse(readFileSync(service.demo, 'utf8')) as { tenant: { id: string } }).tenant.id;
  }

  static async open(name: string): Promise<CrashSite> {
    return new CrashSite(name, await startLiveService(name));
  }

  async close(): Promise<void> {
    await this.killFollower();
    await this.#database.close();
    await this.#service.stop();
  }

  /** Kills the service, which leaves its database running without a parent. */
  async killService(): Promise<void> {
    await killed(this.#service);
  }

  /** @param follows whether the service does periodic work itself, including following the directory */
  async startService(follows: boolean): Promise<void> {
    await this.#database.close();
    this.#service = await startLiveService(this.#name, { JOBS: String(follows) }, this.#service);
    this.#database = this.#connect();
  }

  async startFollower(): Promise<void> {
    const { dataDir } = this.#service;
    const password = encodeURIComponent(rolePassword('superuser', loadSecrets({ serviceSecret: null, dataDir })));
    const env = {
      DATABASE_URL: `postgres://postgres:${password}@localhost:5432/compliance?host=${encodeURIComponent(this.#socketFolder())}`,
      SERVICE_SECRET: readFileSync(join(dataDir, 'secret'), 'utf8').trim(),
      DEMO: 'false',
      DIRECTORY_SIMULATOR: 'true',
    };
    this.#follower = await startLiveService(`${this.#name}-follower`, env, this.#follower ?? undefined);
  }

  async killFollower(): Promise<void> {
    if (this.#follower !== null) await killed(this.#follower);
  }

  /**
   * `SIGQUIT` is the immediate stop, after which PostgreSQL recovers as after a crash (PostgreSQL documentation,
   * "Shutting Down the Server").
   */
  async stopDatabase(signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
    const [before] = this.#postmasterFile();
    process.kill(Number(before), signal);
    for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(20)) {
      // The service may not have noticed yet that its database is gone.
      if (!existsSync(this.#postmasterPath()) || this.#postmasterFile()[0] === before) continue;
      if ((await fetch(`${this.#service.baseUrl}/readyz`).catch(() => null))?.ok) return;
    }
    throw new Error('the service did not come back within 30 seconds');
  }

  /** Starts a simulated recovery of each course. Returns how many events the feed must contain for them. */
  async startRuns(courses: readonly Scenario[]): Promise<number> {
    return this.#transact(async (tx) => {
      const { entries: before } = await loadJournal(tx);
      for (const course of courses) {
        await startRun(tx, new Date(), course, {
          runId: randomUUID(),
          role: 'SENT',
          amount: '812.40',
          pace: 'instant',
          onTimeout: null,
          situation: 'SCAM',
        });
      }
      const { entries } = await loadJournal(tx, before.at(-1)?.seq ?? 0);
      return historyOf(fold(this.tenantId, entries, Date.now() + 1000)).length;
    });
  }

  /**
   * Moves the time of the last read of the lists back by a quarter of an hour, so that they are read again, because
   * some facts are only in the lists.
   */
  async forgetLists(): Promise<void> {
    await this.#transact((tx) => tx.query(knex('dict_stream').update({ reconciled_at: null })));
  }

  async history(): Promise<HistoryEvent[]> {
    return historyOf(await this.#transact((tx) => stateAt(tx, new Date())));
  }

  /** Returns the events from the directory, without those of the demo. */
  async feed(): Promise<FeedEvent[]> {
    return this.#transact((tx) =>
      tx.query<FeedEvent>(
        knex('fr_event')
          .select('seq', 'dedupe_key as key', 'status', 'funds_recovery_id as recovery')
          .where({ env: 'sandbox' })
          .andWhereRaw(`raw_payload #>> '{@meta,source}' = 'DICT_SIMULATOR'`)
          .orderBy('seq'),
      ),
    );
  }

  /** Retries, because a killed database restarts by itself. */
  async #transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (const deadline = Date.now() + patience; ; await sleep(50)) {
      try {
        return await this.#database.transaction({ tenantId: this.tenantId }, work);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || Date.now() > deadline) throw error;
      }
    }
  }

  #connect(): Database {
    const secrets = loadSecrets({ serviceSecret: null, dataDir: this.#service.dataDir });
    return connectDatabase(
      {
        host: this.#socketFolder(),
        port: 5432,
        database: 'compliance',
        ssl: false,
      },
      secrets,
      { poolSize: 2, log: silent, stop: async () => {} },
    );
  }

  /**
   * Returns the lines of postmaster.pid: process id first, socket folder fifth (PostgreSQL documentation, "Database
   * File Layout").
   */
  #postmasterPath(): string {
    return join(this.#service.dataDir, 'postgres/postmaster.pid');
  }

  #postmasterFile(): string[] {
    return readFileSync(this.#postmasterPath(), 'utf8').split('\n');
  }

  #socketFolder(): string {
    return this.#postmasterFile()[4] ?? '';
  }
}

async function killed({ process: child }: LiveService): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
