import { appendAudit } from './audit-chain.ts';
import { checkpointHash, type Checkpoint } from './audit-checkpoint.ts';
import { readLastAbout } from './audit-rows.ts';
import { PLATFORM_TENANT_ID } from './platform-tenant.ts';
import type { Transaction } from './transaction.ts';
import { withinTenant } from './within-tenant.ts';

export const CHECKPOINTED = 'audit.checkpointed';

/** What the platform's chain says of a tenant's newest checkpoint. */
export interface Announcement {
  readonly treeSize: number;
  readonly checkpointHash: string;
}

/** Platform work. The platform's own checkpoints are no events of its chain: each would call for the next one. */
export function announce(tx: Transaction, checkpoint: Checkpoint, now: Date): void {
  if (checkpoint.tenantId === PLATFORM_TENANT_ID) return;
  const facts = { treeSize: checkpoint.treeSize, rootHash: checkpoint.rootHash.toString('hex'), checkpointHash: checkpointHash(checkpoint).toString('hex') };
  appendAudit(withinTenant(tx, PLATFORM_TENANT_ID), {
    occurredAt: now.toISOString(), environment: 'live', action: CHECKPOINTED, outcome: 'success',
    actor: { type: 'system', id: null, display: 'Audit log', impersonatorId: null }, resource: { type: 'tenant', id: checkpoint.tenantId },
    changes: Object.entries(facts).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
  });
}

/** Platform work; null before a tenant's first checkpoint, and for the platform itself. */
export async function readAnnounced(tx: Transaction, tenantId: string): Promise<Announcement | null> {
  if (tenantId === PLATFORM_TENANT_ID) return null;
  const announced = await readLastAbout(withinTenant(tx, PLATFORM_TENANT_ID), PLATFORM_TENANT_ID, CHECKPOINTED, tenantId);
  if (announced === null) return null;
  const facts = Object.fromEntries(announced.changes.map(({ path, value }) => [path, value]));
  return { treeSize: Number(facts['/treeSize']), checkpointHash: String(facts['/checkpointHash']) };
}
