/**
 * Checks the new events of a tenant and signs a checkpoint over all. Called by the module audit-log, on demand and
 * periodically. A log that is not intact is not signed (`ChainBroken`). Each checkpoint is also recorded in the
 * platform's chain, so that cutting off a log is noticed.
 */
import type { RealTime } from '../base/time.ts';
import { PLATFORM_TENANT_ID } from '../database/roles.ts';
import { type Transaction, withinTenant } from '../database/transaction.ts';
import { appendAudit, checkRow, genesisHash } from './chain.ts';
import { type Checkpoint, checkpointHash, type CheckpointSigner, isGenuine, signCheckpoint } from './checkpoint.ts';
import { insertCheckpoint, lockCheckpoints, newestCheckpoint } from './checkpoint-store.ts';
import { readHead, readLastAbout, readRows } from './store.ts';
import { insertNodes, storedFrontier } from './tree.ts';
import { eventLoopYielder, type FailureKind } from './walk.ts';

/** Action of the event that records the checkpoint of a tenant in the platform's own chain. */
const CHECKPOINTED = 'audit.checkpointed';

/** Record of a tenant's newest checkpoint in the platform's own chain. */
export interface AnnouncedCheckpoint {
  readonly treeSize: number;
  readonly checkpointHash: string;
}

/**
 * Records a checkpoint in the platform's own chain. The platform's own checkpoints are not recorded there, because each
 * such event would require the next checkpoint. Platform work.
 */
function appendCheckpointEvent(tx: Transaction, checkpoint: Checkpoint, now: RealTime): void {
  if (checkpoint.tenantId === PLATFORM_TENANT_ID) return;
  const facts = {
    treeSize: checkpoint.treeSize,
    rootHash: checkpoint.rootHash.toString('hex'),
    checkpointHash: checkpointHash(checkpoint).toString('hex'),
  };
  appendAudit(withinTenant(tx, PLATFORM_TENANT_ID), {
    occurredAt: now.toISOString(),
    environment: 'live',
    action: CHECKPOINTED,
    outcome: 'success',
    actor: {
      type: 'system',
      id: null,
      display: 'Audit log',
      impersonatorId: null,
    },
    resource: { type: 'tenant', id: checkpoint.tenantId },
    changes: Object.entries(facts).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
  });
}

/**
 * Returns the last recorded checkpoint, or null before a tenant's first one and for the platform itself. Platform work.
 */
export async function readAnnouncedCheckpoint(tx: Transaction, tenantId: string): Promise<AnnouncedCheckpoint | null> {
  if (tenantId === PLATFORM_TENANT_ID) return null;
  const announced = await readLastAbout(
    withinTenant(tx, PLATFORM_TENANT_ID),
    PLATFORM_TENANT_ID,
    CHECKPOINTED,
    tenantId,
  );
  if (announced === null) return null;
  const facts = Object.fromEntries(announced.changes.map(({ path, value }) => [path, value]));
  return { treeSize: Number(facts['/treeSize']), checkpointHash: String(facts['/checkpointHash']) };
}

const PAGE_SIZE = 200;
/** Batch size: a backlog is signed in parts, so that no transaction lasts long. */
const MAX_EVENTS = 50_000;

/** Thrown if the log is not intact and so is not signed. `verifyLog` reports the details. */
export class ChainBroken extends Error {
  override readonly name = 'ChainBroken';
  readonly sequence: number;
  readonly kind: FailureKind;
  constructor(sequence: number, kind: FailureKind) {
    super(`${kind} at event ${sequence}`);
    this.sequence = sequence;
    this.kind = kind;
  }
}

/**
 * Checks the events of a tenant that no checkpoint covers yet and signs the tree of all events. Without new events it
 * returns the newest checkpoint, and null if the tenant has no events at all. Processes that do this at the same time
 * wait for one another, and only the first one signs. The checkpoint is also recorded in the platform's own chain, in
 * the log of the same kind, so that truncating the log of a tenant can be detected. Platform work.
 */
export async function makeCheckpoint(
  transaction: Transaction,
  { tenantId, signer, now }: { tenantId: string; signer: CheckpointSigner; now: RealTime },
): Promise<Checkpoint | null> {
  const tx = withinTenant(transaction, tenantId);
  lockCheckpoints(tx, tenantId);
  const previous = await newestCheckpoint(tx, tenantId);
  const head = await readHead(tx, tenantId);
  const covered = previous?.treeSize ?? 0;
  if (head.sequence === covered) return previous;
  await assertRecordedCheckpoint(transaction, tenantId, previous);
  const frontier = await storedFrontier(tx, tenantId, covered, covered);
  if (frontier === null) throw new ChainBroken(covered, 'root_mismatch');
  if (previous !== null && !(isGenuine(previous, signer) && frontier.root().equals(previous.rootHash)))
    throw new ChainBroken(covered, 'checkpoint_mismatch');
  const size = Math.min(head.sequence, covered + MAX_EVENTS);
  const yieldToRequests = eventLoopYielder();
  let headHash = previous?.headHash ?? genesisHash(tenantId, tx.auditChain);
  while (frontier.size < size) {
    const from = frontier.size + 1;
    const to = Math.min(size, frontier.size + PAGE_SIZE);
    const rows = await readRows(tx, tenantId, from, to);
    const nodes = [];
    for (let sequence = from; sequence <= to; sequence++) {
      const row = rows[sequence - from];
      const kind = checkRow(row, sequence, headHash);
      if (row === undefined || kind !== null) throw new ChainBroken(sequence, kind ?? 'gap');
      nodes.push(...frontier.append(row.hash));
      headHash = row.hash;
      await yieldToRequests();
    }
    await insertNodes(tx, tenantId, nodes);
  }
  const timestamp = new Date(
    Math.max(now.getTime(), Date.parse(previous?.timestamp ?? '1970-01-01T00:00:00Z')),
  ).toISOString();
  const checkpoint = signCheckpoint(
    {
      tenantId,
      chain: tx.auditChain,
      treeSize: size,
      rootHash: frontier.root(),
      headHash,
      timestamp,
      previousHash: previous === null ? null : checkpointHash(previous),
    },
    signer,
  );
  await insertCheckpoint(tx, checkpoint);
  appendCheckpointEvent(transaction, checkpoint, now);
  return checkpoint;
}

/**
 * Checks the newest checkpoint against the platform's record. Without this check, a log whose checkpoints were removed
 * would be signed again, whatever events it contains by then.
 */
async function assertRecordedCheckpoint(tx: Transaction, tenantId: string, newest: Checkpoint | null): Promise<void> {
  if (tenantId === PLATFORM_TENANT_ID) return;
  const announced = await readAnnouncedCheckpoint(tx, tenantId);
  if ((announced?.checkpointHash ?? null) === (newest === null ? null : checkpointHash(newest).toString('hex'))) return;
  throw new ChainBroken(announced?.treeSize ?? newest?.treeSize ?? 0, 'checkpoint_mismatch');
}
