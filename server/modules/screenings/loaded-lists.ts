/**
 * Keeps the search engine at the active versions of the lists: builds an index in a thread, caches it on disk and swaps
 * it in. Created when the process starts and used by every screening. Until an index is ready it throws `NotReady`, so
 * that no request waits inside a transaction; a damaged cache file is rebuilt.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FairQueue } from '../../base/fair-queue.ts';
import type { Logger } from '../../base/log.ts';
import type { Environment } from '../../contract/operation.ts';
import { unavailable } from '../../contract/problem.ts';
import { NotReady } from '../../request/handler.ts';
import type { Database } from '../../database/index.ts';
import { INDEX_FORMAT } from '../../screening/engine/name-index.ts';
import { ALGORITHM, buildIndexes, type Indexes, ScreeningEngine } from '../../screening/engine/screening-engine.ts';
import { activeVersions, documentsOf, type ListVersion } from '../watch-lists/index.ts';
import { OwnIndexes } from './own-indexes.ts';

/** Lists of an environment as they are searched. The number of a list is its index here. */
interface ListSet {
  readonly key: string;
  readonly versions: readonly ListVersion[];
}

/** Lists with their index, in memory that threads share. */
export interface LoadedSet extends ListSet {
  readonly indexes: Indexes;
}

interface Dependencies {
  readonly database: Database;
  /** Folder of the built indexes, so that the next start reads them. */
  readonly folder: string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Queue whose gaps let screenings of other tenants run between the parts of an own list that is being indexed. */
  readonly fairQueue: FairQueue;
}

/**
 * How long, from the start of loading, requests wait for lists that have just become active. Later requests use the
 * previous lists and report that.
 */
const PATIENCE_MILLISECONDS = 2_000;
/** The same limit if there are no previous lists. Later requests are refused. */
const FIRST_PATIENCE_MILLISECONDS = 8_000;

interface Loading {
  readonly startedAt: number;
  readonly set: Promise<LoadedSet>;
}

/**
 * Keeps the engine at the active lists: builds their index in a thread when they change, caches it on disk, and swaps
 * it in when it is ready.
 */
export class LoadedLists {
  readonly engine = new ScreeningEngine();
  readonly own: OwnIndexes;
  readonly #loaded = new Map<Environment, LoadedSet>();
  readonly #loading = new Map<string, Loading>();
  readonly #given: Dependencies;

  constructor(given: Dependencies) {
    this.#given = given;
    this.own = new OwnIndexes(given.database, given.fairQueue);
  }

