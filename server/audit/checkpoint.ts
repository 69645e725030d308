import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import type { Secrets } from '../base/secrets.ts';

/** An Ed25519 public key as a JWK (RFC 8037); `kid` is its thumbprint (RFC 7638). */
export interface CheckpointKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
}

/** PKCS #8 (RFC 8410 §7) around the 32 bytes of an Ed25519 seed. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs checkpoints, and nothing else: the database, and whoever rules it, never sees the key. */
export class CheckpointSigner {
  readonly publicKey: CheckpointKey;
  readonly #private: KeyObject;
  readonly #public: KeyObject;

  constructor(secrets: Secrets) {
    this.#private = createPrivateKey({ key: Buffer.concat([PKCS8, secrets.deriveKey('audit-checkpoint-ed25519')]), format: 'der', type: 'pkcs8' });
    this.#public = createPublicKey(this.#private);
    const { x = '' } = this.#public.export({ format: 'jwk' });
    const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
    this.publicKey = { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' };
  }

  sign(text: string): Buffer {
    return sign(null, Buffer.from(text), this.#private);
  }

  isGenuine(text: string, keyId: string, signature: Buffer): boolean {
    return keyId === this.publicKey.kid && verify(null, Buffer.from(text), this.#public, signature);
  }
}

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
