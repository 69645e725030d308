/**
 * A name whose similar names are sought, with upper bounds of their scores. Used by candidates.ts. Bounds may be too
 * high, which costs time, but never too low.
 */
import { type NameOf, tokenOf } from '../names/token.ts';
import { likenessOf, mayJoin } from './align.ts';
import type { NameSide, Side, WeighedToken } from './alignment.ts';
import { isStrong } from './caps.ts';
import { mostScore } from './name-score.ts';
import type { Way } from './ways.ts';

/** Match of a word of the index with the sought name. */
export interface Compared {
  readonly token: WeighedToken;
  readonly isStrong: boolean;
  /** Largest weight that the word can contribute. */
  says: number;
  /** Words of the sought name that it may match, as bits. */
  bits: number;
  /** Whether the word was compared with all words of the sought name, and not only with those that led to it. */
  isComplete: boolean;
}

/** Words of another name that were not looked up. */
export interface Others {
  readonly count: number;
  readonly weight: number;
  /** Weight of the heaviest word. */
  readonly heaviest: number;
}

const OTHER = { subject: 'listed', listed: 'subject' } as const;

/**
 * A name whose similar names are sought, with upper bounds of their scores. Each word has a bit. A 33rd word shares its
 * bit with the first, which can only raise a bound.
 */
export class SoughtName {
  readonly #tokens: readonly WeighedToken[];
  readonly of: NameOf;
  readonly #side: Side;
  /** Side of the sought name, and that of the names that are compared with it. */
  readonly #own: NameSide;
  readonly #other: NameSide;
  /** Adjacent words, each two written as one. */
  readonly #joined: readonly ReturnType<typeof tokenOf>[];
  /** Bits of each word. A repeated word has the bits of all its occurrences. */
  readonly #bits: readonly number[];
  readonly #strong: number;
  readonly #weights: readonly number[];
  /**
   * Largest weight that each word can contribute. Two words have more weight than the one word into which they were
   * joined.
   */
  readonly #mostWeights: readonly number[];
  /** Initials, which are not looked up because too many words match them. So any name may have a word for them. */
  readonly #initials: { readonly bits: number; readonly weight: number };

  constructor(tokens: readonly WeighedToken[], ways: readonly Way[], of: NameOf, side: Side) {
    [this.#tokens, this.of, this.#side] = [tokens, of, side];
    this.#own = { of, side };
    this.#other = { of, side: OTHER[side] };
    this.#joined = tokens
      .slice(1)
      .map(({ written }, index) =>
        tokenOf({ text: tokens[index]!.written + written, isUnvowelled: tokens[index]!.isUnvowelled }, of),
      );
    this.#bits = tokens.map(({ text }) =>
      tokens.reduce((bits, other, index) => (other.text === text ? bits | (1 << (index % 32)) : bits), 0),
    );
    this.#strong = this.#bits.reduce((bits, bit, index) => (isStrong(tokens[index]!) ? bits | bit : bits), 0);
    this.#weights = tokens.map(({ weight }) => weight);
    const mostWeights = tokens.map(({ weight }) => weight);
    for (const { first, isJoined, says } of ways)
      if (!isJoined) mostWeights[first] = Math.max(mostWeights[first]!, says);
    this.#mostWeights = mostWeights;
    // A single letter may stand for a word even if it is a particle in some language.
    const initials = tokens.flatMap(({ text, isNumber }, index) => (text.length === 1 && !isNumber ? [index] : []));
    this.#initials = {
      bits: initials.reduce((bits, index) => bits | this.#bits[index]!, 0),
      weight: initials.reduce((sum, index) => sum + tokens[index]!.weight, 0),
    };
  }

  bitsOf(first: number, isJoined: boolean): number {
    return isJoined ? this.#bits[first]! | this.#bits[first + 1]! : this.#bits[first]!;
  }

  /**
   * Returns how many of the ways, from the first on, must be read: a name that none of them leads to cannot reach the
   * floor by the others.
   */
  needed(ways: readonly Way[], floor: number): number {
    const best = this.#tokens.map(() => 0);
    let bits = 0;
    for (let count = ways.length; count > 0; count--) {
      const way = ways[count - 1]!;
      best[way.first] = Math.max(best[way.first]!, way.says);
      bits |= this.bitsOf(way.first, way.isJoined);
      const says = best.reduce((sum, each) => sum + each, 0);
      if (Math.max(this.most(says, bits, bits), this.most(says, bits, 0)) >= floor) return count;
    }
    return 0;
  }

