/**
 * The engine as other layers see it: builds indexes and searches them in threads. Used by the modules screenings and
 * monitoring. A thread that dies fails its searches and is replaced at the next one. A change of any score needs a new
 * `ALGORITHM`.
 */
import { Worker } from 'node:worker_threads';
import { IdleThreads } from '../idle-threads.ts';
import type { Work } from '../less-urgent.ts';
import type { ListedEntity } from '../listed-entity.ts';
import type { Found, SearchOptions } from './search.ts';
import type { Subject } from './subject.ts';

/** Version of the algorithm, stored with each result. Any change of a score must change it. */
export const ALGORITHM = 'm7';

/** Indexes of a set of lists, in memory that threads share. */
export interface Indexes {
  readonly person: SharedArrayBuffer;
  readonly organisation: SharedArrayBuffer;
}

export interface SearchResult {
  readonly hits: readonly Found[];
  /** Whether there are more hits than the caller takes. */
  readonly isTruncated: boolean;
}

interface Search {
  readonly name: string;
  /** Lists that decide how rare a word is, if the searched lists are too small for that. */
  readonly weighedBy?: string;
  readonly subject: Subject;
  readonly options: SearchOptions;
  readonly most: number;
}

/**
 * Search for the subjects, stored as a set under a name like lists, for whom a search of the lists may find the entity
 * with a score of the threshold or more.
 */
interface Affected {
  readonly subjects: string;
  readonly lists: string;
  readonly entity: ListedEntity;
  readonly threshold: number;
}

interface AffectedSubjects {
  readonly keys: readonly string[];
}

export type Order =
  | ({ readonly do: 'add' } & IndexPart)
  | { readonly do: 'build' }
  | { readonly do: 'use'; readonly name: string; readonly indexes: Indexes }
  | { readonly do: 'drop'; readonly name: string }
  | ({ readonly do: 'affected'; readonly id: number } & Affected)
  | ({ readonly do: 'search'; readonly id: number } & Search);

export type Answer =
  | { readonly did: 'build'; readonly indexes: Indexes }
  | ({ readonly did: 'affected'; readonly id: number } & AffectedSubjects)
  | ({ readonly did: 'search'; readonly id: number } & SearchResult);

const startThread = (work: Work): Worker => new Worker(new URL('./thread.ts', import.meta.url), { workerData: work });

/**
 * A part of a list. Documents are entities as JSON, or arrays of them; the number says which list of the set they are
 * on.
 */
export interface IndexPart {
  readonly list: number;
  readonly documents: readonly string[];
}

type Indexing = Extract<Work, 'indexing' | 'indexingOwnList'>;

/** Idle builder threads, because tenants replace their lists several times when they start. */
const builders = new IdleThreads((work: Indexing) => startThread(work), 30_000);

/**
 * Builds the indexes of a set of lists in a separate thread. `feed` adds the contents of the lists, and its transaction
 * ends before the indexes are assembled.
 */
export async function buildIndexes(
  feed: (add: (part: IndexPart) => void) => Promise<unknown>,
  work: Indexing = 'indexing',
): Promise<Indexes> {
  const thread = builders.take(work);
  let isDone = false;
  const built = Promise.withResolvers<Indexes>();
  built.promise.catch(() => {});
  const onAnswer = (answer: Answer): void => {
    if (answer.did === 'build') built.resolve(answer.indexes);
  };
  const onEnd = (): void => built.reject(new Error('the thread that builds an index has ended'));
  thread.on('message', onAnswer).on('error', built.reject).on('exit', onEnd);
  try {
    const order = (given: Order): void => thread.postMessage(given);
    await feed((part) => order({ do: 'add', ...part }));
    order({ do: 'build' });
    const indexes = await built.promise;
    isDone = true;
    return indexes;
  } finally {
    thread.off('message', onAnswer).off('error', built.reject).off('exit', onEnd);
    if (isDone) builders.keep(work, thread);
    else await thread.terminate();
  }
}

/**
 * Searches sets of lists, each under a name, in a thread that starts with the first search. The next search replaces a
 * thread that has died.
 */
export class ScreeningEngine {
  readonly #sets = new Map<string, Indexes>();
  readonly #waiting = new Map<
    number,
    { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void }
  >();
  #thread: Worker | null = null;
  #next = 0;

  /** Assigns these lists to the name from now on. Searches in progress end with the earlier lists. */
  use(name: string, indexes: Indexes): void {
    this.#sets.set(name, indexes);
    this.#thread?.postMessage({ do: 'use', name, indexes } satisfies Order);
  }

  has(name: string): boolean {
    return this.#sets.has(name);
  }

  /** Removes the lists of the name. */
  drop(name: string): void {
    this.#sets.delete(name);
    this.#thread?.postMessage({ do: 'drop', name } satisfies Order);
  }

  async search(search: Search): Promise<SearchResult> {
    const answer = await this.#answerTo([search.name, search.weighedBy ?? search.name], (id) => ({
      do: 'search',
      id,
      ...search,
    }));
    if (answer.did !== 'search') throw new TypeError(`a search was answered by ${answer.did}`);
    return answer;
  }

  /** Returns the keys of the subjects for whom an entity may be a hit. */
  async affected(affected: Affected): Promise<readonly string[]> {
    const answer = await this.#answerTo([affected.subjects, affected.lists], (id) => ({
      do: 'affected',
      id,
      ...affected,
    }));
    if (answer.did !== 'affected') throw new TypeError(`a search for subjects was answered by ${answer.did}`);
    return answer.keys;
  }

  #answerTo(sets: readonly string[], orderOf: (id: number) => Order): Promise<Answer> {
    for (const name of sets) if (!this.#sets.has(name)) throw new Error(`there is no set of lists named ${name}`);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#running().postMessage(orderOf(id));
    });
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #running(): Worker {
    if (this.#thread !== null) return this.#thread;
    const thread = startThread('searching');
    thread.unref();
    thread.on('message', (answer: Answer) => {
      if (answer.did === 'build') return;
      this.#waiting.get(answer.id)?.resolve(answer);
      this.#waiting.delete(answer.id);
    });
    let reason = new Error('the thread of the screening engine was stopped');
    thread.on('error', (error) => void (reason = error as Error));
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = null;
      for (const { reject } of this.#waiting.values()) reject(reason);
      this.#waiting.clear();
    });
    for (const [name, indexes] of this.#sets) thread.postMessage({ do: 'use', name, indexes } satisfies Order);
    return (this.#thread = thread);
  }
}
