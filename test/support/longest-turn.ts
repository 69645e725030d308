/** Measures the longest turn of the event loop. Used by the test of worst bodies. */
import { median, threadMilliseconds } from './processor-time.ts';

/**
 * Returns the longest processor time, in milliseconds, of one turn of the event loop while `work` runs in this process.
 * Processor time does not count other programs on a busy machine.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, done] = [0, threadMilliseconds(), false];
  const turn = (): void => {
    const now = threadMilliseconds();
    longest = Math.max(longest, now - last);
    last = now;
    if (!done) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  done = true;
  return longest;
}

/** JSON of one mebibyte: many different short texts. */
const TEXTS = `[${Array.from({ length: 160_000 }, (_, i) => `"${i.toString(36).padStart(3, '0')}"`).join(',')}]`;

/**
 * Returns the processor milliseconds that the engine needs to parse a mebibyte of short texts, the median of five. A
 * turn is compared with it, so that neither a slow nor a busy machine affects the result.
 */
export function measuredYardstick(): number {
  const taken = Array.from({ length: 5 }, () => {
    const begun = threadMilliseconds();
    JSON.parse(TEXTS);
    return threadMilliseconds() - begun;
  });
  return median(taken);
}