  /** Loads the active lists at the start of the service. */
  async warm(environment: Environment): Promise<void> {
    const active = await this.#given.database.platform({ tenantId: null, readOnly: true }, (tx) =>
      activeVersions(tx, environment),
    );
    await this.#load(environment, setOf(active)).set;
  }

  /**
   * Returns the lists that a search will use: the active ones, or the previous ones while the new index takes longer to
   * build than a request waits. Throws `NotReady` until then, so that no request waits inside a transaction or a slot.
   */
  ready(environment: Environment, active: readonly ListVersion[]): LoadedSet {
    const wanted = setOf(active);
    const before = this.#loaded.get(environment);
    if (before?.key === wanted.key) return before;
    const { set, startedAt } = this.#load(environment, wanted);
    const patience =
      startedAt + (before === undefined ? FIRST_PATIENCE_MILLISECONDS : PATIENCE_MILLISECONDS) - performance.now();
    // After a failure the next request retries.
    const settled = set.catch((error: unknown) => this.#failed(environment, error));
    if (patience > 0)
      throw new NotReady(
        'the index of the watch lists',
        Promise.race([settled, sleep(patience, null, { ref: false })]),
      );
    if (before === undefined) throw unavailable('dependency_unavailable');
    return before;
  }

  /** Returns whether searches use the active lists. If not, starts to load them. */
  isCurrent(environment: Environment, active: readonly ListVersion[]): boolean {
    return this.current(environment, active) !== null;
  }

  /** Returns the active lists if searches use them. If not, starts to load them. */
  current(environment: Environment, active: readonly ListVersion[]): LoadedSet | null {
    const wanted = setOf(active);
    const loaded = this.#loaded.get(environment);
    if (loaded?.key === wanted.key) return loaded;
    this.#load(environment, wanted).set.catch((error: unknown) => this.#failed(environment, error));
    return null;
  }

  async stop(): Promise<void> {
    await Promise.all([this.engine.stop(), this.own.stop()]);
  }

  #failed(environment: Environment, error: unknown): void {
    this.#given.log.warn({ reason: (error as Error).message, environment }, 'the watch lists could not be loaded');
  }

  #load(environment: Environment, set: ListSet): Loading {
    const name = `${environment} ${set.key}`;
    let loading = this.#loading.get(name);
    if (loading === undefined) {
      loading = {
        startedAt: performance.now(),
        set: this.#loadNow(environment, set).finally(() => this.#loading.delete(name)),
      };
      this.#loading.set(name, loading);
    }
    return loading;
  }

  async #loadNow(environment: Environment, set: ListSet): Promise<LoadedSet> {
    const startedAt = performance.now();
    const cached = await this.#read(environment, set);
    const indexes = cached ?? (await this.#build(environment, set));
    this.engine.use(environment, indexes);
    this.own.weighBy(environment, indexes);
    const loaded = { ...set, indexes };
    this.#loaded.set(environment, loaded);
    this.#given.log.info(
      {
        environment,
        lists: set.versions.length,
        built: cached === null,
        milliseconds: Math.round(performance.now() - startedAt),
      },
      'watch lists loaded',
    );
    if (cached === null) await this.#keep(environment, set, indexes);
    return loaded;
  }

  #build(environment: Environment, { versions }: ListSet): Promise<Indexes> {
    return buildIndexes((add) =>
      this.#given.database.platform({ tenantId: null, readOnly: true }, async (tx) => {
        for (const [list, { listId, sequence }] of versions.entries()) {
          for await (const documents of documentsOf(tx, { environment, listId }, sequence)) add({ list, documents });
        }
      }),
    );
  }

  /** If a file is missing or truncated, the index is built instead. */
  async #read(environment: Environment, set: ListSet): Promise<Indexes | null> {
    try {
      return {
        person: await sharedFile(this.#path(environment, set, 'person')),
        organisation: await sharedFile(this.#path(environment, set, 'organisation')),
      };
    } catch {
      return null;
    }
  }

  async #keep(environment: Environment, set: ListSet, indexes: Indexes): Promise<void> {
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
      const outdated = (await readdir(folder)).filter(
        (name) => name.startsWith(`${environment}-`) && !name.includes(set.key),
      );
      for (const name of outdated) await rm(join(folder, name), { force: true });
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'the index of the watch lists could not be kept');
    }
  }

  #path(environment: Environment, { key }: ListSet, kind: keyof Indexes): string {
    return join(this.#given.folder, `${environment}-${key}.${kind}`);
  }
}

/** Sorts lists by their ids, so that the same lists form the same set. */
export function setOf(active: readonly ListVersion[]): ListSet {
  const versions = [...active].sort((a, b) => (a.listId < b.listId ? -1 : 1));
  const name = versions.map(({ listId, sequence, sha256 }) => `${listId} ${sequence} ${sha256}`).join('\n');
  return {
    key: createHash('sha256').update(`${ALGORITHM} ${INDEX_FORMAT}\n${name}`).digest('hex').slice(0, 24),
    versions,
  };
}

async function sharedFile(path: string): Promise<SharedArrayBuffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = new SharedArrayBuffer(size);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(new Uint8Array(buffer), at, Math.min(size - at, 64 * 1024 ** 2), at);
      if (bytesRead === 0) throw new Error(`${path} is cut off`);
      at += bytesRead;
    }
    return buffer;
  } finally {
    await file.close();
  }
}
