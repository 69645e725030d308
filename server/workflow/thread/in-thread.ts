/** Carries orders to threads of the engine, and stops a thread that exceeds its limits. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { IdleThreads } from '../../screening/idle-threads.ts';
import type { Answer, Order } from '../compute.ts';

/** Limits of one order. What exceeds them is stopped with its thread. */
const LIMITS = {
  read: { milliseconds: 2000 },
  step: { milliseconds: 1000 },
  decide: { milliseconds: 1000 },
};
const MEMORY_MB = 128;
/** A thread that does not even start in this time is a fault of the service. */
const START_MILLISECONDS = 30_000;

const ready = new WeakSet<Worker>();
const threads = new IdleThreads<'workflow'>(
  () => new Worker(new URL('./thread.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } }),
  30_000,
);

/** Carries out an order in a thread. Resolves to `exceeded` if it takes too much time or memory. */
export async function inThread(order: Order): Promise<Answer | 'exceeded'> {
  const thread = threads.take('workflow');
  try {
    if (!ready.has(thread)) {
      await once(thread, 'message', { signal: AbortSignal.timeout(START_MILLISECONDS) });
      ready.add(thread);
    }
    const timeout = AbortSignal.timeout(LIMITS[order.do].milliseconds);
    thread.postMessage(order);
    const [answer] = (await once(thread, 'message', { signal: timeout })) as [Answer];
    threads.keep('workflow', thread);
    return answer;
  } catch {
    // The thread was too slow, ran out of memory or failed: none of it may reach the next order.
    await thread.terminate();
    return 'exceeded';
  }
}
