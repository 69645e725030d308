import { type Candidates, fill, sizeOf, type Way } from './formula.ts';

/** A rule that may be satisfied, and who may fill its slots. */
export interface Satisfiable {
  readonly ways: readonly Way[];
  readonly candidates: Candidates;
}

/**
 * Sets that an answer lists, sets that are tried before the list counts as cut off, and ways that are tried for them.
 */
const MOST_SETS = 10;
const MOST_TRIES = 5000;
const MOST_FILLS = 20_000;

export interface SignerSets {
  readonly sets: readonly (readonly string[])[];
  readonly isTruncated: boolean;
}

/**
 * Returns the minimal sets of further persons with whom those who have signed satisfy a rule, by size and then by keys.
 * Sets grow by one person at a time, in the order of keys, and only while the persons that are left could fill the
 * missing slots of some rule.
 */
export function signerSets(
  rules: readonly Satisfiable[],
  signed: ReadonlySet<string>,
  others: readonly string[],
  mostFills = MOST_FILLS,
): SignerSets {
  const persons = [...others].filter((person) => !signed.has(person)).sort();
  const everybody = new Set([...signed, ...persons]);
  const ways = rules.flatMap(({ ways: list, candidates }) =>
    list.flatMap((way) =>
      fill(way, everybody, candidates).length === sizeOf(way) ? [{ way, candidates, size: sizeOf(way) }] : [],
    ),
  );
  const missingOf = (set: ReadonlySet<string>): number =>
    Math.min(...ways.map(({ way, candidates, size }) => size - fill(way, set, candidates).length));
  const found: string[][] = [];
  const useful = persons.filter((person) =>
    ways.some(({ way, candidates }) => way.some(({ leaves }) => leaves.some((leaf) => candidates(leaf).has(person)))),
  );
  let tries = 0;
  let isTruncated = false;

  function grow(set: readonly string[], from: number, size: number): void {
    if (isTruncated) return;
    if (++tries > MOST_TRIES || tries * ways.length > mostFills) {
      isTruncated = true;
      return;
    }
    if (found.some((smaller) => smaller.every((person) => set.includes(person)))) return;
    const missing = missingOf(new Set([...signed, ...set]));
    const left = size - set.length;
    if (missing > left) return;
    if (left === 0) {
      if (found.length === MOST_SETS) isTruncated = true;
      else found.push([...set]);
      return;
    }
    for (let index = from; index <= useful.length - left; index++) grow([...set, useful[index]!], index + 1, size);
  }
  if (ways.length > 0)
    for (let size = Math.max(1, missingOf(signed)); size <= useful.length && size <= 20 && !isTruncated; size++)
      grow([], 0, size);
  return { sets: found, isTruncated };
}
