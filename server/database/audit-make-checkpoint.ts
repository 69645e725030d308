import { announce, readAnnounced } from './audit-announcement.ts';
import { genesisHash } from './audit-chain.ts';
import { checkpointHash, isGenuine, signCheckpoint, type Checkpoint } from './audit-checkpoint.ts';
import { insertCheckpoint, lockCheckpoints, newestCheckpoint } from './audit-checkpoint-store.ts';
import { readHead, readRows } from './audit-rows.ts';
import { checkRow } from './audit-row.ts';
import type { CheckpointSigner } from './audit-signer.ts';
import { slices } from './audit-slice.ts';
import { insertNodes, storedFrontier } from './audit-tree.ts';
import type { FailureKind } from './audit-walk.ts';
import { PLATFORM_TENANT_ID } from './platform-tenant.ts';
import type { Transaction } from './transaction.ts';
import { withinTenant } from './within-tenant.ts';

const PAGE = 200;
/** A backlog is signed in parts, so that no transaction lasts long. */
const MOST_EVENTS = 50_000;

/** The log does not hold, so it is not signed. `verify` says more. */
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
 * Signs the tree of a tenant's events, after walking those that no checkpoint covers yet; the newest checkpoint if there
 * are none, null if there are no events at all. Replicas that come at the same time wait and find the work done. Platform
 * work: the checkpoint is also an event of the platform's chain, where a tenant's log that is cut off leaves a trace.
 */
export async function makeCheckpoint(
  transaction: Transaction, { tenantId, signer, now }: { tenantId: string; signer: CheckpointSigner; now: Date },
): Promise<Checkpoint | null> {
  const tx = withinTenant(transaction, tenantId);
  lockCheckpoints(tx, tenantId);
  const previous = await newestCheckpoint(tx, tenantId);
  const head = await readHead(tx, tenantId);
  const covered = previous?.treeSize ?? 0;
  if (head.sequence === covered) return previous;
  await assertAnnounced(transaction, tenantId, previous);
  const frontier = await storedFrontier(tx, tenantId, covered, covered);
  if (frontier === null) throw new ChainBroken(covered, 'root_mismatch');
  if (previous !== null && !(isGenuine(previous, signer) && frontier.root().equals(previous.rootHash))) throw new ChainBroken(covered, 'checkpoint_mismatch');
  const size = Math.min(head.sequence, covered + MOST_EVENTS);
  const give = slices();
  let headHash = previous?.headHash ?? genesisHash(tenantId);
  while (frontier.size < size) {
    const from = frontier.size + 1;
    const to = Math.min(size, frontier.size + PAGE);
    const rows = await readRows(tx, tenantId, from, to);
    const nodes = [];
    for (let sequence = from; sequence <= to; sequence++) {
      const row = rows[sequence - from];
      const kind = checkRow(row, sequence, headHash);
      if (row === undefined || kind !== null) throw new ChainBroken(sequence, kind ?? 'gap');
      nodes.push(...frontier.append(row.hash));
      headHash = row.hash;
      await give();
    }
    await insertNodes(tx, tenantId, nodes);
  }
  const timestamp = new Date(Math.max(now.getTime(), Date.parse(previous?.timestamp ?? '1970-01-01T00:00:00Z'))).toISOString();
  const checkpoint = signCheckpoint({ tenantId, treeSize: size, rootHash: frontier.root(), headHash, timestamp, previousHash: previous === null ? null : checkpointHash(previous) }, signer);
  await insertCheckpoint(tx, checkpoint);
  announce(transaction, checkpoint, now);
  return checkpoint;
}

/** A log whose checkpoints were removed would otherwise be signed anew, with whatever stands in it by then. */
async function assertAnnounced(tx: Transaction, tenantId: string, newest: Checkpoint | null): Promise<void> {
  if (tenantId === PLATFORM_TENANT_ID) return;
  const announced = await readAnnounced(tx, tenantId);
  if ((announced?.checkpointHash ?? null) === (newest === null ? null : checkpointHash(newest).toString('hex'))) return;
  throw new ChainBroken(announced?.treeSize ?? newest?.treeSize ?? 0, 'checkpoint_mismatch');
}
