/**
 * The signed checkpoints of each tenant's log: their table and the statements that read and write them. The input of
 * the hashes is defined in checkpoint.ts. Used by making and verifying checkpoints, exports and proofs.
 */
import { lockUntilCommit } from '../database/advisory-lock.ts';
import { PLATFORM_TENANT_ID } from '../database/roles.ts';
import { sql } from '../database/sql.ts';
import { statement } from '../database/statement.ts';
import { bigint, bytes, code, type InsertOf, type RowOf, table, text, timestamp, uuid } from '../database/table.ts';
import type { AuditChain, Transaction } from '../database/transaction.ts';
import { type Checkpoint, checkpointHash } from './checkpoint.ts';
import { auditHead, type AuditRow } from './store.ts';

export const auditCheckpoint = table(
  'audit_checkpoint',
  {
    tenantId: uuid(),
    chain: code<AuditChain>().defaulted(),
    treeSize: bigint(),
    rootHash: bytes(),
    headHash: bytes(),
    timestamp: timestamp().named('signed_at'),
    previousHash: bytes().nullable(),
    keyId: text(),
    signature: bytes(),
    // The next checkpoint refers to this hash.
    hash: bytes(),
  },
  {
    owner: 'tenant',
    sandboxReset: { kept: 'the audit log also covers the sandbox and its resets' },
    insertedBy: 'platform',
    example: { keyId: 'k', signature: Buffer.alloc(64) },
  },
);

export const wholeCheckpoint = auditCheckpoint.select();
/** Stored checkpoint. */
export type StoredCheckpoint = RowOf<typeof wholeCheckpoint>;

const findNewest = statement<{ tenantId: string; below: number }, StoredCheckpoint>(
  'checkpoint.newest',
  (p) => sql`
  SELECT ${wholeCheckpoint} FROM audit_checkpoint WHERE ${auditCheckpoint.equal({ tenantId: p.tenantId })}
    AND tree_size < ${p.below} ORDER BY tree_size DESC LIMIT 1`,
);

const findRange = statement<{ tenantId: string; from: number; to: number }, StoredCheckpoint>(
  'checkpoint.range',
  (p) => sql`
  SELECT ${wholeCheckpoint} FROM audit_checkpoint
  WHERE ${auditCheckpoint.equal({ tenantId: p.tenantId })} AND tree_size BETWEEN ${p.from} AND ${p.to}
    ORDER BY tree_size`,
);

/**
 * Finds tenants whose checkpoint is due. The platform's own chain comes last, because the checkpoints of the others are
 * events in it.
 */
const findDue = statement<{ before: Date; events: number; platform: string }, Pick<AuditRow, 'tenantId'>>(
  'checkpoint.due',
  (p) => sql`
  SELECT ${auditHead.as('head').select('tenantId')} FROM audit_head head
  LEFT JOIN LATERAL (
    SELECT tree_size, signed_at FROM audit_checkpoint WHERE tenant_id = head.tenant_id ORDER BY tree_size DESC LIMIT 1
  ) newest ON true
  WHERE head.sequence > coalesce(newest.tree_size, 0)
    AND (newest.signed_at IS NULL OR newest.signed_at <= ${p.before}::timestamptz
      OR head.sequence >= newest.tree_size + ${p.events}::bigint)
  ORDER BY head.tenant_id = ${p.platform}::uuid, head.tenant_id`,
);

// A reader may store a checkpoint, so it must survive a crash together with all events that it covers.
const insertCheckpointRow = statement<InsertOf<typeof auditCheckpoint>>(
  'checkpoint.insert',
  (p) => auditCheckpoint.insert(p),
  { durable: true },
);

/** Makes processes that sign checkpoints of one tenant wait for one another until the transaction ends. */
export function lockCheckpoints(tx: Transaction, tenantId: string): void {
  void lockUntilCommit(tx, 'audit checkpoint', tenantId);
}

/** Returns the newest checkpoint, or the newest one that covers fewer than `below` events. */
export async function newestCheckpoint(
  tx: Transaction,
  tenantId: string,
  below = Number.MAX_SAFE_INTEGER,
): Promise<StoredCheckpoint | null> {
  return (await tx.run(findNewest, { tenantId, below }))[0] ?? null;
}

/** Returns the checkpoints that cover from `from` to `to` events, in order. */
export function checkpointsBetween(
  tx: Transaction,
  tenantId: string,
  from: number,
  to: number,
): Promise<StoredCheckpoint[]> {
  return tx.run(findRange, { tenantId, from, to });
}

/**
 * Returns the tenants with events after their newest checkpoint, if that was made before `before` or at least `events`
 * events are missing from it.
 */
export async function dueTenants(
  tx: Transaction,
  due: { readonly before: Date; readonly events: number },
): Promise<string[]> {
  return (await tx.run(findDue, { ...due, platform: PLATFORM_TENANT_ID })).map(({ tenantId }) => tenantId);
}

export function insertCheckpoint(tx: Transaction, checkpoint: Checkpoint): Promise<unknown> {
  const { tenantId, treeSize, rootHash, headHash, timestamp, previousHash, keyId, signature } = checkpoint;
  return tx.run(insertCheckpointRow, {
    tenantId,
    treeSize,
    rootHash,
    headHash,
    timestamp,
    previousHash,
    keyId,
    signature,
    hash: checkpointHash(checkpoint),
  });
}
