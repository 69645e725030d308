/** Counts what a table of tests has tried, for the output of the run. */
import { afterAll } from 'vitest';

/** Counts what a table of tests has tried, and prints the count at the end, because it grows with the contract. */
export function tally(what: string): (times?: number) => void {
  let count = 0;
  afterAll(() => console.info(`${count} ${what}`));
  return (times = 1) => void (count += times);
}
