import { completeNodes, joinNodes, nodeHash, type TreeNode } from './merkle.ts';

export interface HashedNode extends TreeNode {
  readonly hash: Buffer;
}

/** A tree that only grows, kept as its complete subtrees: log2(size) hashes, however many leaves there are. */
export class Frontier {
  #size: number;
  readonly #hashes: Buffer[];

  /** `hashes` are those of `completeNodes([0, size])`. */
  constructor(size = 0, hashes: readonly Buffer[] = []) {
    if (completeNodes([0, size]).length !== hashes.length) throw new RangeError(`${hashes.length} hashes are no frontier of ${size} leaves`);
    this.#size = size;
    this.#hashes = [...hashes];
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a leaf; the interior nodes that it completes, from the lowest up. */
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
