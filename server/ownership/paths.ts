import { fraction, type Fraction, roundHalfEven } from './fraction.ts';
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
/** Relative difference below which two products in doubles may be equal. */
const NEAR = 1e-9;

interface Part {
  /** Positions from the company up to the owner that the chain has reached. */
  readonly chain: readonly number[];
  readonly product: number;
  /** The product times the greatest product with which the chain could reach the person. */
  readonly promise: number;
}

/**
 * Returns the chains without a repeated company from a person to the company, the greatest product first, at most
 * twenty. The search goes up from the company and follows the most promising chain first.
 */
export function pathsFrom(holdings: Holdings, person: number): OwnershipPath[] {
  const promises = promisesOf(holdings, person);
  const queue = new Queue();
  queue.push({ chain: [0], product: 1, promise: promises.get(0) ?? 0 });
  const found: Part[] = [];
  for (let parts = 0; parts < MOST_PARTS; parts++) {
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
      queue.push({ chain: [...part.chain, owner], product, promise: product * rest });
    }
  }
  return found
    .map(({ chain }) => ({
      nodes: chain.map((position) => holdings.keys[position]!).reverse(),
      ...product(holdings, chain),
    }))
    .sort(byProductThenKeys)
    .slice(0, MOST_PATHS)
    .map(({ nodes, numerator, denominator }) => ({
      nodes,
      percent: Number(roundHalfEven({ numerator: numerator * BigInt(WHOLE), denominator })),
    }));
}

function byProductThenKeys(
  a: Fraction & { readonly nodes: readonly string[] },
  b: Fraction & { readonly nodes: readonly string[] },
): number {
  const difference = b.numerator * a.denominator - a.numerator * b.denominator;
  if (difference !== 0n) return difference > 0n ? 1 : -1;
  const at = a.nodes.findIndex((key, index) => key !== b.nodes[index]);
  if (at === -1) return a.nodes.length - b.nodes.length;
  return (b.nodes[at] ?? '') < a.nodes[at]! ? 1 : -1;
}

function product({ capital }: Holdings, chain: readonly number[]): Fraction {
  let numerator = 1n;
  for (const [index, owner] of chain.slice(1).entries())
    numerator *= BigInt(capital[chain[index]!]!.known.find((held) => held.owner === owner)!.share);
  return fraction(numerator, BigInt(WHOLE) ** BigInt(chain.length - 1));
}

/** Returns the greatest product of a chain from the person to each company (Dijkstra). */
function promisesOf({ held, capital }: Holdings, person: number): Map<number, number> {
  const best = new Map<number, number>();
  const queue = new Queue();
  queue.push({ chain: [person], product: 1, promise: 1 });
  for (let part = queue.pop(); part !== null; part = queue.pop()) {
    const owner = part.chain[0]!;
    if (best.has(owner)) continue;
    best.set(owner, part.product);
    for (const company of held[owner]!) {
      const share = capital[company]!.known.find((known) => known.owner === owner)?.share ?? 0;
      const value = (part.product * share) / WHOLE;
      if (value > 0 && !best.has(company)) queue.push({ chain: [company], product: value, promise: value });
    }
  }
  return best;
}

/** Parts by their promise, the greatest first (binary heap). */
class Queue {
  readonly #heap: Part[] = [];

  push(part: Part): void {
    const heap = this.#heap;
    let at = heap.push(part) - 1;
    for (let above = (at - 1) >> 1; at > 0 && heap[above]!.promise < part.promise; above = (at - 1) >> 1) {
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
      if (below + 1 < heap.length && heap[below + 1]!.promise > heap[below]!.promise) below++;
      if (heap[below]!.promise <= last.promise) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}
