import type { Environment } from '../contract/principal.ts';
import { inBatches } from '../database/batches.ts';
import { knex, sql, statement, type Database, type Transaction } from '../database/index.ts';
import type { Parameter } from '../database/statement.ts';

/** Under whom a key counts: two callers, or two paths, may use the same key. */
export type IdempotencyScope = {
  readonly tenantId: string;
  readonly principal: string;
  readonly method: string;
  readonly path: string;
  readonly keyHash: Buffer;
};

export interface RecordRow {
  /** Where the effect is. */
  readonly environment: Environment;
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** Whether it shows personal data in full. */
  readonly personalData: boolean;
  readonly expired: boolean;
}

const whereScope = (p: { readonly [P in keyof IdempotencyScope]: Parameter }) => ({
  tenant_id: p.tenantId, principal: p.principal, method: p.method, path: p.path, key_hash: p.keyHash,
});

type ClaimRow = { readonly locked: boolean } & (RecordRow | { readonly [P in keyof RecordRow]: null });

const lockAndFind = statement<IdempotencyScope & { lock: bigint }, ClaimRow>('idempotency.claim', (p) =>
  knex.select('claim.locked', 'r.environment', 'r.fingerprint', 'r.status', 'r.headers', 'r.body', 'r.personal_data as personalData', sql`r.expires_at <= now() AS expired`)
    .from(sql`(SELECT pg_try_advisory_xact_lock(${p.lock}::bigint) AS locked) AS claim`)
    .leftJoin(knex('idempotency_record').where(whereScope(p)).as('r'), sql`true`));

const exists = statement<IdempotencyScope, { one: number }>('idempotency.exists', (p) => knex('idempotency_record').where(whereScope(p)).select(sql`1 AS one`));

const remove = statement<IdempotencyScope>('idempotency.remove', (p) => knex('idempotency_record').where(whereScope(p)).del());

type NewRecord = IdempotencyScope & { environment: Environment; fingerprint: Buffer; status: number; headers: string; body: Buffer | null; personalData: boolean; now: Date; expiresAt: Date };
const insert = statement<NewRecord>('idempotency.insert', (p) =>
  knex('idempotency_record').insert({
    ...whereScope(p), environment: p.environment, fingerprint: p.fingerprint, status: p.status, headers: p.headers, body: p.body,
    personal_data: p.personalData, created_at: p.now, expires_at: p.expiresAt,
  }));

const PURGED_AT_ONCE = 1000;
const KEY = ['tenant_id', 'principal', 'method', 'path', 'key_hash'];
const purge = statement<Record<never, never>>('idempotency.purge', () => knex('idempotency_record')
  .whereIn(KEY, knex('idempotency_record').select(KEY).where('expires_at', '<', knex.fn.now()).limit(PURGED_AT_ONCE)).del());

/**
 * Locks the key for the transaction and reads its record, in one statement. Undefined when another call holds the key.
 * If that call commits just between the statement's snapshot and the lock, its record is not seen here. Then the
 * primary key refuses the second record at the end, and with it everything that was done in between.
 */
export async function claim(tx: Transaction, lock: bigint, scope: IdempotencyScope): Promise<RecordRow | null | undefined> {
  const [row] = await tx.run(lockAndFind, { ...scope, lock });
  if (row?.locked !== true) return undefined;
  return row.fingerprint === null ? null : row;
}

const emit = statement<Record<never, never>>('idempotency.awaitDisk', () => sql`SELECT pg_logical_emit_message(true, 'flush', '')`);

/**
 * A record can be seen a moment before it is on disk (database/write-transaction.ts), and an answer that is repeated must
 * not be undone by a crash. A transaction that has written something waits at COMMIT for the disk, and with it for
 * everything that was committed before.
 */
export async function awaitDisk(tx: Transaction): Promise<void> {
  await tx.run(emit, {});
}

export async function isRecorded(database: Database, scope: IdempotencyScope): Promise<boolean> {
  const rows = await database.transaction({ tenantId: scope.tenantId, readOnly: true }, (tx) => tx.run(exists, scope));
  return rows.length > 0;
}

export function insertAtEnd(tx: Transaction, record: NewRecord, replacesExpired: boolean): void {
  if (replacesExpired) tx.atEnd(remove, record);
  tx.atEnd(insert, record);
}

/** Removes what is older than a day, in steps that lock no more than they need. */
export function purgeExpired(database: Database, signal: AbortSignal): Promise<number> {
  return inBatches(database, purge, PURGED_AT_ONCE, signal);
}
