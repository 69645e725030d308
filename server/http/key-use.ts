import { BoundedMap } from './bounded-map.ts';
import type { CredentialsStore } from './credentials-store.ts';
import type { Logger } from './log.ts';

const MINUTE = 60_000;
const CAPACITY = 10_000;

/** Keeps `lastUsedAt` of keys at most a minute behind, beside the request and never more than once a minute. */
export class KeyUses {
  readonly #store: CredentialsStore;
  readonly #clock: () => Date;
  readonly #log: Logger;
  readonly #recorded = new BoundedMap<string, number>(CAPACITY);
  readonly #running = new Set<Promise<void>>();

  constructor(store: CredentialsStore, clock: () => Date, log: Logger) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  readonly record = (prefix: string, ip: string): void => {
    const now = this.#clock();
    if (now.getTime() - (this.#recorded.get(prefix) ?? 0) < MINUTE) return;
    this.#recorded.set(prefix, now.getTime());
    const written = this.#store.recordUse(prefix, now, ip)
      .catch((error: unknown) => this.#log.warn({ err: error }, 'the last use of a key could not be recorded'))
      .finally(() => this.#running.delete(written));
    this.#running.add(written);
  };

  /** Resolves when nothing is being written any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}
