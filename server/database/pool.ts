/**
 * Connection pool, and the conversion of database values. Used by the database's index, scripts and tests. A number
 * that JavaScript cannot represent throws.
 */
import pg from 'pg';
import type { Log } from '../base/log.ts';
import type { DatabaseLogin } from './database-login.ts';

type Parser = (text: string) => unknown;

/**
 * Parsers of database values: timestamps become RFC 3339 in UTC with milliseconds, dates stay as they are (never a
 * Date, which would shift them by the local offset), 64-bit integers become numbers.
 */
const parsers: Readonly<Record<number, Parser>> = {
  [pg.types.builtins.TIMESTAMPTZ]: timestamp,
  [pg.types.builtins.DATE]: (text) => text,
  [pg.types.builtins.INT8]: integer,
};

export const wireTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format ?? 'text')) as typeof pg.types.getTypeParser,
};

export function timestamp(text: string): string {
  // Example: '2026-01-31 09:05:00.12+00'. The session is in UTC and the columns hold milliseconds.
  if (!text.endsWith('+00')) return new Date(text).toISOString();
  const fraction = text.length > 22 ? text.slice(20, -3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

function integer(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond 2^53`);
  return value;
}

interface PoolOptions {
  readonly size: number;
  readonly log: Log;
}

/** Maximum wait of a request for a free connection, after which the client is asked to retry. */
const connectionTimeoutMillis = 5_000;

interface ManagedPool {
  readonly pool: pg.Pool;
  /** Resolves when every connection is actually closed, which `pool.end` does not wait for. */
  close(): Promise<void>;
}

export function createPool(login: DatabaseLogin, { size, log }: PoolOptions): ManagedPool {
  const pool = new pg.Pool({
    ...login,
    max: size,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis,
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
    // The pool listens while a client is idle and a transaction while it works. Between the two, and after a client was
    // discarded, a connection can break as well, and an error without a listener ends the process.
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

/** Runs administrative work on a connection that is always closed afterwards. */
export async function withClient<T>(login: DatabaseLogin, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    ...login,
    connectionTimeoutMillis,
    types: wireTypes,
    application_name: 'compliance-onboarding',
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
