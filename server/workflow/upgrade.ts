/** Brings what earlier releases have stored up to the format of this one, one format after the other. */

interface Stored {
  readonly format: number;
}

/** Functions that make the next format, by the format that they read. */
export type Upgrades = ReadonlyMap<number, (older: Stored) => Stored>;

/**
 * Returns stored JSON in the newest format. What a later release has written is refused, because this one could lose
 * what it does not know.
 */
export function upgraded<T extends Stored>(stored: T, newest: T['format'], upgrades: Upgrades): T {
  let current: Stored = stored;
  while (current.format !== newest) {
    const upgrade = upgrades.get(current.format);
    if (upgrade === undefined) throw new Error(`The format ${current.format} is not known to this release.`);
    current = upgrade(current);
  }
  return current as T;
}
