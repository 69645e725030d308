import { BoundedMap } from './bounded-map.ts';
import type { CredentialsStore, KeyRecord, SessionRecord } from './credentials-store.ts';

/** How long another process may go on believing what this one has changed. */
const FRESH_MILLISECONDS = 5_000;
const CAPACITY = 10_000;

interface Entry<T> {
  readonly value: T | null;
  readonly until: number;
}

/**
 * Keys and sessions as they are now, at most five seconds old. Whoever changes one in this process calls `forget…`
 * after the commit, so revocation is felt here at once and elsewhere within five seconds.
 */
export class Credentials {
  readonly #store: CredentialsStore;
  readonly #clock: () => Date;
  readonly #keys = new BoundedMap<string, Entry<KeyRecord>>(CAPACITY);
  readonly #sessions = new BoundedMap<string, Entry<SessionRecord>>(CAPACITY);
  readonly #loading = new Map<string, Promise<unknown>>();
  /** Raised by every change: a look-up that began before it is neither joined nor remembered after it. */
  #generation = 0;

  constructor(store: CredentialsStore, clock: () => Date) {
    this.#store = store;
    this.#clock = clock;
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

  forgetUser(userId: string): void {
    this.#changed();
    this.#sessions.deleteWhere((entry) => entry.value?.userId === userId);
  }

  /** For the sandbox switch and the status of a tenant, which every one of its credentials carries. */
  forgetTenant(tenantId: string): void {
    this.#changed();
    this.#keys.deleteWhere((entry) => entry.value?.tenantId === tenantId);
    this.#sessions.deleteWhere((entry) => entry.value?.tenantId === tenantId);
  }

  #recall<T>(known: BoundedMap<string, Entry<T>>, id: string, load: () => Promise<T | null>): T | null | Promise<T | null> {
    const entry = known.get(id);
    if (entry !== undefined && entry.until > this.#clock().getTime()) return entry.value;
    const running = this.#loading.get(id) as Promise<T | null> | undefined;
    if (running !== undefined) return running;
    const generation = this.#generation;
    const loaded = load().then((value) => {
      if (generation === this.#generation) known.set(id, { value, until: this.#clock().getTime() + FRESH_MILLISECONDS });
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
