/**
 * Statements of the pipeline: the state of the tenant inside the transaction, and records of idempotency. Used by
 * transact.ts, idempotency.ts and the periodic jobs. A tenant that differs from the credential cache throws
 * `TenantChanged`, and the request is repeated.
 */
import type { Environment } from '../contract/operation.ts';
import {
  boolean,
  bytes,
  code,
  type Database,
  type InsertOf,
  integer,
  json,
  type RowOf,
  sql,
  statement,
  table,
  text,
  timestamp,
  type Transaction,
  uuid,
} from '../database/index.ts';
import { lockKey } from '../database/advisory-lock.ts';
import type { ParametersOf, Statement } from '../database/statement.ts';
import type { Caller } from '../identity/caller.ts';

/**
 * The condition is evaluated in plain SQL, because a PL/pgSQL function costs more than the look-up; the function
 * evaluates it again only to raise the error. If no offset is passed, any offset is accepted.
 */
const requireState = statement<{
  tenantId: string;
  status: string;
  sandboxEnabled: boolean;
  clockOffsetSeconds: number | null;
}>(
  'tenant.requireState',
  (p) => sql`
  SELECT require_tenant_state(${p.tenantId}::uuid, ${p.status}::text, ${p.sandboxEnabled}::boolean,
    ${p.clockOffsetSeconds}::bigint)
  WHERE NOT EXISTS (
    SELECT FROM tenant WHERE id = ${p.tenantId}::uuid AND status = ${p.status}::text
      AND sandbox_enabled = ${p.sandboxEnabled}::boolean
      AND sandbox_clock_offset_seconds = coalesce(${p.clockOffsetSeconds}::bigint, sandbox_clock_offset_seconds))`,
);

/**
 * Checks in the transaction that the tenant still matches the credential cache, which decided whether the caller was
 * admitted, which environment it uses and what its business time is. If not, it throws `TenantChanged`, and the
 * transaction is rolled back and repeated. Calls that move the clock of the sandbox lock its row and read it then,
 * because several of them would make one another repeat for ever.
 */
export async function requireTenantState(
  tx: Transaction,
  { principal: { tenantId }, tenantState }: Caller,
  { movesClock }: { readonly movesClock: boolean },
): Promise<void> {
  const { tenantStatus: status, sandboxEnabled, sandboxClockOffsetSeconds } = tenantState;
  await tx.run(requireState, {
    tenantId,
    status,
    sandboxEnabled,
    clockOffsetSeconds: movesClock ? null : sandboxClockOffsetSeconds,
  });
}

/**
 * Repeats a statement that changes at most `size` rows until no rows are left, so that no lock is held for long. Runs
 * as platform work.
 */
async function inBatches(
  database: Database,
  statement: Statement<Record<never, never>, never>,
  size: number,
  signal: AbortSignal,
): Promise<number> {
  let sum = 0;
  for (;;) {
    if (signal.aborted) return sum;
    const count = await database.platform({ tenantId: null }, (tx) => tx.count(statement, {}));
    sum += count;
    if (count < size) return sum;
  }
}

export const idempotencyRecord = table(
  'idempotency_record',
  {
    tenantId: uuid(),
    principal: text(),
    method: text(),
    path: text(),
    keyHash: bytes(),
    /** Environment of the changed resource. */
    environment: code<Environment>(),
    fingerprint: bytes(),
    status: integer(),
    headers: json<Readonly<Record<string, string>>>(),
    body: bytes().nullable(),
    /** Whether the body contains unmasked personal data. */
    personalData: boolean(),
    createdAt: timestamp(),
    expiresAt: timestamp(),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'both',
    example: {
      principal: 'p',
      method: 'POST',
      path: '/',
      status: 201,
      expiresAt: '2100-01-01T00:00:00.000Z',
    },
  },
);

type NewRecord = InsertOf<typeof idempotencyRecord>;

const SCOPE = ['tenantId', 'principal', 'method', 'path', 'keyHash'] as const;

