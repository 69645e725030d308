import { checkpointHash, type Checkpoint } from './audit-checkpoint.ts';
import { statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

interface Row {
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

const columns = ['tenant_id', 'tree_size', 'root_hash', 'head_hash', 'signed_at', 'previous_hash', 'key_id', 'signature', 'hash'];

/** Checkpoints of one tenant at the same time wait for one another, as long as the transaction lasts. */
const lock = statement<{ tenantId: string }>('checkpoint.lock', (knex, p) =>
  knex.raw(`SELECT pg_advisory_xact_lock(hashtextextended('audit checkpoint ' || ?::text, 0))`, [p.tenantId]));

const findNewest = statement<{ tenantId: string; below: number }, Row>('checkpoint.newest', (knex, p) =>
  knex('audit_checkpoint').select(columns).where({ tenant_id: p.tenantId }).where('tree_size', '<', p.below as never)
    .orderBy('tree_size', 'desc').limit(1));

const findRange = statement<{ tenantId: string; from: number; to: number }, Row>('checkpoint.range', (knex, p) =>
  knex('audit_checkpoint').select(columns).where({ tenant_id: p.tenantId }).whereBetween('tree_size', [p.from as never, p.to as never]).orderBy('tree_size'));

const insert = statement<{
  tenantId: string; treeSize: number; rootHash: Buffer; headHash: Buffer; timestamp: string; previousHash: Buffer | null; keyId: string; signature: Buffer; hash: Buffer;
}>('checkpoint.insert', (knex, p) => knex('audit_checkpoint').insert({
  tenant_id: p.tenantId, tree_size: p.treeSize, root_hash: p.rootHash, head_hash: p.headHash, signed_at: p.timestamp,
  previous_hash: p.previousHash, key_id: p.keyId, signature: p.signature, hash: p.hash,
}));

export function lockCheckpoints(tx: Transaction, tenantId: string): void {
  void tx.run(lock, { tenantId });
}

/** The newest one, or the newest of fewer than `below` events. */
export async function newestCheckpoint(tx: Transaction, tenantId: string, below = Number.MAX_SAFE_INTEGER): Promise<StoredCheckpoint | null> {
  const [row] = await tx.run(findNewest, { tenantId, below });
  return row === undefined ? null : checkpointOf(row);
}

/** Those of `from` to `to` events, in order. */
export async function checkpointsBetween(tx: Transaction, tenantId: string, from: number, to: number): Promise<StoredCheckpoint[]> {
  return (await tx.run(findRange, { tenantId, from, to })).map(checkpointOf);
}

export function insertCheckpoint(tx: Transaction, checkpoint: Checkpoint): Promise<unknown> {
  const { tenantId, treeSize, rootHash, headHash, timestamp, previousHash, keyId, signature } = checkpoint;
  return tx.run(insert, { tenantId, treeSize, rootHash, headHash, timestamp, previousHash, keyId, signature, hash: checkpointHash(checkpoint) });
}

function checkpointOf(row: Row): StoredCheckpoint {
  return {
    tenantId: row.tenant_id, treeSize: row.tree_size, rootHash: row.root_hash, headHash: row.head_hash, timestamp: row.signed_at,
    previousHash: row.previous_hash, keyId: row.key_id, signature: row.signature, hash: row.hash,
  };
}
