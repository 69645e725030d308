/**
 * Index in memory of the names of all monitored applicants, searched for the entities that a list has changed. Created
 * when the process starts and used by follow-lists.ts. Subjects that cannot be read are reported separately and must
 * not be taken as unaffected.
 */
import { MINUTE_MILLISECONDS, type RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import { type Database, DatabaseUnavailable } from '../../database/index.ts';
import { buildIndexes, type ScreeningEngine } from '../../screening/engine/screening-engine.ts';
import { asListed } from '../../screening/engine/subject.ts';
import type { ListedEntity } from '../../screening/listed-entity.ts';
import { forEachTenant } from '../../tasks/store.ts';
import { type MonitoredSubject, monitoredSubjects } from '../applications/index.ts';
import { leastAlert, linesFor, searchedSubject } from '../screenings/index.ts';
import { KINDS_OF_SUBJECT, readScreeningRules } from '../tenant-settings/index.ts';

const PAGE = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';
/** Longest duration of a transaction. Rows written within this time before a read may have been committed after it. */
const LONGEST_TRANSACTION_MILLISECONDS = 5 * MINUTE_MILLISECONDS;
/** Limit of additional subjects that are indexed with each pass. If there are more, the whole index is rebuilt. */
const FEW = 1_000;
/** Age after which the index is rebuilt, so that erased subjects disappear from memory. */
const OLD_MILLISECONDS = 24 * 60 * MINUTE_MILLISECONDS;

/** Subscriptions, by tenant. */
type ByTenant = ReadonlyMap<string, readonly string[]>;

/** Subjects that entities of a list may concern, as far as they can be read. */
export interface Affected {
  readonly found: ByTenant;
  /** Subjects whose record cannot be opened. */
  readonly unreadable: ByTenant;
  /** Tenants whose subjects could not be read at all, with the errors. */
  readonly failed: ReadonlyMap<string, unknown>;
}

export const NOBODY: Affected = { found: new Map(), unreadable: new Map(), failed: new Map() };

/** Content of an index: its tenants, the number of their subjects, and the subjects that are missing. */
interface Indexed extends Pick<Affected, 'unreadable' | 'failed'> {
  readonly tenants: ReadonlySet<string>;
  readonly count: number;
  /** The lowest alert line of all tenants. */
  readonly threshold: number;
}

/**
 * Which subjects of a tenant are read: all of them, or those that were added or changed since a time, and some others.
 */
interface Reading {
  readonly since: Date | null;
  readonly also: readonly string[];
}

const ALL: Reading = { since: null, also: [] };

/**
 * Indexes the names of all monitored subjects of all tenants, and searches them for the names of changed entities, so
 * that the work grows with the number of changes and not with the number of subjects. The index exists only in memory.
 * Subjects that were added or changed since it was built are in a second, small index, which each pass rebuilds; so are
 * all subjects of a tenant that was not open when the first was built, and subjects that could not be read then.
 */
export class MonitoredSubjects {
  readonly #engine: ScreeningEngine;
  readonly #database: Database;
  readonly #built = new Map<Environment, Indexed & { readonly at: number }>();

  constructor(engine: ScreeningEngine, database: Database) {
    this.#engine = engine;
    this.#database = database;
  }

  /**
   * Returns the subjects for which a search of some tenant may find one of the entities on the lists that the engine
   * has for the environment.
   */
  async affected(
    environment: Environment,
    entities: readonly ListedEntity[],
    now: RealTime,
    signal: AbortSignal,
  ): Promise<Affected> {
    const {
      indexed: { threshold, unreadable, failed },
      sets,
    } = await this.#refresh(environment, now, signal);
    const keys = new Set<string>();
    for (const entity of entities) {
      if (signal.aborted) break;
      for (const subjects of sets)
        for (const key of await this.#engine.affected({
          subjects,
          lists: environment,
          entity,
          threshold,
        }))
          keys.add(key);
    }
    const found = new Map<string, string[]>();
    for (const key of keys) {
      const [tenantId, subscriptionId] = key.split(' ') as [string, string];
      found.set(tenantId, [...(found.get(tenantId) ?? []), subscriptionId]);
    }
    return { found, unreadable, failed };
  }

  async #refresh(
    environment: Environment,
    now: RealTime,
    signal: AbortSignal,
  ): Promise<{ readonly indexed: Indexed; readonly sets: readonly string[] }> {
    const [whole, recent] = [`monitored ${environment}`, `monitored ${environment} recently`];
    const built = this.#built.get(environment);
    if (built === undefined || now.getTime() - built.at > OLD_MILLISECONDS) {
      const indexed = await this.#index(environment, whole, () => ALL, signal);
      this.#built.set(environment, { ...indexed, at: now.getTime() });
      return { indexed, sets: [whole] };
    }
    const since = new Date(built.at - LONGEST_TRANSACTION_MILLISECONDS);
    const indexed = await this.#index(
      environment,
      recent,
      (tenantId) => (built.tenants.has(tenantId) ? { since, also: built.unreadable.get(tenantId) ?? [] } : ALL),
      signal,
    );
    if (indexed.count <= Math.max(FEW, built.count / 10)) return { indexed, sets: [whole, recent] };
    this.#built.delete(environment);
    return this.#refresh(environment, now, signal);
  }

  /**
   * Builds an index of the subjects of all tenants. A subject or a tenant that cannot be read is left out, without the
   * others.
   */
  async #index(
    environment: Environment,
    name: string,
    readingOf: (tenantId: string) => Reading,
    signal: AbortSignal,
  ): Promise<Indexed> {
    let [count, threshold] = [0, 1];
    const tenants = new Set<string>();
    const unreadable = new Map<string, string[]>();
    const failed = new Map<string, unknown>();
    const pages: string[][] = [];
    await forEachTenant(this.#database, signal, async ({ id: tenantId }) => {
      try {
        const {
          rules: { profile },
        } = await this.#database.transaction({ tenantId, readOnly: true }, (tx) => readScreeningRules(tx, tenantId));
        threshold = Math.min(threshold, ...KINDS_OF_SUBJECT.map((type) => leastAlert(linesFor({ type }, profile))));
        for await (const subjects of this.#subjectsOf(tenantId, environment, readingOf(tenantId))) {
          const documents = subjects.map(({ subscriptionId, subject }) => ({
            subscriptionId,
            document: documentOf(`${tenantId} ${subscriptionId}`, subject),
          }));
          pages.push(documents.flatMap(({ document }) => document ?? []));
          const without = documents
            .filter(({ document }) => document === null)
            .map(({ subscriptionId }) => subscriptionId);
          if (without.length > 0) unreadable.set(tenantId, [...(unreadable.get(tenantId) ?? []), ...without]);
          count += subjects.length - without.length;
        }
        tenants.add(tenantId);
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        failed.set(tenantId, error);
      }
      return 0;
    });
    this.#engine.use(
      name,
      await buildIndexes(async (add) => {
        for (const documents of pages) add({ list: 0, documents });
      }),
    );
    return {
      tenants,
      count,
      threshold,
      unreadable,
      failed,
    };
  }

  async *#subjectsOf(
    tenantId: string,
    environment: Environment,
    reading: Reading,
  ): AsyncGenerator<readonly MonitoredSubject[]> {
    for (let after = FIRST; ; ) {
      const rows = await this.#database.transaction({ tenantId, readOnly: true }, (tx) =>
        monitoredSubjects(tx, {
          ...reading,
          environment,
          after,
          limit: PAGE,
        }),
      );
      yield rows;
      if (rows.length < PAGE) return;
      after = rows.at(-1)!.subscriptionId;
    }
  }
}

/** Returns a subject in the form of the index, or null if it cannot be read. */
function documentOf(key: string, subject: MonitoredSubject['subject']): string | null {
  return subject === null ? null : JSON.stringify(asListed(key, searchedSubject(subject)));
}
