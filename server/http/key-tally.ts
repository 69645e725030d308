import type { Environment } from '../contract/principal.ts';

const HOUR = 3_600_000;
/** Of one batch: who has a thousand addresses in five seconds is not told about each. */
const MOST_SITES = 20;

export interface Sighting {
  /** The address that was seen first. */
  readonly ip: string;
  readonly at: number;
  readonly environment: Environment;
}

/** What one key did since the last batch was written. */
export class KeyTally {
  readonly prefix: string;
  readonly name: string;
  /** Requests and errors by the hour in which they fell. */
  readonly hours = new Map<number, { requests: number; errors: number }>();
  /** Where the key was used from, in the order in which it came from there. */
  readonly sites = new Map<string, Sighting>();
  lastUsed: { readonly at: number; readonly ip: string } | null = null;

  constructor(prefix: string, name: string) {
    this.prefix = prefix;
    this.name = name;
  }

  used(at: number, ip: string): void {
    this.#hourOf(at).requests++;
    this.lastUsed = { at, ip };
  }

  failed(at: number): void {
    this.#hourOf(at).errors++;
  }

  seenAt(site: string, ip: string, at: number, environment: Environment): void {
    if (!this.sites.has(site) && this.sites.size < MOST_SITES) this.sites.set(site, { ip, at, environment });
  }

  #hourOf(at: number): { requests: number; errors: number } {
    const hour = at - (at % HOUR);
    const counted = this.hours.get(hour) ?? { requests: 0, errors: 0 };
    this.hours.set(hour, counted);
    return counted;
  }
}

/** By tenant, and there by the prefix of the key. */
export type TenantTallies = Map<string, Map<string, KeyTally>>;
