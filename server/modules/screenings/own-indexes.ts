import type { Transaction } from '../../database/index.ts';
import { buildIndexes, type ScreeningEngine } from '../../screening/engine/screening-engine.ts';
import { entitiesOf, type OwnListVersion } from '../own-lists/index.ts';

/** So many entries of own lists are in memory, of all tenants together; those that were searched longest ago go first. */
const MOST_KEPT = 200_000;

/** The own lists that were searched lately, each under a name of its version: built in a thread when they are first needed, and never written anywhere. */
export class OwnIndexes {
  readonly #engine: ScreeningEngine;
  /** How many entries each has, in the order in which they were needed. */
  readonly #kept = new Map<string, number>();
  readonly #building = new Map<string, Promise<void>>();

  constructor(engine: ScreeningEngine) {
    this.#engine = engine;
  }

  /** The name under which the engine has the list. */
  async ready(tx: Transaction, version: Pick<OwnListVersion, 'id' | 'entryCount'>): Promise<string> {
    const name = `own ${version.id}`;
    if (!this.#kept.has(name)) {
      const building = this.#building.get(name) ?? this.#build(tx, version.id, name).finally(() => this.#building.delete(name));
      this.#building.set(name, building);
      await building;
    }
    this.#kept.delete(name);
    this.#kept.set(name, version.entryCount);
    this.#makeRoom();
    return name;
  }

  async #build(tx: Transaction, id: string, name: string): Promise<void> {
    this.#engine.use(name, await buildIndexes((async function* () {
      for await (const entities of entitiesOf(tx, id)) yield { list: 0, documents: entities.map((entity) => JSON.stringify(entity)) };
    })()));
  }

  #makeRoom(): void {
    let sum = [...this.#kept.values()].reduce((all, one) => all + one, 0);
    for (const [name, count] of this.#kept) {
      if (sum <= MOST_KEPT || this.#kept.size === 1) return;
      this.#kept.delete(name);
      this.#engine.drop(name);
      sum -= count;
    }
  }
}
