import { createHash } from 'node:crypto';
import type { CheckpointSigner } from './audit-signer.ts';
import { canonicalJson } from './canonical-json.ts';

/** What is signed: "the first `treeSize` events of this tenant have this root, and the last of them this hash". */
export interface CheckpointBody {
  readonly tenantId: string;
  readonly treeSize: number;
  readonly rootHash: Buffer;
  readonly headHash: Buffer;
  readonly timestamp: string;
  /** Of the checkpoint before; null for a tenant's first. */
  readonly previousHash: Buffer | null;
  readonly keyId: string;
}

export interface Checkpoint extends CheckpointBody {
  readonly signature: Buffer;
}

/** The canonical JSON (RFC 8785) of the wire form without its signature. */
export function signedText({ tenantId, treeSize, rootHash, headHash, timestamp, previousHash, keyId }: CheckpointBody): string {
  return canonicalJson({
    tenantId, treeSize, rootHash: rootHash.toString('hex'), headHash: headHash.toString('hex'), timestamp,
    previousCheckpointHash: previousHash?.toString('hex') ?? null, keyId,
  });
}

/** By which the next checkpoint refers to this one. */
export function checkpointHash(checkpoint: CheckpointBody): Buffer {
  return createHash('sha256').update(signedText(checkpoint)).digest();
}

export function signCheckpoint(body: Omit<CheckpointBody, 'keyId'>, signer: CheckpointSigner): Checkpoint {
  const complete = { ...body, keyId: signer.publicKey.kid };
  return { ...complete, signature: signer.sign(signedText(complete)) };
}

export function isGenuine(checkpoint: Checkpoint, signer: CheckpointSigner): boolean {
  return signer.isGenuine(signedText(checkpoint), checkpoint.keyId, checkpoint.signature);
}
