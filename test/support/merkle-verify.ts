/** Verifies Merkle proofs of the audit log (RFC 9162). Used by the tests of proofs and of the tree. */
import { nodeHash } from '../../server/audit/merkle.ts';

const isOdd = (number: number): boolean => number % 2 === 1;
const half = (number: number): number => Math.floor(number / 2);

export interface Inclusion {
  readonly index: number;
  readonly size: number;
  readonly leaf: Buffer;
  readonly path: readonly Buffer[];
  readonly root: Buffer;
}

/** Verifies an inclusion proof (RFC 9162 §2.1.3.2). */
export function verifyInclusion({ index, size, leaf, path, root }: Inclusion): boolean {
  if (!(index >= 0 && index < size)) return false;
  let node = index;
  let last = size - 1;
  let hash = leaf;
  for (const sibling of path) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = nodeHash(sibling, hash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else hash = nodeHash(hash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && hash.equals(root);
}

export interface Consistency {
  readonly first: number;
  readonly second: number;
  readonly firstRoot: Buffer;
  readonly secondRoot: Buffer;
  readonly path: readonly Buffer[];
}

/** Verifies a consistency proof (RFC 9162 §2.1.4.2). */
export function verifyConsistency({ first, second, firstRoot, secondRoot, path }: Consistency): boolean {
  if (!(first > 0 && first <= second)) return false;
  if (first === second) return path.length === 0 && firstRoot.equals(secondRoot);
  // If the old tree is complete, its root would be the first node of the path, so the path omits it.
  const [start, ...siblings] = Number.isInteger(Math.log2(first)) ? [firstRoot, ...path] : path;
  if (start === undefined || siblings.length === 0) return false;
  let node = first - 1;
  let last = second - 1;
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  let oldHash = start;
  let newHash = start;
  for (const sibling of siblings) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      oldHash = nodeHash(sibling, oldHash);
      newHash = nodeHash(sibling, newHash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else newHash = nodeHash(newHash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && oldHash.equals(firstRoot) && newHash.equals(secondRoot);
}
