import type { components } from '../../contract/generated/types.ts';
import type { Context } from '../../contract/handlers.ts';
import { checkpointsBetween, inclusionPath, newestCheckpoint, subtreeHashes, type AuditRow, type Checkpoint } from '../../database/audit.ts';
import type { Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import type { Checkpointing } from './checkpointing.ts';
import { findEvent } from './store.ts';
import { checkpointToWire, hex } from './wire.ts';

type Ask = Pick<Context<'getAuditProof'>, 'tx' | 'principal' | 'params' | 'query' | 'visible' | 'now'>;

/** The way from an event to the root of a signed checkpoint. */
export async function proveEvent({ tx, principal: { tenantId }, params, query, visible, now }: Ask, checkpointing: Checkpointing): Promise<components['schemas']['AuditProof']> {
  const event = await findEvent(tx, tenantId, params.eventId, visible);
  if (event === null) throw new Problem('not_found');
  const checkpoint = query.treeSize === undefined
    ? await covering(tx, tenantId, event, checkpointing, now)
    : await ofSize(tx, tenantId, event, query.treeSize, checkpointing, now);
  const index = event.sequence - 1;
  const path = await checkpointing.watching(tenantId, checkpoint, () => subtreeHashes(tx, tenantId, inclusionPath(index, checkpoint.treeSize)));
  return {
    eventId: event.id, leafHash: hex(event.hash), index, treeSize: checkpoint.treeSize, path: path.map(hex), rootHash: hex(checkpoint.rootHash),
    checkpoint: checkpointToWire(checkpoint), publicKey: { ...checkpointing.publicKey },
  };
}

async function covering(tx: Transaction, tenantId: string, { sequence }: AuditRow, checkpointing: Checkpointing, now: Date): Promise<Checkpoint> {
  const newest = await newestCheckpoint(tx, tenantId);
  if (newest !== null && newest.treeSize >= sequence) return newest;
  const made = await checkpointing.onDemand(tenantId, newest, now);
  if (made === null || made.treeSize < sequence) throw checkpointing.notYet(made ?? newest, now);
  return made;
}

async function ofSize(tx: Transaction, tenantId: string, { sequence }: AuditRow, treeSize: number, checkpointing: Checkpointing, now: Date): Promise<Checkpoint> {
  if (treeSize < sequence) throw wrongSize('must be a tree that holds the event');
  const [checkpoint] = await checkpointsBetween(tx, tenantId, treeSize, treeSize);
  if (checkpoint !== undefined) return checkpoint;
  const newest = await newestCheckpoint(tx, tenantId);
  if (newest === null || newest.treeSize < treeSize) throw checkpointing.notYet(newest, now);
  throw wrongSize('must be the size of a checkpoint');
}

function wrongSize(message: string): Problem {
  return new Problem('invalid_parameter', { errors: [{ parameter: 'treeSize', code: 'invalid', message }] });
}
