import { getPriority, setPriority } from 'node:os';

const LESS_URGENT = 5;
const LEAST_URGENT = 19;

/** Makes this thread less urgent than the one that answers requests, which would otherwise wait for a processor whenever a thread works on something long. */
export function yieldToRequests(): void {
  // Linux keeps a priority for each thread (sched(7)); elsewhere it would be that of the whole process.
  if (process.platform === 'linux') setPriority(Math.min(LEAST_URGENT, getPriority() + LESS_URGENT));
}
