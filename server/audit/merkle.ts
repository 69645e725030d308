/**
 * The Merkle tree of RFC 6962, without input or output. Used by the stored tree, proofs and verification. Proofs are
 * checked by programs of others, so results must follow the RFC exactly. Sizes may exceed 2^32: no bit operations.
 */
import { createHash } from 'node:crypto';

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/**
 * Returns the hash of a leaf (RFC 6962 §2.1). The prefixes of leaves and nodes prevent a leaf from being used as a node
 * (second preimages).
 */
export function leafHash(data: Buffer | string): Buffer {
  return createHash('sha256').update(LEAF).update(data).digest();
}

export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(NODE).update(left).update(right).digest();
}

export function emptyRoot(): Buffer {
  return createHash('sha256').digest();
}

/** Returns the largest power of two below `size`: the point at which the RFC splits a tree. */
export function split(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}

/**
 * A complete subtree of 2^level leaves, the `index`-th of its level. Sizes may exceed 2^32, so this file uses no bit
 * shifts.
 */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
}

/** Leaves from `start` up to, not including, `end`. */
export type Leaves = readonly [start: number, end: number];

/**
 * Returns the complete subtrees that make up a subtree, from left to right, each smaller than the one before. A subtree
 * of an RFC 6962 tree starts at a multiple of every power of two that it contains.
 */
export function completeNodes([start, end]: Leaves): TreeNode[] {
  const nodes: TreeNode[] = [];
  let width = 1;
  while (width * 2 <= end - start) width *= 2;
  for (let at = start; at < end; width /= 2) {
    if (at + width > end) continue;
    nodes.push({ level: Math.log2(width), index: at / width });
    at += width;
  }
  return nodes;
}

/** Returns the hash of a subtree from those of its complete nodes, left to right. */
export function joinNodes(hashes: readonly Buffer[]): Buffer {
  return hashes.length === 0 ? emptyRoot() : hashes.reduceRight((right, left) => nodeHash(left, right));
}

export interface HashedNode extends TreeNode {
  readonly hash: Buffer;
}

/** An append-only tree, stored as its complete subtrees: log2(size) hashes, whatever the number of leaves. */
export class Frontier {
  #size: number;
  readonly #hashes: Buffer[];

  /** Restores a tree; `hashes` are those of `completeNodes([0, size])`. */
  constructor(size = 0, hashes: readonly Buffer[] = []) {
    if (completeNodes([0, size]).length !== hashes.length)
      throw new RangeError(`a tree of ${size} leaves does not have ${hashes.length} complete subtrees`);
    this.#size = size;
    this.#hashes = [...hashes];
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a leaf. Returns the interior nodes that the leaf completes, from the lowest up. */
  append(leaf: Buffer): HashedNode[] {
    const completed: HashedNode[] = [];
    let hash = leaf;
    let index = this.#size;
    for (let level = 1; index % 2 === 1; level++) {
      index = (index - 1) / 2;
      hash = nodeHash(this.#hashes.pop() as Buffer, hash);
      completed.push({ level, index, hash });
    }
    this.#hashes.push(hash);
    this.#size += 1;
    return completed;
  }

  root(): Buffer {
    return joinNodes(this.#hashes);
  }
}

/**
 * Returns PATH(m, D[n]) of RFC 6962 §2.1.1: the siblings on the way from leaf `index` up to the root, lowest first. A
 * reader with the hashes of complete subtrees (`completeNodes`) computes a path without reading the leaves.
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

/**
 * Returns PROOF(m, D[n]) of RFC 6962 §2.1.2: the proof that the tree of `second` leaves continues the tree of its first
 * `first` leaves.
 */
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
  // SUBPROOF(m, D[m], false): added unless this subtree is the old tree itself, whose root the verifier has.
  if (start > 0) path.push([start, end]);
  return path.reverse();
}
