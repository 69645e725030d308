/**
 * Reader of the queue of graphile-worker, which serves its entries until it is stopped or fails. Used by worker.ts,
 * which starts another one after a failure.
 */
import { EventEmitter } from 'node:events';
import type { RunnerOptions, WorkerEvents, WorkerUtils } from 'graphile-worker';

interface Reading {
  /** Stops the reader. */
  readonly signal: AbortSignal;
  /** Time within which a reader that shuts down must end once it serves nobody. */
  readonly timeoutMilliseconds: number;
  readonly isServing: () => boolean;
  readonly onStart: () => void;
}

/** Serves the entries of the queue. Resolves or rejects when the reader has ended, and rejects if it does not end. */
export async function readQueue(options: RunnerOptions, reading: Reading): Promise<void> {
  const { makeWorkerUtils, run } = await import('graphile-worker');
  await removeDeadEntries(await makeWorkerUtils(options));
  const events: WorkerEvents = new EventEmitter();
  const stuck = whenStuck(events, reading);
  const runner = await run({ ...options, events });
  reading.onStart();
  const stop = (): void => void runner.stop().catch(() => {});
  reading.signal.addEventListener('abort', stop, { once: true });
  if (reading.signal.aborted) stop();
  await Promise.race([runner.promise, stuck]).finally(() => reading.signal.removeEventListener('abort', stop));
}

/**
 * Removes entries that a killed process had taken. Waking the tenant added a new entry and set the attempts of the
 * taken one to the maximum, so graphile-worker does not run it again and would never delete it.
 */
async function removeDeadEntries(utils: WorkerUtils): Promise<void> {
  try {
    await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] });
  } finally {
    await utils.release();
  }
}

/**
 * Rejects if the reader shuts down and has not ended after a while although it serves nobody any more. graphile-worker
 * may never end if several entries could not be returned; it has given back its connections by then.
 */
function whenStuck(events: WorkerEvents, { timeoutMilliseconds, isServing }: Reading): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = (): void => {
      if (isServing()) return later();
      reject(new Error('the reader of the queue did not end'));
    };
    const later = (): void => void setTimeout(giveUp, timeoutMilliseconds).unref();
    events.once('pool:gracefulShutdown', later);
  });
}
