/**
 * Times after which something counts as hanging, in milliseconds, for every configuration of the tests. None is a
 * promise about speed, which `make bench` measures. Each limit is longer than the limits of what may happen within it.
 */

/** Wait for something that needs no further action: a polled condition, or content of a page. */
export const LONGEST_WAIT = 30_000;
/** One test, which may include such a wait. */
export const LONGEST_TEST = 120_000;
/** Start of a live service: longer than a start after a crash of its database on a busy machine. */
export const LONGEST_START = 180_000;

/**
 * Returns the limit of a test or hook that starts live services one after the other, each on a copy of a data directory
 * that another start may have to create first.
 */
export const longestWith = (starts: number): number => (starts + 1) * LONGEST_START + LONGEST_TEST;

/** Limits that every configuration uses. */
export const limits = {
  testTimeout: LONGEST_TEST,
  hookTimeout: longestWith(1),
  expect: { requireAssertions: true, poll: { timeout: LONGEST_WAIT } },
};
