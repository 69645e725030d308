import { lockUntilCommit } from '../database/advisory-lock.ts';
import { PLATFORM_TENANT_ID } from '../database/roles.ts';
import { sql } from '../database/sql.ts';
import { statement } from '../database/statement.ts';
import { bigint, bytes, type InsertOf, type RowOf, table, text, timestamp, uuid } from '../database/table.ts';
import type { Transaction } from '../database/transaction.ts';
import { auditEvent, auditHead, type AuditRow, wholeEvent } from './chain.ts';
import { type Checkpoint, checkpointHash } from './checkpoint.ts';

const head = auditHead.select('sequence', 'hash');
export type AuditHead = RowOf<typeof head>;

const findHead = statement<{ tenantId: string }, AuditHead>('audit.head', (p) => sql`
  SELECT ${head} FROM audit_head WHERE ${auditHead.equal({ tenantId: p.tenantId })}`, { expectRows: 1 });

const findEvents = statement<{ tenantId: string; from: number; to: number }, AuditRow>('audit.rows', (p) => sql`
  SELECT ${wholeEvent} FROM audit_event WHERE ${auditEvent.equal({ tenantId: p.tenantId })} AND sequence BETWEEN ${p.from} AND ${p.to} ORDER BY sequence`);

const findLast = statement<{ tenantId: string }, Pick<AuditRow, 'sequence'>>('audit.last', (p) => sql`
  SELECT sequence FROM audit_event WHERE ${auditEvent.equal({ tenantId: p.tenantId })} ORDER BY sequence DESC LIMIT 1`);

const findLastAbout = statement<{ tenantId: string; action: string; resourceId: string }, AuditRow>('audit.lastAbout', (p) => sql`
  SELECT ${wholeEvent} FROM audit_event WHERE ${auditEvent.equal({ tenantId: p.tenantId, resourceId: p.resourceId, action: p.action })} ORDER BY sequence DESC LIMIT 1`);

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

export const auditCheckpoint = table('audit_checkpoint', {
  tenantId: uuid().fixed(),
  treeSize: bigint().fixed(),
  rootHash: bytes().fixed(),
  headHash: bytes().fixed(),
  timestamp: timestamp().named('signed_at').fixed(),
  previousHash: bytes().nullable().fixed(),
  keyId: text().fixed(),
  signature: bytes().fixed(),
  // The next checkpoint was made to refer to it by this hash.
  hash: bytes().fixed(),
});

export const wholeCheckpoint = auditCheckpoint.select();
/** A checkpoint as it is stored. */
export type StoredCheckpoint = RowOf<typeof wholeCheckpoint>;

const findNewest = statement<{ tenantId: string; below: number }, StoredCheckpoint>('checkpoint.newest', (p) => sql`
  SELECT ${wholeCheckpoint} FROM audit_checkpoint WHERE ${auditCheckpoint.equal({ tenantId: p.tenantId })} AND tree_size < ${p.below} ORDER BY tree_size DESC LIMIT 1`);

const findRange = statement<{ tenantId: string; from: number; to: number }, StoredCheckpoint>('checkpoint.range', (p) => sql`
  SELECT ${wholeCheckpoint} FROM audit_checkpoint
  WHERE ${auditCheckpoint.equal({ tenantId: p.tenantId })} AND tree_size BETWEEN ${p.from} AND ${p.to} ORDER BY tree_size`);

/** The platform's own chain comes last, because the checkpoints of the others are events in it. */
const findDue = statement<{ before: Date; events: number; platform: string }, Pick<AuditRow, 'tenantId'>>('checkpoint.due', (p) => sql`
  SELECT ${auditHead.as('head').select('tenantId')} FROM audit_head head
  LEFT JOIN LATERAL (
    SELECT tree_size, signed_at FROM audit_checkpoint WHERE tenant_id = head.tenant_id ORDER BY tree_size DESC LIMIT 1
  ) newest ON true
  WHERE head.sequence > coalesce(newest.tree_size, 0)
    AND (newest.signed_at IS NULL OR newest.signed_at <= ${p.before}::timestamptz OR head.sequence >= newest.tree_size + ${p.events}::bigint)
  ORDER BY head.tenant_id = ${p.platform}::uuid, head.tenant_id`);

// A checkpoint may be kept by whoever has read it, so it must survive a crash together with all events that it covers.
const insertCheckpointRow = statement<InsertOf<typeof auditCheckpoint>>('checkpoint.insert', (p) => auditCheckpoint.insert(p), { durable: true });

/** Makes processes that sign checkpoints of one tenant wait for one another until the transaction ends. */
export function lockCheckpoints(tx: Transaction, tenantId: string): void {
  void lockUntilCommit(tx, 'audit checkpoint', tenantId);
}

/** The newest checkpoint, or the newest one that covers fewer than `below` events. */
export async function newestCheckpoint(tx: Transaction, tenantId: string, below = Number.MAX_SAFE_INTEGER): Promise<StoredCheckpoint | null> {
  return (await tx.run(findNewest, { tenantId, below }))[0] ?? null;
}

/** The checkpoints that cover from `from` to `to` events, in order. */
export function checkpointsBetween(tx: Transaction, tenantId: string, from: number, to: number): Promise<StoredCheckpoint[]> {
  return tx.run(findRange, { tenantId, from, to });
}

/** The tenants with events after their newest checkpoint, if that was made before `before` or misses at least `events` events. */
export async function dueTenants(tx: Transaction, due: { readonly before: Date; readonly events: number }): Promise<string[]> {
  return (await tx.run(findDue, { ...due, platform: PLATFORM_TENANT_ID })).map(({ tenantId }) => tenantId);
}

export function insertCheckpoint(tx: Transaction, checkpoint: Checkpoint): Promise<unknown> {
  const { tenantId, treeSize, rootHash, headHash, timestamp, previousHash, keyId, signature } = checkpoint;
  return tx.run(insertCheckpointRow, { tenantId, treeSize, rootHash, headHash, timestamp, previousHash, keyId, signature, hash: checkpointHash(checkpoint) });
}
