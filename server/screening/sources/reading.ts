/**
 * Reads a list in a thread, part by part. Called by imports, own lists and previews. Errors of the file arrive as
 * `SourceFileError`; a list that needs too much memory is refused and the process goes on.
 */
import { Worker } from 'node:worker_threads';
import { IdleThreads } from '../idle-threads.ts';
import { assertComplete, type FormatName } from './index.ts';
import type { ListBounds } from './list-bounds.ts';
import { type SourceFacts, type SourceFault, SourceFileError } from './source-file.ts';

/** A list as it was uploaded or is stored on disk. */
export interface ListFiles {
  readonly format: FormatName;
  /** Paths or bytes by role: `main` and the other files of the format. */
  readonly files: Readonly<Record<string, string | Uint8Array>> & { readonly main: string | Uint8Array };
}

/** An entity as JSON, with the hashes of its content and of its matched fields. */
export interface ReadEntity {
  readonly key: string;
  readonly content: string;
  readonly match: string;
  readonly document: string;
}

export interface ReadingOrder extends ListFiles {
  readonly bounds: ListBounds;
}

export type ReadingReport =
  | { readonly did: 'read'; readonly entities: readonly ReadEntity[] }
  | { readonly did: 'end'; readonly facts: SourceFacts }
  | {
      readonly did: 'refuse';
      readonly message: string;
      readonly role: string;
      readonly code: SourceFault;
    };

/** Idle reader threads by their memory limit. */
const threads = new IdleThreads(
  (maxOldGenerationSizeMb: number) =>
    new Worker(new URL('./reading-thread.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb } }),
  5_000,
);

/**
 * Reads a list in a separate thread, one part after the other, and completes `facts` at the end. The calling thread
 * only takes the parts, so it is free between them.
 */
export async function* readList(
  order: ReadingOrder,
  facts: SourceFacts,
  signal?: AbortSignal,
): AsyncGenerator<readonly ReadEntity[]> {
  assertComplete(order.format, Object.keys(order.files));
  signal?.throwIfAborted();
  const { memoryMebibytes } = order.bounds;
  const thread = threads.take(memoryMebibytes);
  const stop = (): void => void thread.terminate();
  signal?.addEventListener('abort', stop, { once: true });
  let isDone = false;
  try {
    thread.postMessage(order);
    for (;;) {
      const report = await nextReport(thread);
      signal?.throwIfAborted();
      isDone = report.did !== 'read';
      if (report.did === 'refuse') throw new SourceFileError(report.message, report.role, report.code);
      if (report.did === 'end') return void Object.assign(facts, report.facts);
      yield report.entities;
      thread.postMessage('next');
    }
  } catch (error) {
    signal?.throwIfAborted();
    if ((error as { readonly code?: unknown }).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw new SourceFileError(
      `reading the file takes more than the ${memoryMebibytes} MiB of memory that a list needs`,
      'main',
      'too_large',
    );
  } finally {
    signal?.removeEventListener('abort', stop);
    if (isDone) threads.keep(memoryMebibytes, thread);
    else await thread.terminate();
  }
}

function nextReport(thread: Worker): Promise<ReadingReport> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      end();
    };
    const onMessage = (report: ReadingReport): void => settle(() => resolve(report));
    const onError = (error: unknown): void => settle(() => reject(error as Error));
    const onExit = (): void => settle(() => reject(new Error('the thread that reads a list has ended')));
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}
