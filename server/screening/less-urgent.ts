import { getPriority, setPriority } from 'node:os';

const LEAST_URGENT = 19;
/**
 * What a request waits for is a little less urgent than the thread that answers requests. What takes seconds gives way to both, and still has a tenth of a processor that is never idle. The index of one tenant's
 * own list, for which that tenant alone waits, has the time that nobody else needs.
 */
const NICENESS = { searching: 5, reading: 10, indexing: 10, indexingOwnList: LEAST_URGENT };
/** What a thread is for. */
export type Work = keyof typeof NICENESS;

/** Makes this thread less urgent than the one that answers requests, which would otherwise wait for a processor whenever a thread works on something long. */
export function yieldToRequests(work: Work): void {
  // Linux keeps a priority for each thread (sched(7)); elsewhere it would be that of the whole process.
  if (process.platform === 'linux') setPriority(Math.min(LEAST_URGENT, getPriority() + NICENESS[work]));
}