/** Scope in which an idempotency key is unique: other callers and other paths may use the same key. */
export type IdempotencyScope = Pick<NewRecord, (typeof SCOPE)[number]>;

const ofScope = ({ tenantId, principal, method, path, keyHash }: ParametersOf<IdempotencyScope>) =>
  idempotencyRecord.equal({
    tenantId,
    principal,
    method,
    path,
    keyHash,
  });

const recorded = idempotencyRecord
  .as('r')
  .select('environment', 'fingerprint', 'status', 'headers', 'body', 'personalData');

export interface RecordRow extends RowOf<typeof recorded> {
  readonly expired: boolean;
}

type ReservationRow = { readonly locked: boolean } & (RecordRow | { readonly [P in keyof RecordRow]: null });

const lockAndFind = statement<IdempotencyScope & { identity: string }, ReservationRow>(
  'idempotency.reserve',
  (p) => sql`
  SELECT reservation.locked, ${recorded}, r.expires_at <= now() AS expired
  FROM (SELECT pg_try_advisory_xact_lock${lockKey('idempotency key', p.identity)} AS locked) AS reservation
  LEFT JOIN (SELECT * FROM idempotency_record WHERE ${ofScope(p)}) AS r ON true`,
);

const exists = statement<IdempotencyScope, { one: number }>(
  'idempotency.exists',
  (p) => sql`SELECT 1 AS one FROM idempotency_record WHERE ${ofScope(p)}`,
);

const remove = statement<IdempotencyScope>(
  'idempotency.remove',
  (p) => sql`DELETE FROM idempotency_record WHERE ${ofScope(p)}`,
);

const insert = statement<NewRecord>('idempotency.insert', (p) => idempotencyRecord.insert(p));

const PURGE_BATCH_SIZE = 1000;
const purge = statement<Record<never, never>>(
  'idempotency.purge',
  () => sql`
  DELETE FROM idempotency_record WHERE (${idempotencyRecord.list(...SCOPE)}) IN (
    SELECT ${idempotencyRecord.list(...SCOPE)} FROM idempotency_record WHERE expires_at < now()
      LIMIT ${PURGE_BATCH_SIZE})`,
);

/**
 * Locks the key for the transaction by `identity`, the scope as text, and reads its record, in one statement. Returns
 * undefined if another call holds the key. If that call commits between the snapshot of the statement and the lock, its
 * record is not visible here; the primary key then refuses the second record before COMMIT, and everything in between
 * is rolled back.
 */
export async function reserveKey(
  tx: Transaction,
  identity: string,
  scope: IdempotencyScope,
): Promise<RecordRow | null | undefined> {
  const [row] = await tx.run(lockAndFind, { ...scope, identity });
  if (row?.locked !== true) return undefined;
  return row.fingerprint === null ? null : row;
}

const flushMessage = statement<Record<never, never>>(
  'idempotency.awaitDurability',
  () => sql`SELECT pg_logical_emit_message(true, 'flush', '')`,
);

/**
 * Makes the transaction wait at COMMIT until the record that it has read is on disk. A record can be visible a moment
 * before that (database/write-transaction.ts), and a crash must not undo a response that has been replayed. The
 * message makes the transaction write something, so that COMMIT waits for the disk and with it for everything that was
 * committed earlier.
 */
export async function awaitDurability(tx: Transaction): Promise<void> {
  await tx.run(flushMessage, {});
}

export async function isRecorded(database: Database, scope: IdempotencyScope): Promise<boolean> {
  const rows = await database.transaction({ tenantId: scope.tenantId, readOnly: true }, (tx) => tx.run(exists, scope));
  return rows.length > 0;
}

export function insertBeforeCommit(tx: Transaction, record: NewRecord, replacesExpired: boolean): void {
  if (replacesExpired) tx.beforeCommit(remove, record);
  tx.beforeCommit(insert, record);
}

/** Deletes expired records in batches. */
export function purgeExpired(database: Database, signal: AbortSignal): Promise<number> {
  return inBatches(database, purge, PURGE_BATCH_SIZE, signal);
}
