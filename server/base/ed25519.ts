/**
 * Signs and verifies with an Ed25519 key that is derived from a secret. Used for access tokens and audit checkpoints.
 * The private key never leaves the object.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** An Ed25519 public key as a JWK (RFC 8037 §2); `kid` is its thumbprint (RFC 7638). */
export interface Ed25519Jwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
}

/** Beginning of a PKCS #8 key (RFC 8410 §7); the 32 bytes of an Ed25519 seed follow it. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs and verifies with one Ed25519 key (RFC 8032), which is derived from a secret and never leaves the process. */
export class Ed25519Signer {
  readonly jwk: Ed25519Jwk;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  constructor(seed: Buffer) {
    this.#privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
    this.#publicKey = createPublicKey(this.#privateKey);
    const { x = '' } = this.#publicKey.export({ format: 'jwk' });
    // The thumbprint hashes the required members in lexicographic order, without white space (RFC 7638 §3).
    const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
    this.jwk = {
      kty: 'OKP',
      crv: 'Ed25519',
      x,
      kid,
      use: 'sig',
      alg: 'EdDSA',
    };
  }

  sign(text: string): Buffer {
    return sign(null, Buffer.from(text), this.#privateKey);
  }

  verify(text: string, signature: Buffer): boolean {
    return verify(null, Buffer.from(text), this.#publicKey, signature);
  }
}
