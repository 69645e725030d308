/**
 * How long something may take before it counts as hanging, in milliseconds: the only place that says so, for every configuration of the tests.
 * None is a promise about speed, which `make bench` measures. Each limit is longer than whatever may happen within it.
 */

/** What comes by itself: a condition that is polled, or what a page shows. */
export const LONGEST_WAIT = 30_000;
/** One test, in which something may be waited for. */
export const LONGEST_TEST = 120_000;
/** The start of a live service: one after a crash of its database on a busy machine, and then some. */
export const LONGEST_START = 180_000;

/** A test or a hook that starts live services one after the other: each on a copy of a data directory, which another start may have to make first. */
export const longestWith = (starts: number): number => (starts + 1) * LONGEST_START + LONGEST_TEST;

/** What every configuration takes over. */
export const limits = { testTimeout: LONGEST_TEST, hookTimeout: longestWith(1), expect: { requireAssertions: true, poll: { timeout: LONGEST_WAIT } } };
