import type { components } from '../../contract/generated/types.ts';
import { contentOf, type AuditRow, type Checkpoint } from '../../database/audit.ts';

type Schemas = components['schemas'];

/** The members that are hashed, and the hash: whoever has the event can compute the one from the others. */
export function toWire(row: AuditRow): Schemas['AuditEvent'] {
  const { changes, ...content } = contentOf(row);
  return { ...content, changes: changes.map((change) => ({ ...change })), hash: row.hash.toString('hex') };
}

export function checkpointToWire({ tenantId, treeSize, rootHash, headHash, previousHash, timestamp, keyId, signature }: Checkpoint): Schemas['AuditCheckpoint'] {
  return {
    tenantId, treeSize, rootHash: rootHash.toString('hex'), headHash: headHash.toString('hex'),
    previousCheckpointHash: previousHash?.toString('hex') ?? null, timestamp, keyId, signature: signature.toString('base64'),
  };
}

export const hex = (hash: Buffer): string => hash.toString('hex');
