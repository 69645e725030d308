import { CheckpointSigner } from '../../../server/audit/checkpoint.ts';
import { verifyLog } from '../../../server/audit/verify-log.ts';
import type { Laboratory } from './laboratory.ts';

export interface ChainFigures {
  readonly events: number;
  readonly broken: number;
}

/** Walks the audit log of every tenant: what was fast must also be right. */
export async function verifyChains({ database, secrets, tenants }: Laboratory): Promise<ChainFigures> {
  const signer = new CheckpointSigner(secrets);
  let events = 0;
  let broken = 0;
  for (const { id: tenantId } of tenants) {
    const { checked, firstFailure } = await verifyLog(database, { tenantId, signer, mostEvents: Number.MAX_SAFE_INTEGER });
    events += checked;
    if (firstFailure !== null) broken++;
  }
  return { events, broken };
}
