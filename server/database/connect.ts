import pg from 'pg';
import type { Log } from './log.ts';
import type { Login } from './settings.ts';
import { wireTypes } from './wire-types.ts';

export interface PoolOptions {
  readonly size: number;
  readonly log: Log;
}

/** How long a request waits for a free connection before it is told to come back later. */
const connectionTimeoutMillis = 5_000;

/** The role's own statement_timeout is shorter: this one only ends the wait for a server that hangs. */
const query_timeout = 20_000;

export interface ManagedPool {
  readonly pool: pg.Pool;
  /** Resolves when every connection is really closed, which `pool.end` does not wait for. */
  close(): Promise<void>;
}

export function createPool(login: Login, { size, log }: PoolOptions): ManagedPool {
  const pool = new pg.Pool({
    ...login,
    max: size,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis,
    query_timeout,
    keepAlive: true,
    pipeline: true,
    types: wireTypes,
    application_name: 'compliance-onboarding',
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'an idle database connection was lost'));
  const open = new Set<pg.PoolClient>();
  let closed: () => void = () => {};
  pool.on('connect', (client) => {
    open.add(client);
    // The pool listens while a client is idle and a transaction while it works; between the two, and after it was thrown
    // away, a connection can break as well, and an error that nobody hears ends the process.
    client.on('error', () => {});
  });
  pool.on('remove', (client) => {
    open.delete(client);
    if (open.size === 0) closed();
  });
  return {
    pool,
    async close() {
      const allClosed = new Promise<void>((resolve) => (closed = resolve));
      await pool.end();
      if (open.size > 0) await allClosed;
    },
  };
}

/** One connection for administration; always closed. */
export async function withClient<T>(login: Login, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...login, connectionTimeoutMillis, types: wireTypes, application_name: 'compliance-onboarding' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
