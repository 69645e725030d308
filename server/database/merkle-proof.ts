import { split, type Leaves } from './merkle.ts';

/**
 * PATH(m, D[n]) of RFC 6962 §2.1.1: the subtrees beside the way from leaf `index` up to the root, lowest first. Whoever
 * has the hashes of complete subtrees (`completeNodes`) reads a path from them without touching the leaves.
 */
export function inclusionPath(index: number, size: number): Leaves[] {
  if (!(index >= 0 && index < size)) throw new RangeError(`leaf ${index} is not in a tree of ${size}`);
  const path: Leaves[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + split(end - start);
    if (index < middle) {
      path.push([middle, end]);
      end = middle;
    } else {
      path.push([start, middle]);
      start = middle;
    }
  }
  return path.reverse();
}

/** PROOF(m, D[n]) of RFC 6962 §2.1.2: that the tree of `second` leaves continues the tree of its first `first` ones. */
export function consistencyPath(first: number, second: number): Leaves[] {
  if (!(first > 0 && first <= second)) throw new RangeError(`a tree of ${second} does not continue one of ${first}`);
  const path: Leaves[] = [];
  let [start, end] = [0, second];
  while (first < end) {
    const middle = start + split(end - start);
    if (first <= middle) {
      path.push([middle, end]);
      end = middle;
    } else {
      path.push([start, middle]);
      start = middle;
    }
  }
  // SUBPROOF(m, D[m], false): unless it is the old tree itself, whose root the verifier has.
  if (start > 0) path.push([start, end]);
  return path.reverse();
}
