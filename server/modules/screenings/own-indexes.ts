/**
 * Indexes of tenants' own lists, in memory only. Used by loaded-lists.ts. They are built when first searched and
 * dropped when memory is short, so a search may have to wait and be repeated (`NotReady`). Entries must never be
 * written to disk.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue } from '../../base/fair-queue.ts';
import type { Environment } from '../../contract/operation.ts';
import { unavailable } from '../../contract/problem.ts';
import type { Database } from '../../database/index.ts';
import { NotReady } from '../../request/handler.ts';
import { buildIndexes, type Indexes, ScreeningEngine } from '../../screening/engine/screening-engine.ts';
import { type OwnListVersion, partOf } from '../own-lists/index.ts';

/**
 * Memory limit of the indexes of all tenants' own lists together. The indexes searched longest ago are dropped first.
 * An index of the largest own list has some 12 MB.
 */
const MOST_BYTES = 128 * 1024 * 1024;
/** How long, from the start of a build, requests wait for the index of an own list. Later requests are refused. */
const PATIENCE_MILLISECONDS = 15_000;

interface Building {
  readonly startedAt: number;
  readonly done: Promise<void>;
}

const sizeOf = ({ person, organisation }: Indexes): number => person.byteLength + organisation.byteLength;

/**
 * Caches indexes of recently searched own lists, each under the name of its version. An index is built in a thread when
 * it is first needed, and never written anywhere. The own lists have an engine of their own, so that a search of the
 * public lists never waits for a search of a tenant's list.
 */
export class OwnIndexes {
  readonly engine = new ScreeningEngine();
  readonly #database: Database;
  /** Builds one index at a time, for each tenant in turn. */
  readonly #builds = new FairQueue(1);
  /** Queue of the screenings: a build continues when no other tenant is at work. */
  readonly #fairQueue: FairQueue;
  readonly #most: number;
  /** Size of each index in bytes, in the order of the last use. */
  readonly #kept = new Map<string, number>();
  readonly #building = new Map<string, Building>();

  constructor(database: Database, fairQueue: FairQueue, most = MOST_BYTES) {
    this.#database = database;
    this.#fairQueue = fairQueue;
    this.#most = most;
  }

  /** Weighs the words of own lists by their rarity on these lists from now on. */
  weighBy(environment: Environment, indexes: Indexes): void {
    this.engine.use(environment, indexes);
  }

  /**
   * Returns the name under which the engine has the list, for a search that starts at once. Throws `NotReady` while the
   * index is being built.
   */
  ready(tenantId: string, { id }: Pick<OwnListVersion, 'id'>): string {
    const name = `own ${id}`;
    const bytes = this.#kept.get(name);
    if (bytes !== undefined) {
      this.#kept.delete(name);
      this.#kept.set(name, bytes);
      return name;
    }
    const { startedAt, done } = this.#building.get(name) ?? this.#begin(tenantId, id, name);
    const patience = startedAt + PATIENCE_MILLISECONDS - performance.now();
    if (patience <= 0) throw unavailable('dependency_unavailable');
    // After a failure the next request retries.
    throw new NotReady(
      'the index of the own list',
      Promise.race([done.catch(() => {}), sleep(patience, null, { ref: false })]),
    );
  }

  stop(): Promise<void> {
    return this.engine.stop();
  }

  #begin(tenantId: string, id: string, name: string): Building {
    const done = this.#builds
      .run(tenantId, () => this.#build(tenantId, id, name))
      .finally(() => this.#building.delete(name));
    done.catch(() => {});
    const building = { startedAt: performance.now(), done };
    this.#building.set(name, building);
    return building;
  }

  /** Each part is read in a transaction of its own, so that none is open while the thread works. */
  async #build(tenantId: string, id: string, name: string): Promise<void> {
    const indexes = await buildIndexes(async (add) => {
      for (let part = 0; ; part++) {
        await this.#fairQueue.gap(tenantId);
        const json = await this.#database.transaction({ tenantId, readOnly: true }, (tx) => partOf(tx, id, part));
        if (json === null) return;
        add({ list: 0, documents: [json] });
      }
    }, 'indexingOwnList');
    this.engine.use(name, indexes);
    this.#kept.set(name, sizeOf(indexes));
    this.#makeRoom();
  }

  #makeRoom(): void {
    let sum = [...this.#kept.values()].reduce((all, one) => all + one, 0);
    for (const [name, bytes] of this.#kept) {
      if (sum <= this.#most || this.#kept.size === 1) return;
      this.#kept.delete(name);
      this.engine.drop(name);
      sum -= bytes;
    }
  }
}
