/**
 * Caches keys and sessions, so that most requests need no look-up. Used by authentication; modules that change
 * credentials tell it what to forget. If other processes cannot be heard, entries live for a second only.
 */
import { hash } from 'node:crypto';
import { BoundedMap } from '../base/bounded-map.ts';
import type { Secrets } from '../base/secrets.ts';
import { macOfApiKey, parseApiKey, sameMac } from './api-key.ts';
import type { FailedAuthenticationLimiter } from './rate-limit.ts';
import type { CredentialStore, KeyRecord, SessionRecord } from './store.ts';

/** Lifetime of an entry while the process receives the changes that other processes commit. */
const FRESH_MILLISECONDS = 5_000;
/** Lifetime of an entry while the process does not receive these changes. */
const FRESH_WITHOUT_LISTENER_MILLISECONDS = 1_000;
const CAPACITY = 10_000;

interface Entry<T> {
  readonly value: T | null;
  readonly at: number;
}

/**
 * Caches keys and sessions. Code that changes one calls `forget…` after the commit, so that a revocation takes effect
 * in this process at once. In other processes it takes effect when they receive the change (`applyChange`), and
 * otherwise within a second.
 */
export class CredentialCache {
  readonly #store: CredentialStore;
  readonly #clock: () => Date;
  readonly #isListening: () => boolean;
  readonly #keys = new BoundedMap<string, Entry<KeyRecord>>(CAPACITY);
  readonly #sessions = new BoundedMap<string, Entry<SessionRecord>>(CAPACITY);
  readonly #loading = new Map<string, Promise<unknown>>();
  /** Counter of changes: the result of a look-up that began before a change is neither shared nor stored. */
  #generation = 0;

  /**
   * @param isListening tells whether all changes that other processes committed more than a second ago have been
   * received
   */
  constructor(store: CredentialStore, clock: () => Date, isListening: () => boolean) {
    this.#store = store;
    this.#clock = clock;
    this.#isListening = isListening;
  }

  /** Returns the value itself if it is cached, which is the usual case, and a promise otherwise. */
  key(prefix: string): KeyRecord | null | Promise<KeyRecord | null> {
    return this.#lookUp(this.#keys, prefix, () => this.#store.key(prefix));
  }

  session(tenantId: string, sessionId: string): SessionRecord | null | Promise<SessionRecord | null> {
    return this.#lookUp(this.#sessions, `${tenantId}/${sessionId}`, () => this.#store.session(tenantId, sessionId));
  }

  forgetKey(prefix: string): void {
    this.#changed();
    this.#keys.delete(prefix);
  }

  forgetSession(tenantId: string, sessionId: string): void {
    this.#changed();
    this.#sessions.delete(`${tenantId}/${sessionId}`);
  }

  /** Removes the sessions of a person and the keys that the person is accountable for. */
  forgetUser(userId: string): void {
    this.#changed();
    this.#keys.deleteWhere((entry) => entry.value?.grantedBy === userId);
    this.#sessions.deleteWhere((entry) => entry.value?.userId === userId);
  }

  /** Removes all credentials of a tenant, because each entry contains its status and its sandbox switch. */
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

  /** Applies a notification of PostgreSQL (`announce_change`). An unreadable message empties the cache. */
  applyChange(message: string): void {
    const [kind = '', id = '', sessionId = ''] = message.split(' ');
    switch (kind) {
      case 'key':
        return this.forgetKey(id);
      case 'session':
        return this.forgetSession(id, sessionId);
      case 'user':
        return this.forgetUser(id);
      case 'tenant':
        return this.forgetTenant(id);
      default:
        return this.forgetAll();
    }
  }

  #lookUp<T>(
    entries: BoundedMap<string, Entry<T>>,
    id: string,
    load: () => Promise<T | null>,
  ): T | null | Promise<T | null> {
    const entry = entries.get(id);
    if (
      entry !== undefined &&
      this.#clock().getTime() - entry.at <
        (this.#isListening() ? FRESH_MILLISECONDS : FRESH_WITHOUT_LISTENER_MILLISECONDS)
    )
      return entry.value;
    const running = this.#loading.get(id) as Promise<T | null> | undefined;
    if (running !== undefined) return running;
    const generation = this.#generation;
    const at = this.#clock().getTime();
    const loaded = load()
      .then((value) => {
        if (generation === this.#generation) entries.set(id, { value, at });
        return value;
      })
      .finally(() => {
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

/** Name of the sub-key under which the secrets of API keys are hashed; versioned like `api_key.pepper_version`. */
export const API_KEY_PEPPER = 'api-key-pepper-1';

/** Verifies presented secrets, for the API and for the token endpoint. */
export class ApiKeyVerifier {
  readonly #credentials: CredentialCache;
  readonly #failures: FailedAuthenticationLimiter;
  readonly #pepper: Buffer;
  /**
   * Hashes of verified secrets, with the MAC that they were verified against; they save computing the MAC on every
   * call.
   */
  readonly #verified = new BoundedMap<string, Buffer>(CAPACITY);

  constructor(credentials: CredentialCache, secrets: Secrets, failures: FailedAuthenticationLimiter) {
    this.#credentials = credentials;
    this.#failures = failures;
    this.#pepper = secrets.deriveKey(API_KEY_PEPPER);
  }

  /**
   * Returns the key, whether it is usable or not, or null for an unknown prefix as well as for a wrong secret. Throws
   * 429 for an address with too many failures.
   */
  verify(secret: string, ip: string): KeyRecord | null | Promise<KeyRecord | null> {
    const parsed = parseApiKey(secret);
    const digest = hash('sha256', secret, 'base64url');
    if (parsed === null || this.#verified.get(digest) === undefined) this.#failures.assertBelowLimit(ip);
    const record = parsed === null ? null : this.#credentials.key(parsed.prefix);
    return record instanceof Promise
      ? record.then((loaded) => this.#matching(loaded, secret, digest, ip))
      : this.#matching(record, secret, digest, ip);
  }

  #matching(record: KeyRecord | null, secret: string, digest: string, ip: string): KeyRecord | null {
    // A MAC is also computed for an unknown prefix, so that the response takes as long.
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
