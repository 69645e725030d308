import { MINUTE_MILLISECONDS } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Database } from '../../database/index.ts';
import { buildIndexes, type ScreeningEngine } from '../../screening/engine/screening-engine.ts';
import { asListed } from '../../screening/engine/subject.ts';
import type { ListedEntity } from '../../screening/listed-entity.ts';
import { forEachTenant } from '../../tasks/store.ts';
import { monitoredSubjects } from '../applications/index.ts';
import { leastAlert, linesFor, searchedSubject } from '../screenings/index.ts';
import { KINDS_OF_SUBJECT, readScreeningRules } from '../tenant-settings/index.ts';

const PAGE = 1_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';
/** What was written so long before and committed since may not have been seen. */
const LONGEST_TRANSACTION_MILLISECONDS = 5 * MINUTE_MILLISECONDS;
/** So many subjects beside those of the index are indexed with each pass; of more, the index is built anew. */
const FEW = 1_000;
/** Whoever was erased is forgotten at the latest then. */
const OLD_MILLISECONDS = 24 * 60 * MINUTE_MILLISECONDS;

interface Built {
  readonly at: number;
  readonly count: number;
}

/** Which subscriptions an entity of a list may concern, as `tenant subscription`. */
export type Affected = ReadonlySet<string>;

/**
 * The names of everybody who is monitored, of all tenants together, searched for the names of the entities that have changed: so the work grows with what has changed, and not with
 * how many are monitored. The index is in memory and nowhere else. Whoever came or changed since it was built is in a second, small one, which each pass builds anew.
 */
export class MonitoredSubjects {
  readonly #engine: ScreeningEngine;
  readonly #database: Database;
  readonly #built = new Map<Environment, Built>();

  constructor(engine: ScreeningEngine, database: Database) {
    this.#engine = engine;
    this.#database = database;
  }

  /** The subjects for whom the search of some tenant may find one of the entities on the lists that the engine has for the environment. */
  async affected(environment: Environment, entities: readonly ListedEntity[], now: Date, signal: AbortSignal): Promise<Affected> {
    const { threshold, sets } = await this.#refresh(environment, now, signal);
    const found = new Set<string>();
    for (const entity of entities) {
      if (signal.aborted) break;
      for (const subjects of sets) for (const key of await this.#engine.affected({ subjects, lists: environment, entity, threshold })) found.add(key);
    }
    return found;
  }

  async #refresh(environment: Environment, now: Date, signal: AbortSignal): Promise<{ readonly threshold: number; readonly sets: readonly string[] }> {
    const [whole, recent] = [`monitored ${environment}`, `monitored ${environment} recently`];
    const built = this.#built.get(environment);
    const since = built === undefined || now.getTime() - built.at > OLD_MILLISECONDS ? null : new Date(built.at - LONGEST_TRANSACTION_MILLISECONDS);
    const { count, threshold } = await this.#index(environment, since === null ? whole : recent, since, signal);
    if (since === null) this.#built.set(environment, { at: now.getTime(), count });
    else if (count > Math.max(FEW, built!.count / 10)) {
      this.#built.delete(environment);
      return this.#refresh(environment, now, signal);
    }
    return { threshold, sets: since === null ? [whole] : [whole, recent] };
  }

  /** Builds an index of all tenants' subjects; how many these are, and the least alert line of a tenant. */
  async #index(environment: Environment, name: string, since: Date | null, signal: AbortSignal): Promise<{ readonly count: number; readonly threshold: number }> {
    let [count, threshold] = [0, 1];
    const pages: string[][] = [];
    const read = forEachTenant(this.#database, signal, async ({ id: tenantId }) => {
      const { rules: { profile } } = await this.#database.transaction({ tenantId, readOnly: true }, (tx) => readScreeningRules(tx, tenantId));
      threshold = Math.min(threshold, ...KINDS_OF_SUBJECT.map((type) => leastAlert(linesFor({ type }, profile))));
      for (let after = NOBODY; ;) {
        const rows = await this.#database.transaction({ tenantId, readOnly: true }, (tx) => monitoredSubjects(tx, { environment, after, since, limit: PAGE }));
        pages.push(rows.map(({ subscriptionId, subject }) => JSON.stringify(asListed(`${tenantId} ${subscriptionId}`, searchedSubject(subject)))));
        count += rows.length;
        if (rows.length < PAGE) return rows.length;
        after = rows.at(-1)!.subscriptionId;
      }
    });
    await read;
    this.#engine.use(name, await buildIndexes(async (add) => {
      for (const documents of pages) add({ list: 0, documents });
    }));
    return { count, threshold };
  }
}
