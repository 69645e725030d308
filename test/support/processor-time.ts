/** Times by the processor and ratios of them: what other programs do on the machine does not count, nor how fast it is. */

/** Milliseconds of the processor that this thread has used. */
export function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds of the processor that this process has used, with the threads that hash, compress and look names up. */
export function processMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export async function spent(work: () => unknown, clock = threadMilliseconds): Promise<number> {
  const begun = clock();
  await work();
  return clock() - begun;
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/**
 * How many times as long one work takes as the other, in turns, so that what slows a while down slows both. The sums are compared: the system notes what a
 * thread has used a few times in a hundredth of a second, so that one short turn may count as nothing.
 */
export async function ratioOf(one: () => unknown, other: () => unknown, { rounds = 9, clock = threadMilliseconds } = {}): Promise<number> {
  let [taken, beside] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    beside += await spent(other, clock);
    taken += await spent(one, clock);
  }
  return taken / beside;
}

/** So many times as large is what a growth is measured by: what grows with its size takes eight times as long, what goes over everything again 64 times. */
const TIMES = 8;
/** Between the two: a size that no longer fits into the cache of the processor takes twice as long again. */
export const LINEAR = 24;
/** A turn is long enough for the clock of the processor, and for a collection of garbage to be a small part of it. */
const SHORTEST = 10;

/** How many times as long a work takes for a size as for an eighth of it. */
export async function growth(work: (size: number) => unknown, size: number): Promise<number> {
  const smaller = Math.ceil(size / TIMES);
  const often = (of: number, times: number) => async () => {
    for (let i = 0; i < times; i++) await work(of);
  };
  await work(size);
  let times = 1;
  while (await spent(often(smaller, times)) < SHORTEST) times *= 2;
  return ratioOf(often(size, times), often(smaller, times), { rounds: 5 });
}
