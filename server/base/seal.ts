/**
 * Encrypts small values, bound to the row that stores them. Used for second factors, mail, subject keys and the demo.
 * Opening throws if anything differs; a lost key cannot be replaced.
 */
import { type CipherKey, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts and authenticates with AES-256-GCM (NIST SP 800-38D): nonce, ciphertext and tag in one. The result is bound
 * to `owner`, the id of the row that stores it, so that it does not open if it is copied to another row.
 */
export function seal(key: CipherKey, owner: string, content: Buffer | string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner));
  return Buffer.concat([nonce, cipher.update(Buffer.from(content)), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts a sealed value. Throws if it was sealed with another key or for another owner, or was changed since. */
export function unseal(key: CipherKey, owner: string, sealed: Buffer): Buffer {
  // Without an explicit length Node would accept a shorter tag, which is easier to guess.
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  }).setAAD(Buffer.from(owner));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
