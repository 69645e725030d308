import type { Environment } from '../contract/operation.ts';
import { type Database, knex, sql, statement, type Transaction } from '../database/index.ts';
import type { Parameter, Statement } from '../database/statement.ts';
import type { Caller } from '../identity/caller.ts';

const requireState = statement<{ tenantId: string; status: string; sandboxEnabled: boolean; clockOffsetSeconds: number | null }>('tenant.requireState', (p) => sql`
  SELECT require_tenant_state(${p.tenantId}::uuid, ${p.status}::text, ${p.sandboxEnabled}::boolean, coalesce(${p.clockOffsetSeconds}::bigint, (SELECT sandbox_clock_offset_seconds FROM tenant WHERE id = ${p.tenantId}::uuid)))`);

/**
 * What was remembered of the tenant decided whether the call may come in, in which environment it works and what time it is there.
 * This asks in the transaction whether it still is so: `TenantChanged` when not, and nothing that the transaction did lasts. Calls that
 * move the clock take turns and read it when theirs has come; many of them at once would send one another back for ever.
 */
export async function requireTenantState(tx: Transaction, { principal: { tenantId }, tenantState }: Caller, { movesClock }: { readonly movesClock: boolean }): Promise<void> {
  const { tenantStatus: status, sandboxEnabled, sandboxClockOffsetSeconds } = tenantState;
  await tx.run(requireState, { tenantId, status, sandboxEnabled, clockOffsetSeconds: movesClock ? null : sandboxClockOffsetSeconds });
}

/** Repeats a statement that touches at most `size` rows until there are no more: no lock is held for long. Platform work. */
export async function inBatches(database: Database, statement: Statement<Record<never, never>, never>, size: number, signal: AbortSignal): Promise<number> {
  let sum = 0;
  for (;;) {
    if (signal.aborted) return sum;
    const count = await database.platform({ tenantId: null }, (tx) => tx.count(statement, {}));
    sum += count;
    if (count < size) return sum;
  }
}

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

type ReservationRow = { readonly locked: boolean } & (RecordRow | { readonly [P in keyof RecordRow]: null });

const lockAndFind = statement<IdempotencyScope & { lock: bigint }, ReservationRow>('idempotency.claim', (p) =>
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
const PRIMARY_KEY = ['tenant_id', 'principal', 'method', 'path', 'key_hash'];
const purge = statement<Record<never, never>>('idempotency.purge', () => knex('idempotency_record')
  .whereIn(PRIMARY_KEY, knex('idempotency_record').select(PRIMARY_KEY).where('expires_at', '<', knex.fn.now()).limit(PURGED_AT_ONCE)).del());

/**
 * Locks the key for the transaction and reads its record, in one statement. Undefined when another call holds the key.
 * If that call commits just between the statement's snapshot and the lock, its record is not seen here. Then the
 * primary key refuses the second record at the end, and with it everything that was done in between.
 */
export async function reserveKey(tx: Transaction, lock: bigint, scope: IdempotencyScope): Promise<RecordRow | null | undefined> {
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
export async function awaitDurability(tx: Transaction): Promise<void> {
  await tx.run(emit, {});
}

export async function isRecorded(database: Database, scope: IdempotencyScope): Promise<boolean> {
  const rows = await database.transaction({ tenantId: scope.tenantId, readOnly: true }, (tx) => tx.run(exists, scope));
  return rows.length > 0;
}

export function insertBeforeCommit(tx: Transaction, record: NewRecord, replacesExpired: boolean): void {
  if (replacesExpired) tx.beforeCommit(remove, record);
  tx.beforeCommit(insert, record);
}

/** Removes what is older than a day, in steps that lock no more than they need. */
export function purgeExpired(database: Database, signal: AbortSignal): Promise<number> {
  return inBatches(database, purge, PURGED_AT_ONCE, signal);
}
