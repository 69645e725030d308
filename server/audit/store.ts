import { lockUntilCommit } from '../database/advisory-lock.ts';
import { PLATFORM_TENANT_ID } from '../database/roles.ts';
import { sql } from '../database/sql.ts';
import { knex, statement } from '../database/statement.ts';
import type { Transaction } from '../database/transaction.ts';
import type { AuditRow } from './chain.ts';
import { type Checkpoint, checkpointHash } from './checkpoint.ts';

export interface AuditHead {
  readonly sequence: number;
  readonly hash: Buffer;
}

const findHead = statement<{ tenantId: string }, AuditHead>('audit.head', (p) =>
  knex('audit_head').select('sequence', 'hash').where({ tenant_id: p.tenantId }), { expectRows: 1 });

const findEvents = statement<{ tenantId: string; from: number; to: number }, AuditRow>('audit.rows', (p) =>
  knex('audit_event').select('*').where({ tenant_id: p.tenantId }).where(sql`sequence BETWEEN ${p.from} AND ${p.to}`).orderBy('sequence'));

const findLast = statement<{ tenantId: string }, { sequence: number }>('audit.last', (p) =>
  knex('audit_event').select('sequence').where({ tenant_id: p.tenantId }).orderBy('sequence', 'desc').limit(1));

const findLastAbout = statement<{ tenantId: string; action: string; resourceId: string }, AuditRow>('audit.lastAbout', (p) =>
  knex('audit_event').select('*').where({ tenant_id: p.tenantId, resource_id: p.resourceId, action: p.action }).orderBy('sequence', 'desc').limit(1));

/** The head of the tenant's chain: the number and hash of the last event. */
export async function readHead(tx: Transaction, tenantId: string): Promise<AuditHead> {
  return (await tx.run(findHead, { tenantId }))[0] as AuditHead;
}

export function readRows(tx: Transaction, tenantId: string, from: number, to: number): Promise<AuditRow[]> {
  return tx.run(findEvents, { tenantId, from, to });
}

/** The sequence of the last event that is stored; 0 without any. */
export async function readLastSequence(tx: Transaction, tenantId: string): Promise<number> {
  return (await tx.run(findLast, { tenantId }))[0]?.sequence ?? 0;
}

/** The newest event of this action about this resource. */
export async function readLastAbout(tx: Transaction, tenantId: string, action: string, resourceId: string): Promise<AuditRow | null> {
  return (await tx.run(findLastAbout, { tenantId, action, resourceId }))[0] ?? null;
}

export interface CheckpointRow {
  readonly tenant_id: string;
  readonly tree_size: number;
  readonly root_hash: Buffer;
  readonly head_hash: Buffer;
  readonly signed_at: string;
  readonly previous_hash: Buffer | null;
  readonly key_id: string;
  readonly signature: Buffer;
  readonly hash: Buffer;
}

/** A checkpoint as it is stored, with the hash by which the next one was made to refer to it. */
export interface StoredCheckpoint extends Checkpoint {
  readonly hash: Buffer;
}

export const checkpointColumns = ['tenant_id', 'tree_size', 'root_hash', 'head_hash', 'signed_at', 'previous_hash', 'key_id', 'signature', 'hash'];

const findNewest = statement<{ tenantId: string; below: number }, CheckpointRow>('checkpoint.newest', (p) =>
  knex('audit_checkpoint').select(checkpointColumns).where({ tenant_id: p.tenantId }).where(sql`tree_size < ${p.below}`)
    .orderBy('tree_size', 'desc').limit(1));

const findRange = statement<{ tenantId: string; from: number; to: number }, CheckpointRow>('checkpoint.range', (p) =>
  knex('audit_checkpoint').select(checkpointColumns).where({ tenant_id: p.tenantId }).where(sql`tree_size BETWEEN ${p.from} AND ${p.to}`).orderBy('tree_size'));

/** The platform's own chain comes last, because the checkpoints of the others are events in it. */
const findDue = statement<{ before: Date; events: number; platform: string }, { tenant_id: string }>('checkpoint.due', (p) => sql`
  SELECT head.tenant_id FROM audit_head head
  LEFT JOIN LATERAL (
    SELECT tree_size, signed_at FROM audit_checkpoint WHERE tenant_id = head.tenant_id ORDER BY tree_size DESC LIMIT 1
  ) newest ON true
  WHERE head.sequence > coalesce(newest.tree_size, 0)
    AND (newest.signed_at IS NULL OR newest.signed_at <= ${p.before}::timestamptz OR head.sequence >= newest.tree_size + ${p.events}::bigint)
  ORDER BY head.tenant_id = ${p.platform}::uuid, head.tenant_id`);

const insertCheckpointRow = statement<{
  tenantId: string; treeSize: number; rootHash: Buffer; headHash: Buffer; timestamp: string; previousHash: Buffer | null; keyId: string; signature: Buffer; hash: Buffer;
}>('checkpoint.insert', (p) => knex('audit_checkpoint').insert({
  tenant_id: p.tenantId, tree_size: p.treeSize, root_hash: p.rootHash, head_hash: p.headHash, signed_at: p.timestamp,
  previous_hash: p.previousHash, key_id: p.keyId, signature: p.signature, hash: p.hash,
  // A checkpoint may be kept by whoever has read it, so it must survive a crash together with all events that it covers.
}), { durable: true });

/** Makes processes that sign checkpoints of one tenant wait for one another until the transaction ends. */
export function lockCheckpoints(tx: Transaction, tenantId: string): void {
  void lockUntilCommit(tx, 'audit checkpoint', tenantId);
}

/** The newest checkpoint, or the newest one that covers fewer than `below` events. */
export async function newestCheckpoint(tx: Transaction, tenantId: string, below = Number.MAX_SAFE_INTEGER): Promise<StoredCheckpoint | null> {
  const [row] = await tx.run(findNewest, { tenantId, below });
  return row === undefined ? null : checkpointOf(row);
}

/** The checkpoints that cover from `from` to `to` events, in order. */
export async function checkpointsBetween(tx: Transaction, tenantId: string, from: number, to: number): Promise<StoredCheckpoint[]> {
  return (await tx.run(findRange, { tenantId, from, to })).map(checkpointOf);
}

/** The tenants with events after their newest checkpoint, if that was made before `before` or misses at least `events` events. */
export async function dueTenants(tx: Transaction, due: { readonly before: Date; readonly events: number }): Promise<string[]> {
  return (await tx.run(findDue, { ...due, platform: PLATFORM_TENANT_ID })).map((row) => row.tenant_id);
}

export function insertCheckpoint(tx: Transaction, checkpoint: Checkpoint): Promise<unknown> {
  const { tenantId, treeSize, rootHash, headHash, timestamp, previousHash, keyId, signature } = checkpoint;
  return tx.run(insertCheckpointRow, { tenantId, treeSize, rootHash, headHash, timestamp, previousHash, keyId, signature, hash: checkpointHash(checkpoint) });
}

export function checkpointOf(row: CheckpointRow): StoredCheckpoint {
  return {
    tenantId: row.tenant_id, treeSize: row.tree_size, rootHash: row.root_hash, headHash: row.head_hash, timestamp: row.signed_at,
    previousHash: row.previous_hash, keyId: row.key_id, signature: row.signature, hash: row.hash,
  };
}
