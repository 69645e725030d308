import { roundHalfEven } from './fraction.ts';
import { WHOLE } from './graph.ts';
import type { Holdings } from './holdings.ts';

/** A chain of owners from a person to the company, with the product of its known percentages. */
export interface OwnershipPath {
  readonly nodes: readonly string[];
  /** Product in millionths of a percent, rounded. */
  readonly percent: number;
}

const MOST_PATHS = 20;
/** Partial chains that are looked at for one person. In a dense graph with loops there are more than anybody reads. */
const MOST_PARTS = 4000;
/** Partial chains that are looked at for one person among many, beyond the first chain, and for all persons. */
const FEWEST_PARTS = 100;
const PARTS_OF_ALL = 40_000;
/** Chains that are compared exactly; more of them may have equal products. */
const MOST_FOUND = 100;
/** Relative difference below which the ranks of two chains may hide which product is the greater. */
const NEAR = 2e-8;

interface Part {
  /** Positions from the company up to the owner that the chain has reached. */
  readonly chain: readonly number[];
  readonly product: number;
  /** The product times the greatest product with which the chain could reach the person. */
  readonly promise: number;
  /** The promise, by which the queue is ordered. */
  readonly rank: number;
}

/**
 * Returns the chains without a repeated company from a person to the company, the greatest product first, at most
 * twenty. The search goes up from the company and follows the most promising chain first. The more persons there are,
 * the sooner it ends, but not before the first chain is found.
 */
export function pathsFrom(holdings: Holdings, person: number, persons: number): OwnershipPath[] {
  const promises = promisesOf(holdings, person);
  const queue = new Queue();
  const promised = promises.get(0) ?? 0;
  queue.push({
    chain: [0],
    product: 1,
    promise: promised,
    rank: promised,
  });
  const found: Part[] = [];
  const mostParts = Math.min(MOST_PARTS, Math.max(FEWEST_PARTS, Math.floor(PARTS_OF_ALL / persons)));
  for (let parts = 0; parts < (found.length === 0 ? MOST_PARTS : mostParts) && found.length < MOST_FOUND; parts++) {
    const part = queue.pop();
    if (part === null || part.promise <= 0) break;
    if (found.length >= MOST_PATHS && part.promise < found[MOST_PATHS - 1]!.product * (1 - NEAR)) break;
    const top = part.chain.at(-1)!;
    if (top === person) {
      found.push(part);
      continue;
    }
    for (const { owner, share } of holdings.capital[top]!.known) {
      const rest = promises.get(owner);
      if (rest === undefined || share === 0 || part.chain.includes(owner)) continue;
      const product = (part.product * share) / WHOLE;
      const promise = product * rest;
      queue.push({
        chain: [...part.chain, owner],
        product,
        promise,
        rank: rankOf(promise),
      });
    }
  }
  const longest = Math.max(1, ...found.map(({ chain }) => chain.length));
  const denominator = BigInt(WHOLE) ** BigInt(longest - 1);
  return found
    .map(({ chain }) => ({
      nodes: chain.map((position) => holdings.keys[position]!).reverse(),
      numerator: numeratorOf(holdings, chain, longest),
    }))
    .sort(byProductThenKeys)
    .slice(0, MOST_PATHS)
    .map(({ nodes, numerator }) => ({
      nodes,
      percent: Number(roundHalfEven({ numerator: numerator * BigInt(WHOLE), denominator })),
    }));
}

/**
 * Rounds a promise to 28 bits (Veltkamp). Chains with equal products have equal ranks in spite of roundings, and the
 * queue follows the longest of them first: otherwise all beginnings of equal chains would come before any whole one.
 */
function rankOf(promise: number): number {
  const scaled = promise * (2 ** 25 + 1);
  return scaled - (scaled - promise);
}

interface Product {
  readonly nodes: readonly string[];
  readonly numerator: bigint;
}

function byProductThenKeys(a: Product, b: Product): number {
  if (a.numerator !== b.numerator) return b.numerator > a.numerator ? 1 : -1;
  const at = a.nodes.findIndex((key, index) => key !== b.nodes[index]);
  if (at === -1) return a.nodes.length - b.nodes.length;
  return (b.nodes[at] ?? '') < a.nodes[at]! ? 1 : -1;
}

/**
 * Returns the numerator of the product of a chain. The denominator is that of the longest chain, because bringing each
 * product into lowest terms would take milliseconds for a chain of hundreds of companies.
 */
function numeratorOf({ capital }: Holdings, chain: readonly number[], longest: number): bigint {
  let numerator = BigInt(WHOLE) ** BigInt(longest - chain.length);
  for (const [index, owner] of chain.slice(1).entries())
    numerator *= BigInt(capital[chain[index]!]!.known.find((held) => held.owner === owner)!.share);
  return numerator;
}

/** Returns the greatest product of a chain from the person to each company (Dijkstra). */
function promisesOf({ held, capital }: Holdings, person: number): Map<number, number> {
  const best = new Map<number, number>();
  const queue = new Queue();
  queue.push({
    chain: [person],
    product: 1,
    promise: 1,
    rank: 1,
  });
  for (let part = queue.pop(); part !== null; part = queue.pop()) {
    const owner = part.chain[0]!;
    if (best.has(owner)) continue;
    best.set(owner, part.product);
    for (const company of held[owner]!) {
      const share = capital[company]!.known.find((known) => known.owner === owner)?.share ?? 0;
      const value = (part.product * share) / WHOLE;
      if (value > 0 && !best.has(company))
        queue.push({
          chain: [company],
          product: value,
          promise: value,
          rank: value,
        });
    }
  }
  return best;
}

/** Tells whether the queue gives one part before another. */
const isBefore = (one: Part, other: Part): boolean =>
  one.rank > other.rank || (one.rank === other.rank && one.chain.length > other.chain.length);

/** Parts by their rank, the greatest first, and of equal ones the longest (binary heap). */
class Queue {
  readonly #heap: Part[] = [];

  push(part: Part): void {
    const heap = this.#heap;
    let at = heap.push(part) - 1;
    for (let above = (at - 1) >> 1; at > 0 && isBefore(part, heap[above]!); above = (at - 1) >> 1) {
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = part;
  }

  pop(): Part | null {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined) return null;
    if (heap.length === 0) return first;
    let at = 0;
    for (let below = 1; below < heap.length; below = 2 * at + 1) {
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below++;
      if (!isBefore(heap[below]!, last)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}
