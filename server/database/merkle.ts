import { createHash } from 'node:crypto';

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** Hashes of a Merkle tree (RFC 6962 §2.1): the prefixes keep a leaf from passing for a node (second preimages). */
export function leafHash(data: Buffer | string): Buffer {
  return createHash('sha256').update(LEAF).update(data).digest();
}

export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(NODE).update(left).update(right).digest();
}

export function emptyRoot(): Buffer {
  return createHash('sha256').digest();
}

/** The largest power of two below `size`: where the RFC splits a tree. */
export function split(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}

/** A complete subtree of 2^level leaves, the `index`-th of its level. Sizes may pass 2^32, so nothing here shifts bits. */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
}

/** The leaves from `start` up to, not including, `end`. */
export type Leaves = readonly [start: number, end: number];

/**
 * The complete subtrees that make up a subtree, from left to right, each smaller than the one before. A subtree of an
 * RFC 6962 tree starts at a multiple of every power of two that it contains.
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

/** The hash of a subtree from those of its complete nodes, left to right. */
export function joinNodes(hashes: readonly Buffer[]): Buffer {
  return hashes.length === 0 ? emptyRoot() : hashes.reduceRight((right, left) => nodeHash(left, right));
}
