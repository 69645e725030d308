import type { Candidate, Sample } from './candidate.ts';

/**
 * CPU time of this thread per call, in microseconds: on a shared machine the clock on the wall also counts what others
 * do. The samples are made beforehand, because a validator may fill defaults into what it is given.
 */
export async function microsecondsPerCall(candidate: Candidate, sample: () => Sample, calls: number): Promise<number> {
  const samples = Array.from({ length: calls }, sample);
  const begun = process.threadCpuUsage();
  for (const one of samples) {
    const pending = candidate(one);
    if (pending !== undefined) await pending;
  }
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / calls;
}
