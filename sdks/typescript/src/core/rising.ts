/**
 * How long something that never gives up waits after so many failures: a second, doubled by each of them, up to a minute; the second half is
 * random. It has a file of its own because what is loaded at once (`follow.ts`) and what is loaded later (`token-manager.ts`) share it.
 */
export function rising(failures: number, random: () => number = Math.random): number {
  return Math.min(60_000, 1_000 * 2 ** failures) * (0.5 + random() / 2);
}
