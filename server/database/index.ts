/**
 * The database, as the rest of the service sees it.
 *
 *   const database = await openDatabase(config, secrets, log); // starts, provisions, migrates, connects await
 *   database.transaction({ tenantId }, async (tx) => { … }); // role compliance_app, row-level security await
 *   database.platform({ tenantId: null }, async (tx) => { … }) // role compliance_platform, before a tenant is known
 *   await database.ping(); await database.close();
 *
 * Statements are defined once, at module level, by `statement()` and sent by `tx.run(statement, values)`. Rows
 * carry timestamps as RFC 3339 strings, dates as YYYY-MM-DD and 64-bit integers as numbers (pool.ts).
 * Failures are typed in errors.ts; callers answer `DatabaseUnavailable` with 503.
 */
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import type { Secrets } from '../base/secrets.ts';
import { type ChangeHandlers, type ChangeListener, listenForChanges } from './change-listener.ts';
import { Connection } from './connection.ts';
import { startEmbedded } from './embedded.ts';
import { DatabaseUnavailable, translate, UnknownSchema } from './errors.ts';
import {
  type DatabaseLocation,
  type DatabaseLogin,
  loginAs,
  parseDatabaseUrl,
  rolePassword,
} from './database-login.ts';
import { migrate } from './migrate.ts';
import { transaction } from './pipelined-transaction.ts';
import { createPool } from './pool.ts';
import { provision } from './provision.ts';
import { sql } from './sql.ts';
import { statement } from './statement.ts';
import type { Transaction, TransactionOptions } from './transaction.ts';

export type { AuditChain, Transaction, TransactionOptions } from './transaction.ts';
export type { Parameter, ParametersOf, Statement, Values } from './statement.ts';
export { containing, keyset, newestFirst } from './keyset.ts';
export { every, joined, sql, type Fragment } from './sql.ts';
export { knex, statement } from './statement.ts';
export type { Columns } from './duties.ts';
export * from './table.ts';
export { subjectTable } from './subject-table.ts';
export { withinTenant } from './transaction.ts';
export * from './errors.ts';

export interface Database {
  /** Runs work of a request: a tenant is always set. */
  transaction<T>(
    options: TransactionOptions & { readonly tenantId: string },
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T>;
  /** Runs platform work; with a tenant if the work writes rows of one. */
  platform<T>(options: TransactionOptions, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Receives the changes of tenants, people and credentials that any process commits, until the listener is stopped.
   */
  listen(handlers: ChangeHandlers): ChangeListener;
  /** Rejects with DatabaseUnavailable while the database does not answer. */
  ping(): Promise<void>;
  /** Connections of the role that takes work from the queue, opened on first use. */
  readonly queue: Pool;
  /** Connections of the request pool, for metrics. */
  connections(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

const DATABASE_NAME = 'compliance';
/** Number of queue connections: one that listens, one that fetches and one that returns work. */
const QUEUE_CONNECTIONS = 3;

export async function openDatabase(config: Config, secrets: Secrets, log: Log): Promise<Database> {
  const poolSize = config.databasePoolSize;
  if (config.databaseUrl !== null) {
    const administrator = parseDatabaseUrl(config.databaseUrl);
    try {
      return await prepare(administrator, administrator, secrets, { poolSize, log, stop: async () => {} });
    } catch (error) {
      const cause = translate(error) as Error;
      // An operator can replace a database that does not answer or that has another schema, so no trace is needed;
      // other errors, such as a failing migration, need one.
      const Failure = [DatabaseUnavailable, UnknownSchema].find((kind) => cause instanceof kind) ?? Error;
      throw new Failure(`The database of DATABASE_URL cannot be used: ${cause.message}`, { cause: error });
    }
  }
  const startedAt = performance.now();
  const password = rolePassword('superuser', secrets);
  const server = await startEmbedded({
    dataDir: config.dataDir,
    superuser: 'postgres',
    password,
    durable: true,
    log,
  });
  log.info(
    { directory: join(config.dataDir, 'postgres'), milliseconds: Math.round(performance.now() - startedAt) },
    'embedded database started',
  );
  const location = {
    host: server.host,
    port: server.port,
    database: DATABASE_NAME,
    ssl: false,
  };
  const administrator = {
    ...location,
    database: 'postgres',
    user: 'postgres',
    password,
  };
  try {
    return await prepare(administrator, location, secrets, { poolSize, log, stop: server.stop });
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function prepare(
  administrator: DatabaseLogin,
  location: DatabaseLocation,
  secrets: Secrets,
  options: ConnectOptions,
): Promise<Database> {
  await provision(administrator, location, secrets);
  await migrate(loginAs('owner', location, secrets), options.log);
  return connectDatabase(location, secrets, options);
}

interface ConnectOptions {
  readonly poolSize: number;
  readonly log: Log;
  /** Called after the last connection is closed. */
  readonly stop: () => Promise<void>;
}

/** Connects to a database that is provisioned and migrated. */
export function connectDatabase(
  location: DatabaseLocation,
  secrets: Secrets,
  { poolSize, log, stop }: ConnectOptions,
): Database {
  const app = createPool(loginAs('app', location, secrets), { size: poolSize, log });
  const platform = createPool(loginAs('platform', location, secrets), {
    size: Math.max(2, Math.ceil(poolSize / 2)),
    log,
  });
  const queue = createPool(loginAs('worker', location, secrets), { size: QUEUE_CONNECTIONS, log });
  const asApp = { pool: app.pool, role: 'app', secrets } as const;
  const asPlatform = { pool: platform.pool, role: 'platform', secrets } as const;
  const listeners: ChangeListener[] = [];
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await Promise.all(listeners.map((listener) => listener.stop()));
    await Promise.all([app.close(), platform.close(), queue.close()]);
    await stop();
  };
  return {
    transaction: (options, work) => transaction(asApp, options, work),
    platform: (options, work) => transaction(asPlatform, options, work),
    listen(handlers) {
      const sendNotification = (channel: string, message: string) =>
        transaction(asPlatform, { tenantId: null }, (tx) => tx.run(notify, { channel, message }));
      const listener = listenForChanges(loginAs('platform', location, secrets), sendNotification, handlers, log);
      listeners.push(listener);
      return listener;
    },
    queue: queue.pool,
    // The request pool is not used, because a burst of requests does not make the database unreachable.
    ping: () => ping(platform.pool),
    connections: () => ({ total: app.pool.totalCount, idle: app.pool.idleCount, waiting: app.pool.waitingCount }),
    close: () => (closing ??= close()),
  };
}

const notify = statement<{ channel: string; message: string }>(
  'changes.notify',
  (p) => sql`SELECT pg_notify(${p.channel}::text, ${p.message}::text)`,
);

async function ping(pool: Pool): Promise<void> {
  const connection = await Connection.from(pool);
  try {
    await connection.send({ text: 'SELECT 1' });
  } finally {
    connection.release();
  }
}
