import { hash } from 'node:crypto';
import { BoundedMap } from '../base/bounded-map.ts';
import type { Secrets } from '../base/secrets.ts';
import { macOfApiKey, parseApiKey, sameMac } from './api-key.ts';
import type { FailedAuthenticationLimiter } from './rate-limit.ts';
import type { CredentialStore, KeyRecord, SessionRecord } from './store.ts';

/** How long something is believed at most, even while changes of it would be heard. */
const FRESH_MILLISECONDS = 5_000;
/** And while they would not. */
const FRESH_WITHOUT_LISTENER_MILLISECONDS = 1_000;
const CAPACITY = 10_000;

interface Entry<T> {
  readonly value: T | null;
  readonly at: number;
}

/**
 * Keys and sessions as they are now. Whoever changes one in this process calls `forget…` after the commit, so a revocation is
 * felt here at once; elsewhere it is felt when it is heard (`heard`), and in any case within a second.
 */
export class CredentialCache {
  readonly #store: CredentialStore;
  readonly #clock: () => Date;
  readonly #hears: () => boolean;
  readonly #keys = new BoundedMap<string, Entry<KeyRecord>>(CAPACITY);
  readonly #sessions = new BoundedMap<string, Entry<SessionRecord>>(CAPACITY);
  readonly #loading = new Map<string, Promise<unknown>>();
  /** Raised by every change: a look-up that began before it is neither joined nor remembered after it. */
  #generation = 0;

  /** @param hears whether changes that other processes made more than a second ago have been heard */
  constructor(store: CredentialStore, clock: () => Date, hears: () => boolean) {
    this.#store = store;
    this.#clock = clock;
    this.#hears = hears;
  }

  /** Without a promise when the answer is remembered, which is the usual case. */
  key(prefix: string): KeyRecord | null | Promise<KeyRecord | null> {
    return this.#recall(this.#keys, prefix, () => this.#store.key(prefix));
  }

  session(tenantId: string, sessionId: string): SessionRecord | null | Promise<SessionRecord | null> {
    return this.#recall(this.#sessions, `${tenantId}/${sessionId}`, () => this.#store.session(tenantId, sessionId));
  }

  forgetKey(prefix: string): void {
    this.#changed();
    this.#keys.delete(prefix);
  }

  forgetSession(tenantId: string, sessionId: string): void {
    this.#changed();
    this.#sessions.delete(`${tenantId}/${sessionId}`);
  }

  /** Their sessions, and the keys for which they answer. */
  forgetUser(userId: string): void {
    this.#changed();
    this.#keys.deleteWhere((entry) => entry.value?.grantedBy === userId);
    this.#sessions.deleteWhere((entry) => entry.value?.userId === userId);
  }

  /** For the sandbox switch and the status of a tenant, which every one of its credentials carries. */
  forgetTenant(tenantId: string): void {
    this.#changed();
    this.#keys.deleteWhere((entry) => entry.value?.tenantId === tenantId);
    this.#sessions.deleteWhere((entry) => entry.value?.tenantId === tenantId);
  }

  forgetAll(): void {
    this.#changed();
    this.#keys.deleteWhere(() => true);
    this.#sessions.deleteWhere(() => true);
  }

  /** What a table has announced (migration 0031). What cannot be read is taken for a change of anything. */
  applyChange(message: string): void {
    const [kind, id = '', sessionId = ''] = message.split(' ');
    switch (kind) {
      case 'key': return this.forgetKey(id);
      case 'session': return this.forgetSession(id, sessionId);
      case 'user': return this.forgetUser(id);
      case 'tenant': return this.forgetTenant(id);
      default: return this.forgetAll();
    }
  }

  #recall<T>(known: BoundedMap<string, Entry<T>>, id: string, load: () => Promise<T | null>): T | null | Promise<T | null> {
    const entry = known.get(id);
    if (entry !== undefined && this.#clock().getTime() - entry.at < (this.#hears() ? FRESH_MILLISECONDS : FRESH_WITHOUT_LISTENER_MILLISECONDS)) return entry.value;
    const running = this.#loading.get(id) as Promise<T | null> | undefined;
    if (running !== undefined) return running;
    const generation = this.#generation;
    const at = this.#clock().getTime();
    const loaded = load().then((value) => {
      if (generation === this.#generation) known.set(id, { value, at });
      return value;
    }).finally(() => {
      if (this.#loading.get(id) === loaded) this.#loading.delete(id);
    });
    this.#loading.set(id, loaded);
    return loaded;
  }

  #changed(): void {
    this.#generation++;
    this.#loading.clear();
  }
}

/** The sub-key under which the secrets of API keys are hashed; versioned like `api_key.pepper_version`. */
export const API_KEY_PEPPER = 'api-key-pepper-1';

/** Verifies presented secrets, for the API and for the token endpoint alike. */
export class ApiKeyVerifier {
  readonly #credentials: CredentialCache;
  readonly #failures: FailedAuthenticationLimiter;
  readonly #pepper: Buffer;
  /** Hashes of secrets that were verified, with the MAC they were verified against: saves the MAC on every call. */
  readonly #verified = new BoundedMap<string, Buffer>(10_000);

  constructor(credentials: CredentialCache, secrets: Secrets, failures: FailedAuthenticationLimiter) {
    this.#credentials = credentials;
    this.#failures = failures;
    this.#pepper = secrets.deriveKey(API_KEY_PEPPER);
  }

  /** The key, alive or not, or null. An unknown prefix and a wrong secret cannot be told apart. Refuses who has guessed too often. */
  verify(secret: string, ip: string): KeyRecord | null | Promise<KeyRecord | null> {
    const parsed = parseApiKey(secret);
    const digest = hash('sha256', secret, 'base64url');
    if (parsed === null || this.#verified.get(digest) === undefined) this.#failures.assertBelowLimit(ip);
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