  /**
   * Returns an upper bound of the score of a name whose looked-up words weigh `says` and match the words with the bits
   * `found`. Strong words may match those with the bits `strong`.
   */
  most(says: number, found: number, strong: number): number {
    return this.bound(says + this.#initials.weight, found | this.#initials.bits, strong, 0);
  }

  /**
   * Returns the same bound for a name with other words that were not looked up. Each may be similar to an unmatched
   * word of this name in a way that no look-up leads to.
   */
  mostBeside(says: number, found: number, strong: number, others: Others): number {
    const { bits: initials, weight } = this.#initials;
    const bits = found | initials;
    let [missing, without, heaviest] = [0, 0, 0];
    for (let index = 0; index < this.#weights.length; index++) {
      if (((bits >>> (index % 32)) & 1) === 1) continue;
      missing++;
      without += this.#weights[index]!;
      heaviest = Math.max(heaviest, this.#weights[index]!);
    }
    if (others.count === 0) return this.most(says, found, strong);
    const alike = Math.min(without, others.weight);
    const said = Math.min(says + weight, this.#mostWeightOf(bits)) + alike;
    const isAnyStrong = ((missing > 0 ? this.#strong : strong) & this.#strong) !== 0;
    const own = others.count >= missing ? 0 : Math.max(0, without - others.count * heaviest);
    const rest = Math.max(0, others.weight - 2 * (missing + this.#countOf(initials)) * others.heaviest);
    return Math.min(
      mostScore(said, own, this.#own, { isAnyStrong, areOthersSaid: rest === 0 }),
      mostScore(said, rest, this.#other, { isAnyStrong, areOthersSaid: own === 0 }),
    );
  }

  /** Returns the bound for a name whose words were all compared, if words of the weight `rest` match nothing here. */
  bound(says: number, bits: number, strong: number, rest: number): number {
    let without = 0;
    for (let index = 0; index < this.#weights.length; index++)
      if (((bits >>> (index % 32)) & 1) === 0) without += this.#weights[index]!;
    const said = Math.min(says, this.#mostWeightOf(bits));
    const isAnyStrong = (strong & this.#strong) !== 0;
    const most = mostScore(said, without, this.#own, { isAnyStrong, areOthersSaid: rest === 0 });
    return rest === 0
      ? most
      : Math.min(most, mostScore(said, rest, this.#other, { isAnyStrong, areOthersSaid: without === 0 }));
  }

  compare(word: Compared): void {
    this.#tokens.forEach((own, index) => {
      const value = (this.#side === 'subject' ? likenessOf(own, word.token) : likenessOf(word.token, own))?.value ?? 0;
      if (value === 0) return;
      word.says = Math.max(word.says, value * Math.min(own.weight, word.token.weight));
      word.bits |= this.#bits[index]!;
    });
    this.#joined.forEach((joined, index) => {
      const [one, two] = [this.#tokens[index]!, this.#tokens[index + 1]!];
      if (!mayJoin(one, two, word.token) || likenessOf(joined, word.token) === null) return;
      word.says = Math.max(word.says, one.weight + two.weight);
      word.bits |= this.bitsOf(index, true);
    });
    word.isComplete = true;
  }

  /** Returns whether two words of the other name may be one word of this name. */
  mayJoin(one: WeighedToken, two: WeighedToken): boolean {
    for (const token of this.#tokens) if (mayJoin(one, two, token)) return true;
    return false;
  }

  #mostWeightOf(bits: number): number {
    let sum = 0;
    for (let index = 0; index < this.#mostWeights.length; index++)
      if (((bits >>> (index % 32)) & 1) === 1) sum += this.#mostWeights[index]!;
    return sum;
  }

  #countOf(bits: number): number {
    let count = 0;
    for (let index = 0; index < this.#weights.length; index++) count += (bits >>> (index % 32)) & 1;
    return count;
  }
}
