/**
 * Lowers the priority of a thread. Called by the threads of the engine and of reading lists. Effective on Linux only.
 */
import { getPriority, setPriority } from 'node:os';

const LEAST_URGENT = 19;
/**
 * Priorities of threads. A search that a request waits for is slightly less urgent than the thread that answers
 * requests. Work that takes seconds yields to both and still gets a tenth of a busy processor. The index of a tenant's
 * own list, for which only that tenant waits, and an estimate, for which nobody waits, use idle time only.
 */
const NICENESS = {
  searching: 5,
  reading: 10,
  indexing: 10,
  indexingOwnList: LEAST_URGENT,
  estimating: LEAST_URGENT,
};
/** Purpose of a thread. */
export type Work = keyof typeof NICENESS;

/**
 * Makes this thread less urgent than the one that answers requests, which would otherwise wait for a processor while
 * the thread does long work.
 */
export function yieldToRequests(work: Work): void {
  // Linux has a priority per thread (sched(7)); elsewhere the priority would be that of the whole process.
  if (process.platform === 'linux') setPriority(Math.min(LEAST_URGENT, getPriority() + NICENESS[work]));
}
