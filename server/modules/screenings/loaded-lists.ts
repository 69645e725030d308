import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FairTurns } from '../../base/fair-turns.ts';
import type { Logger } from '../../base/log.ts';
import type { Environment } from '../../contract/operation.ts';
import { unavailable } from '../../contract/problem.ts';
import { NotReady } from '../../request/handler.ts';
import type { Database } from '../../database/index.ts';
import { INDEX_FORMAT } from '../../screening/engine/name-index.ts';
import { ALGORITHM, buildIndexes, type Indexes, ScreeningEngine } from '../../screening/engine/screening-engine.ts';
import { activeVersions, documentsOf, type ListVersion } from '../watch-lists/index.ts';
import { OwnIndexes } from './own-indexes.ts';

/** The lists of an environment as they are searched; the number of a list is its place here. */
export interface LoadedSet {
  readonly key: string;
  readonly versions: readonly ListVersion[];
}

interface Dependencies {
  readonly database: Database;
  /** Where built indexes are kept, so that the next start reads them. */
  readonly folder: string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Between the parts of an own list that is indexed, the screenings of other tenants have their turn. */
  readonly turns: FairTurns;
}

/** For so long after they began to load, requests wait for lists that have just become active; then they are answered from those before them, and say so. */
const PATIENCE_MILLISECONDS = 2_000;
/** Where there are none before them, after which they are refused. */
const FIRST_PATIENCE_MILLISECONDS = 8_000;

interface Loading {
  readonly begun: number;
  readonly set: Promise<LoadedSet>;
}

/** Keeps the engine at the lists that are active: they are built in a thread when they change, kept on disk, and swapped when they are ready. */
export class LoadedLists {
  readonly engine = new ScreeningEngine();
  readonly own: OwnIndexes;
  readonly #loaded = new Map<Environment, LoadedSet>();
  readonly #loading = new Map<string, Loading>();
  readonly #given: Dependencies;

  constructor(given: Dependencies) {
    this.#given = given;
    this.own = new OwnIndexes(given.database, given.turns);
  }

  /** Loads what is active now, for a service that starts. */
  async warm(environment: Environment): Promise<void> {
    const active = await this.#given.database.platform({ tenantId: null, readOnly: true }, (tx) => activeVersions(tx, environment));
    await this.#load(environment, setOf(active)).set;
  }

  /**
   * The lists that a search will go through: those that are active, or those before them while the new ones take longer to build than a request waits. Throws `NotReady` until then, because nobody waits inside of
   * a transaction or a turn.
   */
  ready(environment: Environment, active: readonly ListVersion[]): LoadedSet {
    const wanted = setOf(active);
    const before = this.#loaded.get(environment);
    if (before?.key === wanted.key) return before;
    const { set, begun } = this.#load(environment, wanted);
    const patience = begun + (before === undefined ? FIRST_PATIENCE_MILLISECONDS : PATIENCE_MILLISECONDS) - performance.now();
    // What fails is tried again by the next request.
    const settled = set.catch((error: unknown) => this.#failed(environment, error));
    if (patience > 0) throw new NotReady('the index of the watch lists', Promise.race([settled, sleep(patience, null, { ref: false })]));
    if (before === undefined) throw unavailable('dependency_unavailable');
    return before;
  }

  /** Whether searches go through the lists that are active; where they do not, these are being loaded from now on. */
  isCurrent(environment: Environment, active: readonly ListVersion[]): boolean {
    const wanted = setOf(active);
    if (this.#loaded.get(environment)?.key === wanted.key) return true;
    this.#load(environment, wanted).set.catch((error: unknown) => this.#failed(environment, error));
    return false;
  }

  async stop(): Promise<void> {
    await Promise.all([this.engine.stop(), this.own.stop()]);
  }

  #failed(environment: Environment, error: unknown): void {
    this.#given.log.warn({ reason: (error as Error).message, environment }, 'the watch lists could not be loaded');
  }

  #load(environment: Environment, set: LoadedSet): Loading {
    const name = `${environment} ${set.key}`;
    let loading = this.#loading.get(name);
    if (loading === undefined) {
      loading = { begun: performance.now(), set: this.#loadNow(environment, set).finally(() => this.#loading.delete(name)) };
      this.#loading.set(name, loading);
    }
    return loading;
  }

  async #loadNow(environment: Environment, set: LoadedSet): Promise<LoadedSet> {
    const begun = performance.now();
    const kept = await this.#read(environment, set);
    const indexes = kept ?? await this.#build(environment, set);
    this.engine.use(environment, indexes);
    this.own.weighBy(environment, indexes);
    this.#loaded.set(environment, set);
    this.#given.log.info({ environment, lists: set.versions.length, built: kept === null, milliseconds: Math.round(performance.now() - begun) }, 'watch lists loaded');
    if (kept === null) await this.#keep(environment, set, indexes);
    return set;
  }

  #build(environment: Environment, { versions }: LoadedSet): Promise<Indexes> {
    return buildIndexes((add) => this.#given.database.platform({ tenantId: null, readOnly: true }, async (tx) => {
      for (const [list, { listId, sequence }] of versions.entries()) {
        for await (const documents of documentsOf(tx, { environment, listId }, sequence)) add({ list, documents });
      }
    }));
  }

  /** A file that is not there, or is cut off, means that the index is built. */
  async #read(environment: Environment, set: LoadedSet): Promise<Indexes | null> {
    try {
      return { person: await sharedFile(this.#path(environment, set, 'person')), organisation: await sharedFile(this.#path(environment, set, 'organisation')) };
    } catch {
      return null;
    }
  }

  async #keep(environment: Environment, set: LoadedSet, indexes: Indexes): Promise<void> {
    const { folder, log } = this.#given;
    try {
      await mkdir(folder, { recursive: true });
      for (const kind of ['person', 'organisation'] as const) {
        const path = this.#path(environment, set, kind);
        const file = await open(`${path}.new`, 'w', 0o600);
        await file.writeFile(new Uint8Array(indexes[kind]));
        await file.close();
        await rename(`${path}.new`, path);
      }
      const kept = (await readdir(folder)).filter((name) => name.startsWith(`${environment}-`) && !name.includes(set.key));
      for (const name of kept) await rm(join(folder, name), { force: true });
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'the index of the watch lists could not be kept');
    }
  }

  #path(environment: Environment, { key }: LoadedSet, kind: keyof Indexes): string {
    return join(this.#given.folder, `${environment}-${key}.${kind}`);
  }
}

/** Lists in the order of their ids, so that the same lists are the same set. */
function setOf(active: readonly ListVersion[]): LoadedSet {
  const versions = [...active].sort((a, b) => (a.listId < b.listId ? -1 : 1));
  const name = versions.map(({ listId, sequence, sha256 }) => `${listId} ${sequence} ${sha256}`).join('\n');
  return { key: createHash('sha256').update(`${ALGORITHM} ${INDEX_FORMAT}\n${name}`).digest('hex').slice(0, 24), versions };
}

async function sharedFile(path: string): Promise<SharedArrayBuffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = new SharedArrayBuffer(size);
    for (let at = 0; at < size;) {
      const { bytesRead } = await file.read(new Uint8Array(buffer), at, Math.min(size - at, 64 * 1024 ** 2), at);
      if (bytesRead === 0) throw new Error(`${path} is cut off`);
      at += bytesRead;
    }
    return buffer;
  } finally {
    await file.close();
  }
}
