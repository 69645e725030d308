/**
 * Starts an estimate in a thread of its own, so that neither requests nor searches wait for it. Used by the module
 * screenings. The thread shares the memory of the index.
 */
import { Worker } from 'node:worker_threads';
import type { EstimatedCounts, EstimateOrder } from './estimate.ts';

/** Counts what each line finds on a set of lists. Rejects if the signal ends the thread before. */
export async function estimateInThread(order: EstimateOrder, signal: AbortSignal): Promise<EstimatedCounts[]> {
  signal.throwIfAborted();
  const thread = new Worker(new URL('./estimate-thread.ts', import.meta.url), { workerData: order });
  thread.unref();
  const counted = Promise.withResolvers<EstimatedCounts[]>();
  const end = (): void => void thread.terminate();
  thread
    .on('message', counted.resolve)
    .on('error', counted.reject)
    .on('exit', () => counted.reject(new Error('the thread that estimates lines has ended')));
  signal.addEventListener('abort', end);
  try {
    return await counted.promise;
  } finally {
    signal.removeEventListener('abort', end);
    await thread.terminate();
  }
}
