import { setTimeout as sleep } from 'node:timers/promises';
import { FairTurns } from '../../base/fair-turns.ts';
import type { Environment } from '../../contract/operation.ts';
import { unavailable } from '../../contract/problem.ts';
import type { Database } from '../../database/index.ts';
import { NotReady } from '../../request/handler.ts';
import { buildIndexes, type Indexes, ScreeningEngine } from '../../screening/engine/screening-engine.ts';
import { type OwnListVersion, partOf } from '../own-lists/index.ts';

/** What the indexes of all tenants' own lists may occupy together; those that were searched longest ago go first. An index of the largest own list has some 12 MB. */
const MOST_BYTES = 128 * 1024 * 1024;
/** For so long after it began to build, requests wait for the index of an own list, and are then refused. */
const PATIENCE_MILLISECONDS = 15_000;

interface Building {
  readonly begun: number;
  readonly done: Promise<void>;
}

const sizeOf = ({ person, organisation }: Indexes): number => person.byteLength + organisation.byteLength;

/**
 * The own lists that were searched lately, each under a name of its version: built in a thread when they are first needed, and never written anywhere. They have an engine of their own, so that a search of the public
 * lists never waits for a search of some tenant's list, and one index is built at a time, for each tenant in turn.
 */
export class OwnIndexes {
  readonly engine = new ScreeningEngine();
  readonly #database: Database;
  /** One index is built at a time, for each tenant in turn. */
  readonly #builds = new FairTurns(1);
  /** Those of screenings: a build goes on when no other tenant is at work. */
  readonly #turns: FairTurns;
  readonly #most: number;
  /** How many bytes each has, in the order in which they were needed. */
  readonly #kept = new Map<string, number>();
  readonly #building = new Map<string, Building>();

  constructor(database: Database, turns: FairTurns, most = MOST_BYTES) {
    this.#database = database;
    this.#turns = turns;
    this.#most = most;
  }

  /** From now on the words of own lists are as rare as on these lists. */
  weighBy(environment: Environment, indexes: Indexes): void {
    this.engine.use(environment, indexes);
  }

  /** The name under which the engine has the list now, for a search that begins at once. Throws `NotReady` while the index is being built. */
  ready(tenantId: string, { id }: Pick<OwnListVersion, 'id'>): string {
    const name = `own ${id}`;
    const bytes = this.#kept.get(name);
    if (bytes !== undefined) {
      this.#kept.delete(name);
      this.#kept.set(name, bytes);
      return name;
    }
    const { begun, done } = this.#building.get(name) ?? this.#begin(tenantId, id, name);
    const patience = begun + PATIENCE_MILLISECONDS - performance.now();
    if (patience <= 0) throw unavailable('dependency_unavailable');
    // What fails is tried again by the next request.
    throw new NotReady('the index of the own list', Promise.race([done.catch(() => {}), sleep(patience, null, { ref: false })]));
  }

  stop(): Promise<void> {
    return this.engine.stop();
  }

  #begin(tenantId: string, id: string, name: string): Building {
    const done = this.#builds.run(tenantId, () => this.#build(tenantId, id, name)).finally(() => this.#building.delete(name));
    done.catch(() => {});
    const building = { begun: performance.now(), done };
    this.#building.set(name, building);
    return building;
  }

  /** Each part is read in a transaction of its own, so that none is open while the thread works. */
  async #build(tenantId: string, id: string, name: string): Promise<void> {
    const indexes = await buildIndexes(async (add) => {
      for (let part = 0; ; part++) {
        await this.#turns.gap(tenantId);
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
