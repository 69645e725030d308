/**
 * Finds the names of an index that can reach a score at all. Used by search.ts. It may only leave out names whose upper
 * bound is too low: leaving out one more would hide a hit.
 */
import type { NameOf } from '../names/token.ts';
import type { Side, WeighedToken } from './alignment.ts';
import { isStrong } from './caps.ts';
import type { Floors, IndexedNames } from './indexed-names.ts';

import { type Compared, SoughtName } from './sought-name.ts';
import { type Way, waysOf } from './ways.ts';

interface ComparedWords {
  readonly compared: readonly Compared[];
  /** Returns a word of the index as it is compared, and adds it to the compared ones if it is not among them. */
  readonly comparedAs: (word: number) => Compared;
}

/**
 * Finds the names of an index whose words may reach a score. A name is omitted only if a bound that no alignment of its
 * words can exceed is too low. The working memory serves one search at a time.
 *
 * The words that lead to names are read from the rarest on. As soon as the remaining words cannot reach the score by
 * themselves, no further name can, so the long lists of common words are rarely read. Each name found is then checked
 * against the weight that its words can contribute: first with the words as they were looked up and, if it may still
 * reach the score, with the words as they are compared.
 */
export class Candidates {
  readonly #names: IndexedNames;
  readonly #seen: Uint8Array;
  /** For each word of the index, its position among the compared words, counted from 1. */
  readonly #position: Uint32Array;

  constructor(names: IndexedNames) {
    this.#names = names;
    this.#seen = new Uint8Array(names.names);
    this.#position = new Uint32Array(names.words);
  }

  /** Returns the names in the order of the index. */
  find(tokens: readonly WeighedToken[], of: NameOf, floors: Floors, side: Side): Uint32Array {
    const { postingStart, posting } = this.#names;
    const weighed = (word: number): WeighedToken => this.#names.token(word, of);
    const lengthOf = ({ word }: Way): number => postingStart[word + 1]! - postingStart[word]!;
    const ways = waysOf(this.#names, tokens, { of, side }, weighed).sort((a, b) => lengthOf(a) - lengthOf(b));
    const name = new SoughtName(tokens, ways, of, side);
    const comparedNumbers: number[] = [];
    const compared: Compared[] = [];
    const comparedAs = (word: number): Compared => {
      if (this.#position[word] === 0) {
        const token = weighed(word);
        this.#position[word] = compared.push({
          token,
          isStrong: isStrong(token),
          says: 0,
          bits: 0,
          isComplete: false,
        });
        comparedNumbers.push(word);
      }
      return compared[this.#position[word]! - 1]!;
    };
    const words: ComparedWords = { compared, comparedAs };
    const touched: number[] = [];
    const reached: number[] = [];
    try {
      for (const { word, first, isJoined, says } of ways) {
        const found = comparedAs(word);
        found.says = Math.max(found.says, says);
        found.bits |= name.bitsOf(first, isJoined);
      }
      for (const { word } of ways.slice(0, name.needed(ways, floors.lowest))) {
        for (let at = postingStart[word]!; at < postingStart[word + 1]!; at++) {
          const number = posting[at]!;
          if (this.#seen[number] === 1) continue;
          this.#seen[number] = 1;
          touched.push(number);
          if (this.#mayReach(number, name, floors, words)) reached.push(number);
        }
      }
    } finally {
      for (const number of touched) this.#seen[number] = 0;
      for (const word of comparedNumbers) this.#position[word] = 0;
    }
    return Uint32Array.from(reached).sort();
  }

  #mayReach(number: number, name: SoughtName, floors: Floors, { compared, comparedAs }: ComparedWords): boolean {
    const { nameStart, nameWord } = this.#names;
    const [from, to] = [nameStart[number]!, nameStart[number + 1]!];
    let [says, bits, strong, rest, count, heaviest] = [0, 0, 0, 0, 0, 0];
    for (let at = from; at < to; at++) {
      const position = this.#position[nameWord[at]!]!;
      if (position === 0) {
        const weight = this.#names.weightOf(nameWord[at]!, name.of);
        rest += weight;
        count++;
        if (weight > heaviest) heaviest = weight;
        continue;
      }
      const word = compared[position - 1]!;
      says += word.says;
      bits |= word.bits;
      if (word.isStrong) strong |= word.bits;
    }
    const floor = floors.of(this.#names.nameEntity[number]!);
    if (
      name.most(says, bits, strong) < floors.lowest ||
      name.mostBeside(says, bits, strong, { count, weight: rest, heaviest }) < floor
    )
      return false;
    says = bits = strong = rest = 0;
    let before: WeighedToken | null = null;
    for (let at = from; at < to; at++) {
      const word = comparedAs(nameWord[at]!);
      if (!word.isComplete) name.compare(word);
      // Words without vowels, and two words that may be one, depend on each other in ways that this sum does not cover.
      if (word.token.isUnvowelled || (before !== null && name.mayJoin(before, word.token))) return true;
      says += word.says;
      bits |= word.bits;
      if (word.isStrong) strong |= word.bits;
      if (word.bits === 0) rest += word.token.weight;
      before = word.token;
    }
    return name.bound(says, bits, strong, rest) >= floor;
  }
}
