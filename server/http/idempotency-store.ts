import { statement, type Database, type Transaction } from '../database/index.ts';
import type { Parameter } from '../database/statement.ts';

/** Under whom a key counts: two callers, or two paths, may use the same key. */
export type IdempotencyScope = {
  readonly tenantId: string;
  readonly environment: string;
  readonly principal: string;
  readonly method: string;
  readonly path: string;
  readonly keyHash: Buffer;
};

export interface RecordRow {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly expired: boolean;
}

const whereScope = (p: { readonly [P in keyof IdempotencyScope]: Parameter }) => ({
  tenant_id: p.tenantId, environment: p.environment, principal: p.principal, method: p.method, path: p.path, key_hash: p.keyHash,
});

const lock = statement<{ lock: bigint }, { locked: boolean }>('idempotency.lock', (knex, p) =>
  knex.raw('SELECT pg_try_advisory_xact_lock(?::bigint) AS locked', [p.lock]));

const find = statement<IdempotencyScope, RecordRow>('idempotency.find', (knex, p) =>
  knex('idempotency_record').where(whereScope(p)).select('fingerprint', 'status', 'headers', 'body', knex.raw('expires_at <= now() AS expired')));

const remove = statement<IdempotencyScope>('idempotency.remove', (knex, p) => knex('idempotency_record').where(whereScope(p)).del());

type NewRecord = IdempotencyScope & { fingerprint: Buffer; status: number; headers: string; body: Buffer | null; now: Date; expiresAt: Date };
const insert = statement<NewRecord>('idempotency.insert', (knex, p) =>
  knex('idempotency_record').insert({
    ...whereScope(p), fingerprint: p.fingerprint, status: p.status, headers: p.headers, body: p.body, created_at: p.now, expires_at: p.expiresAt,
  }));

const purge = statement<Record<never, never>>('idempotency.purge', (knex) => knex('idempotency_record').where('expires_at', '<', knex.fn.now()).del());

/**
 * Locks the key for the transaction and reads its record, in one round trip. The read is a statement of its own,
 * behind the lock, so that it sees what the previous holder committed. Undefined when another call holds the key.
 */
export async function claim(tx: Transaction, lockId: bigint, scope: IdempotencyScope): Promise<RecordRow | null | undefined> {
  const [[locked], [record]] = await Promise.all([tx.run(lock, { lock: lockId }), tx.run(find, scope)]);
  return locked?.locked === true ? record ?? null : undefined;
}

export function insertAtEnd(tx: Transaction, record: NewRecord, replacesExpired: boolean): void {
  if (replacesExpired) tx.atEnd(remove, record);
  tx.atEnd(insert, record);
}

export async function purgeExpired(database: Database): Promise<number> {
  return database.platform({ tenantId: null }, (tx) => tx.count(purge, {}));
}
