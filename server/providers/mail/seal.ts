import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Secrets } from '../../secrets.ts';
import type { Letter } from './compose.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Letters hold names, addresses and tokens: the table keeps them sealed, each one to its own row. */
export class MailSeal {
  readonly #cipherKey: KeyObject;
  readonly #indexKey: KeyObject;

  constructor(secrets: Secrets) {
    this.#cipherKey = createSecretKey(secrets.deriveKey('mail-cipher'));
    this.#indexKey = createSecretKey(secrets.deriveKey('mail-recipient-index'));
  }

  seal(id: string, letter: Letter): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#cipherKey, nonce).setAAD(Buffer.from(id));
    return Buffer.concat([nonce, cipher.update(JSON.stringify(letter), 'utf8'), cipher.final(), cipher.getAuthTag()]);
  }

  open(id: string, sealed: Buffer): Letter {
    const decipher = createDecipheriv('aes-256-gcm', this.#cipherKey, sealed.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(id));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return JSON.parse(decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')) as Letter;
  }

  /** Finds the mail of an address without keeping the address. */
  recipientMac(address: string): Buffer {
    return createHmac('sha256', this.#indexKey).update(address.normalize('NFC').toLowerCase()).digest();
  }
}
