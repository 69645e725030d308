/**
 * Processor times and their ratios, which depend neither on other programs nor on the speed of the machine. Used by
 * tests that compare how much work two requests cause.
 */

/** Returns the processor milliseconds that this thread has used. */
export function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns the processor milliseconds that this process has used, including the threads that hash, compress and look up
 * names.
 */
export function processMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export async function spent(work: () => unknown, clock = threadMilliseconds): Promise<number> {
  const begun = clock();
  await work();
  return clock() - begun;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/**
 * Returns how many times as long one work takes as the other. Both take turns, so that a slow phase affects both, and
 * the sums are compared, because the system updates a thread's time only a few times per hundredth of a second, so that
 * one short turn may count as zero.
 */
export async function ratioOf(
  one: () => unknown,
  other: () => unknown,
  { rounds = 9, clock = threadMilliseconds } = {},
): Promise<number> {
  let [taken, beside] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    beside += await spent(other, clock);
    taken += await spent(one, clock);
  }
  return taken / beside;
}

/** Factor between the two sizes: linear work takes eight times as long, quadratic work 64 times. */
const TIMES = 8;
/** Limit between the two: a size that no longer fits into the processor cache doubles the time again. */
export const LINEAR = 24;
/** Shortest turn, long enough for the resolution of the clock, and for garbage collection to be a small part of it. */
const SHORTEST = 10;

/** Returns how many times as long work takes for a size as for an eighth of it. */
export async function growth(work: (size: number) => unknown, size: number): Promise<number> {
  const smaller = Math.ceil(size / TIMES);
  const often = (of: number, times: number) => async () => {
    for (let i = 0; i < times; i++) await work(of);
  };
  await work(size);
  let times = 1;
  while ((await spent(often(smaller, times))) < SHORTEST) times *= 2;
  return ratioOf(often(size, times), often(smaller, times), { rounds: 3 });
}
