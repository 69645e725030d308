/**
 * Counts the use of keys in memory and writes it every few seconds. Created by server/start.ts and called for each
 * request. A batch that cannot be written is lost with a line in the log; requests never wait for it.
 */
import { BoundedMap } from '../base/bounded-map.ts';
import type { Logger } from '../base/log.ts';
import { HOUR_MILLISECONDS } from '../base/time.ts';
import type { Caller } from './caller.ts';
import { siteOf } from './client-address.ts';
import { type KeyUsageStore, KeyUsageTally, type TenantTallies } from './key-usage-store.ts';

/** Interval for which uses are collected before they are written; the usage that a tenant sees is that old. */
const MIN_INTERVAL_MILLISECONDS = 5_000;
const MAX_INTERVAL_MILLISECONDS = 30_000;
/**
 * Minimum ratio of the interval to the duration of the last write, so that writing uses at most a twentieth of one
 * connection.
 */
const INTERVAL_PER_WRITE = 20;
const MAX_KEYS = 10_000;
const MAX_KNOWN_SITES = 100_000;

/** Observes every use of a key: when the key is accepted, and when its request is answered. */
export interface KeyActivity {
  accepted(caller: Caller, ip: string): void;
  answered(caller: Caller, status: number): void;
}

/**
 * Counts the uses of keys outside the requests and writes them in batches, tenant by tenant. If a batch cannot be
 * written, it is lost with a line in the log, because hardly any request succeeds while the database is unavailable.
 */
export class KeyUsageRecorder implements KeyActivity {
  readonly #store: Pick<KeyUsageStore, 'write'>;
  readonly #clock: () => Date;
  readonly #log: Logger;
  /** Accepted callers; a refused credential counts neither as a use of a key nor as an error of it. */
  readonly #accepted = new WeakSet<Caller>();
  /** Time of the last write for each address of a key. */
  readonly #writtenAt = new BoundedMap<string, number>(MAX_KNOWN_SITES);
  #tenants: TenantTallies = new Map();
  #keys = 0;
  #interval = MIN_INTERVAL_MILLISECONDS;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Pick<KeyUsageStore, 'write'>, clock: () => Date, log: Logger) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  accepted(caller: Caller, ip: string): void {
    this.#accepted.add(caller);
    const now = this.#clock().getTime();
    const tally = this.#tallyOf(caller);
    if (tally === null) return;
    tally.used(now, ip);
    const site = siteOf(ip);
    if (now - (this.#writtenAt.get(`${tally.prefix} ${site}`) ?? 0) >= HOUR_MILLISECONDS)
      tally.seenAt(site, ip, now, caller.environment);
  }

  answered(caller: Caller, status: number): void {
    if (status >= 400 && this.#accepted.has(caller)) this.#tallyOf(caller)?.failed(this.#clock().getTime());
  }

  /** Writes the counted uses. Resolves when all of them are stored. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const tenants = this.#tenants;
    this.#tenants = new Map();
    this.#keys = 0;
    this.#writing = this.#writing.then(() => this.#write(tenants));
    await this.#writing;
  }

  #tallyOf({ principal }: Caller): KeyUsageTally | null {
    if (principal.kind === 'user') return null;
    this.#timer ??= setTimeout(() => void this.flush(), this.#interval).unref();
    const keys = this.#tenants.get(principal.tenantId) ?? new Map<string, KeyUsageTally>();
    const existing = keys.get(principal.prefix);
    if (existing !== undefined || this.#keys >= MAX_KEYS) return existing ?? null;
    const tally = new KeyUsageTally(principal.prefix, principal.display);
    this.#keys++;
    this.#tenants.set(principal.tenantId, keys.set(principal.prefix, tally));
    return tally;
  }

  async #write(tenants: TenantTallies): Promise<void> {
    const startedAt = performance.now();
    for (const [tenantId, keys] of tenants) {
      try {
        await this.#store.write(tenantId, [...keys.values()]);
        for (const { prefix, sites } of keys.values())
          for (const [site, { at }] of sites) this.#writtenAt.set(`${prefix} ${site}`, at);
      } catch (error) {
        this.#log.warn({ err: error, tenantId }, 'the use of keys could not be recorded');
      }
    }
    this.#interval = Math.min(
      MAX_INTERVAL_MILLISECONDS,
      Math.max(MIN_INTERVAL_MILLISECONDS, INTERVAL_PER_WRITE * (performance.now() - startedAt)),
    );
  }
}
