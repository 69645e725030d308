/**
 * Polls `/readyz` in a thread of its own, so that delays of the benchmark itself are not mistaken for delays of the
 * service. Used by screening-service.ts.
 */
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MILLISECONDS = 5;

/** Returns the duration of each response while `work` runs. */
export async function whileWatching(url: string, work: () => Promise<unknown>): Promise<readonly number[]> {
  const thread = new Worker(new URL(import.meta.url), { workerData: url });
  try {
    await new Promise((resolve) => thread.once('online', resolve));
    await work();
    const delays = new Promise<readonly number[]>((resolve, reject) =>
      thread.once('message', resolve).once('error', reject),
    );
    thread.postMessage('enough');
    return await delays;
  } finally {
    await thread.terminate();
  }
}

async function watch(url: string): Promise<void> {
  const delays: number[] = [];
  let isOver = false;
  parentPort!.once('message', () => void (isOver = true));
  while (!isOver) {
    const begun = performance.now();
    await (await fetch(`${url}/readyz`)).text();
    delays.push(performance.now() - begun);
    await sleep(PAUSE_MILLISECONDS);
  }
  parentPort!.postMessage(delays);
}

if (parentPort !== null && typeof workerData === 'string') await watch(workerData);
