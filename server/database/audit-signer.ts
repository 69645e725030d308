import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { Secrets } from '../secrets.ts';

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
