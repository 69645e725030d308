import { hash } from 'node:crypto';
import type { Secrets } from '../secrets.ts';
import { macOfApiKey, parseApiKey, sameMac } from './api-key.ts';
import { BoundedMap } from './bounded-map.ts';
import type { Credentials } from './credentials.ts';
import type { KeyRecord } from './credentials-store.ts';
import type { FailedAuthentications } from './failed-authentications.ts';

/** The sub-key under which the secrets of API keys are hashed; versioned like `api_key.pepper_version`. */
export const API_KEY_PEPPER = 'api-key-pepper-1';

/** Verifies presented secrets, for the API and for the token endpoint alike. */
export class ApiKeys {
  readonly #credentials: Credentials;
  readonly #failures: FailedAuthentications;
  readonly #pepper: Buffer;
  /** Hashes of secrets that were verified, with the MAC they were verified against: saves the MAC on every call. */
  readonly #verified = new BoundedMap<string, Buffer>(10_000);

  constructor(credentials: Credentials, secrets: Secrets, failures: FailedAuthentications) {
    this.#credentials = credentials;
    this.#failures = failures;
    this.#pepper = secrets.deriveKey(API_KEY_PEPPER);
  }

  /** The key, alive or not, or null. An unknown prefix and a wrong secret cannot be told apart. Refuses who has guessed too often. */
  verify(secret: string, ip: string): KeyRecord | null | Promise<KeyRecord | null> {
    const parsed = parseApiKey(secret);
    const digest = hash('sha256', secret, 'base64url');
    if (parsed === null || this.#verified.get(digest) === undefined) this.#failures.assertFew(ip);
    const record = parsed === null ? null : this.#credentials.key(parsed.prefix);
    return record instanceof Promise ? record.then((loaded) => this.#matching(loaded, secret, digest, ip)) : this.#matching(record, secret, digest, ip);
  }

  #matching(record: KeyRecord | null, secret: string, digest: string, ip: string): KeyRecord | null {
    // An unknown prefix costs a MAC too.
    if (this.#isSecretOf(record?.secretMac ?? Buffer.alloc(32), secret, digest)) return record;
    this.#failures.count(ip);
    return null;
  }

  #isSecretOf(mac: Buffer, secret: string, digest: string): boolean {
    if (this.#verified.get(digest)?.equals(mac) === true) return true;
    const genuine = sameMac(mac, macOfApiKey(this.#pepper, secret));
    if (genuine) this.#verified.set(digest, mac);
    return genuine;
  }
}
