import { BoundedMap } from '../base/bounded-map.ts';
import type { Logger } from '../base/log.ts';
import { HOUR_MILLISECONDS } from '../base/time.ts';
import type { Caller } from './caller.ts';
import { siteOf } from './client-address.ts';
import { type KeyUsageStore, KeyUsageTally, type TenantTallies } from './key-usage-store.ts';

/** How long uses are gathered. What a tenant sees of its keys is that old, plus the time of a write. */
const SHORTEST_PAUSE = 5_000;
const LONGEST_PAUSE = 30_000;
/** Writing may take a twentieth of the time, of one connection: then the pauses get longer. */
const PAUSE_PER_WRITE = 20;
const MAX_KEYS = 10_000;
const MAX_KNOWN_SITES = 100_000;

/** Told about every use of a key: when it was accepted, and when it was answered. */
export interface KeyActivity {
  accepted(caller: Caller, ip: string): void;
  answered(caller: Caller, status: number): void;
}

/**
 * Counts the uses of keys beside the requests and writes them down in batches, tenant by tenant. What cannot be written
 * is lost with a line in the log: while the database is away, hardly a request succeeds.
 */
export class KeyUsageRecorder implements KeyActivity {
  readonly #store: Pick<KeyUsageStore, 'write'>;
  readonly #clock: () => Date;
  readonly #log: Logger;
  /** What was accepted: a refused credential is no use of a key, and its refusal no error of one. */
  readonly #accepted = new WeakSet<Caller>();
  /** Sites that were written down lately. */
  readonly #known = new BoundedMap<string, number>(MAX_KNOWN_SITES);
  #tenants: TenantTallies = new Map();
  #keys = 0;
  #pause = SHORTEST_PAUSE;
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
    if (now - (this.#known.get(`${tally.prefix} ${site}`) ?? 0) >= HOUR_MILLISECONDS) tally.seenAt(site, ip, now, caller.environment);
  }

  answered(caller: Caller, status: number): void {
    if (status >= 400 && this.#accepted.has(caller)) this.#tallyOf(caller)?.failed(this.#clock().getTime());
  }

  /** Resolves when everything that was counted so far is written down. */
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
    this.#timer ??= setTimeout(() => void this.flush(), this.#pause).unref();
    const keys = this.#tenants.get(principal.tenantId) ?? new Map<string, KeyUsageTally>();
    const known = keys.get(principal.prefix);
    if (known !== undefined || this.#keys >= MAX_KEYS) return known ?? null;
    const tally = new KeyUsageTally(principal.prefix, principal.display);
    this.#keys++;
    this.#tenants.set(principal.tenantId, keys.set(principal.prefix, tally));
    return tally;
  }

  async #write(tenants: TenantTallies): Promise<void> {
    const begun = performance.now();
    for (const [tenantId, keys] of tenants) {
      try {
        await this.#store.write(tenantId, [...keys.values()]);
        for (const { prefix, sites } of keys.values()) for (const [site, { at }] of sites) this.#known.set(`${prefix} ${site}`, at);
      } catch (error) {
        this.#log.warn({ err: error, tenantId }, 'the use of keys could not be recorded');
      }
    }
    this.#pause = Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, PAUSE_PER_WRITE * (performance.now() - begun)));
  }
}
