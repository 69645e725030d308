import { getPriority, setPriority } from 'node:os';

const LEAST_URGENT = 19;
/** What a request waits for is a little less urgent than the thread that answers requests. What takes seconds gives way to both, and still has a tenth of a processor that is never idle. */
const NICENESS = { searching: 5, building: 10 };

/** Makes this thread less urgent than the one that answers requests, which would otherwise wait for a processor whenever a thread works on something long. */
export function yieldToRequests(work: keyof typeof NICENESS): void {
  // Linux keeps a priority for each thread (sched(7)); elsewhere it would be that of the whole process.
  if (process.platform === 'linux') setPriority(Math.min(LEAST_URGENT, getPriority() + NICENESS[work]));
}
