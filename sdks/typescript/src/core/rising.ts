/** Rising pauses after failures. Used by feeds and the renewal of tokens. */

/**
 * Returns the pause after consecutive failures of something that never gives up: a second, doubled after each failure,
 * up to a minute; the second half is random. It has a file of its own because code that is loaded at once (`follow.ts`)
 * and code that is loaded later (`token-manager.ts`) share it.
 */
export function rising(failures: number, random: () => number = Math.random): number {
  return Math.min(60_000, 1_000 * 2 ** failures) * (0.5 + random() / 2);
}
