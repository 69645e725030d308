import { median, threadMilliseconds } from './processor-time.ts';

/**
 * The longest time, in milliseconds of the processor, that one turn of the event loop takes while something is done in this process.
 * The processor's time and not the clock's: other programs on a busy machine do not count.
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

/** JSON of a mebibyte: many short texts, each another. */
const TEXTS = `[${Array.from({ length: 160_000 }, (_, i) => `"${i.toString(36).padStart(3, '0')}"`).join(',')}]`;

/**
 * Milliseconds of the processor that the engine takes to read a mebibyte of short texts, the middle of five: by it a turn is judged, so that
 * neither a slow machine nor a busy one counts.
 */
export function measuredYardstick(): number {
  const taken = Array.from({ length: 5 }, () => {
    const begun = threadMilliseconds();
    JSON.parse(TEXTS);
    return threadMilliseconds() - begun;
  });
  return median(taken);
}
