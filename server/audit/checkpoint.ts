/**
 * Signed statements about the size and root of a tenant's log. Used by making, storing and verifying checkpoints and by
 * exports. The signing key is derived in the process and is never in the database.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import { type Ed25519Jwk, Ed25519Signer } from '../base/ed25519.ts';
import type { Secrets } from '../base/secrets.ts';
import type { AuditChain } from '../database/transaction.ts';

/**
 * Signs checkpoints, and the manifests of archives that refer to one (`signed-archive.ts`). No JSON text is valid as
 * both kinds. The key is derived in the process: neither the database nor its administrators ever see the key, so an
 * administrator who rewrites the log in the database cannot sign the new version.
 */
export class CheckpointSigner {
  readonly #signer: Ed25519Signer;

  constructor(secrets: Secrets) {
    this.#signer = new Ed25519Signer(secrets.deriveKey('audit-checkpoint-ed25519'));
  }

  get publicKey(): Ed25519Jwk {
    return this.#signer.jwk;
  }

  sign(text: string): Buffer {
    return this.#signer.sign(text);
  }

  isGenuine(text: string, keyId: string, signature: Buffer): boolean {
    return keyId === this.publicKey.kid && this.#signer.verify(text, signature);
  }
}

/**
 * Signed statement: the first `treeSize` events of this log of the tenant have this root hash, and the last of them has
 * this hash.
 */
interface CheckpointBody {
  readonly tenantId: string;
  readonly chain: AuditChain;
  readonly treeSize: number;
  readonly rootHash: Buffer;
  readonly headHash: Buffer;
  readonly timestamp: string;
  /** Hash of the previous checkpoint; null for a tenant's first. */
  readonly previousHash: Buffer | null;
  readonly keyId: string;
}

export interface Checkpoint extends CheckpointBody {
  readonly signature: Buffer;
}

/** Returns the canonical JSON (RFC 8785) of the wire form without its signature. */
function signedText(body: CheckpointBody): string {
  return canonicalJson({
    tenantId: body.tenantId,
    // Only here, so that what was signed before there was a second log stays as it was.
    ...(body.chain === 'sealed' && { chain: body.chain }),
    treeSize: body.treeSize,
    rootHash: body.rootHash.toString('hex'),
    headHash: body.headHash.toString('hex'),
    timestamp: body.timestamp,
    previousCheckpointHash: body.previousHash?.toString('hex') ?? null,
    keyId: body.keyId,
  });
}

/** Returns the hash by which the next checkpoint refers to this one. */
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
