/**
 * Reads an index of names: words, names and entities by number. Used by the search. The memory is shared between
 * threads and never written.
 */
import type { ListedEntity } from '../listed-entity.ts';
import { comparedAs, type NameOf, type NameToken, tokenOf, weightOf } from '../names/token.ts';
import type { WeighedToken } from './alignment.ts';
import type { Support, Years } from './modifiers.ts';
import { keysOf, type SectionName } from './name-index.ts';
import { hashOf, type Section, unpack, valuesOf } from './sections.ts';

/** Cache size for words with their sound, because computing the sound takes longer than everything else. */
const MOST_TOKENS = 50_000;

/** Margin for sums of the same weights in another order. A bound must be lower by more than this to exclude a name. */
const ROUNDING = 1e-9;

const LAST_OF_ASCII = 0x7f;

export interface Floors {
  readonly support: (entity: number) => number;
  readonly of: (entity: number) => number;
  readonly lowest: number;
}

/** Reads the parts of one index: words, names and entities by their numbers. */
export class IndexedNames {
  readonly #at: Readonly<Record<SectionName, Section>>;
  readonly #decoder = new TextDecoder();
  readonly #tokens = new Map<number, WeighedToken>();
  /** Lists by which the cached words are weighed. */
  #weighedBy: IndexedNames = this;
  /** Weights of the words by those lists. Zero means not computed yet, because no word has the weight zero. */
  #weights: Float32Array;
  readonly words: number;
  readonly names: number;
  /**
   * Start positions. The words of name `n` are at `nameStart[n]` to before `nameStart[n + 1]`; the names of word `w`
   * begin at `postingStart[w]`.
   */
  readonly nameStart: Uint32Array;
  readonly nameWord: Uint32Array;
  readonly nameEntity: Uint32Array;
  readonly postingStart: Uint32Array;
  readonly posting: Uint32Array;
  readonly entityList: Uint16Array;
  readonly #bornFrom: Uint16Array;
  readonly #bornTo: Uint16Array;

  constructor(buffer: SharedArrayBuffer) {
    this.#at = unpack<SectionName>(buffer);
    this.words = this.#at.wordWeight.length;
    this.names = this.#at.nameEntity.length;
    this.#weights = this.#at.wordWeight as Float32Array;
    [this.nameStart, this.nameWord, this.nameEntity] = [
      this.#uint('nameStart'),
      this.#uint('nameWord'),
      this.#uint('nameEntity'),
    ];
    [this.postingStart, this.posting] = [this.#uint('postingStart'), this.#uint('posting')];
    [this.entityList, this.#bornFrom, this.#bornTo] = [
      this.#at.entityList as Uint16Array,
      this.#at.bornFrom as Uint16Array,
      this.#at.bornTo as Uint16Array,
    ];
  }

  #uint(name: SectionName): Uint32Array {
    return this.#at[name] as Uint32Array;
  }

  entity(number: number): ListedEntity {
    const [from, to] = [this.#at.entityStart[number]!, this.#at.entityStart[number + 1]!];
    return JSON.parse(this.#decoder.decode((this.#at.entityText as Uint8Array).slice(from, to))) as ListedEntity;
  }

  /** Returns the position of a name among those of its entity, which are stored in sequence. */
  placeOf(name: number): number {
    let first = name;
    while (first > 0 && this.nameEntity[first - 1] === this.nameEntity[name]) first--;
    return name - first;
  }

  /**
   * Returns for each entity what other data may add to the score of a name, depending on the birth years of both, and
   * the lowest name score that can still make a hit.
   */
  floors(threshold: number, { sameYear, otherYear, unknown }: Support, { from, to }: Years): Floors {
    const support = (entity: number): number => {
      if (to === 0 || this.#bornTo[entity] === 0) return unknown;
      return this.#bornFrom[entity]! <= to && this.#bornTo[entity]! >= from ? sameYear : otherYear;
    };
    return {
      support,
      of: (entity) => threshold - support(entity) - ROUNDING,
      lowest: threshold - Math.max(sameYear, otherYear, unknown) - ROUNDING,
    };
  }

  /** Returns the names that may agree in all words. Comparing them later reveals collisions of hashes. */
  sameAs(name: string, tokens: readonly NameToken[]): Set<number> {
    return new Set(
      keysOf(name, tokens).flatMap((key) => [
        ...valuesOf(this.#uint('wholeHash'), this.#uint('wholeName'), hashOf(key)),
      ]),
    );
  }

  /** Returns the entities that may have one of the numbers, each once, by the keys of the numbers. */
  withNumbers(keys: readonly string[]): Set<number> {
    return new Set(
      keys.flatMap((key) => [...valuesOf(this.#uint('identifierHash'), this.#uint('identifierEntity'), hashOf(key))]),
    );
  }

  lookUp(way: 'text' | 'sound' | 'skeleton' | 'reading' | 'gap', key: string): Uint32Array {
    return valuesOf(this.#uint(`${way}Hash`), this.#uint(`${way}Word`), hashOf(key));
  }

  /**
   * Returns the word of the index that is written alike, or else one that is compared as the same word: that for which
   * an abbreviation or a translation stands, or another one of it.
   */
  wordOf({ text, written }: Pick<NameToken, 'text' | 'written'>, of: NameOf): number | undefined {
    const words = this.lookUp('text', text);
    const find = (isIt: (own: string) => boolean): number | undefined => words.find((word) => isIt(this.#text(word)));
    return find((own) => own === written) ?? find((own) => comparedAs(own, of) === text);
  }

  /** Adds a word's weight. A word that is on no list has the weight of the rarest. */
  weigh<T extends NameToken>(token: T, of: NameOf): T & WeighedToken {
    const word = this.wordOf(token, of);
    return { ...token, weight: word === undefined ? weightOf(token, 0) : this.#at.wordWeight[word]! };
  }

  /** Weighs the words of the index by these lists from now on. */
  weighBy(lists: IndexedNames): void {
    if (lists === this.#weighedBy) return;
    this.#weighedBy = lists;
    this.#tokens.clear();
    this.#weights = lists === this ? (this.#at.wordWeight as Float32Array) : new Float32Array(this.words);
  }

  token(word: number, of: NameOf): WeighedToken {
    let token = this.#tokens.get(word);
    if (token === undefined) {
      if (this.#tokens.size > MOST_TOKENS) this.#tokens.clear();
      const plain = tokenOf({ text: this.#text(word), isUnvowelled: this.#at.wordUnvowelled[word] === 1 }, of);
      this.#tokens.set(
        word,
        (token =
          this.#weighedBy === this ? { ...plain, weight: this.#weights[word]! } : this.#weighedBy.weigh(plain, of)),
      );
    }
    return token;
  }

  weightOf(word: number, of: NameOf): number {
    return this.#weights[word]! || (this.#weights[word] = this.token(word, of).weight);
  }

  wordsOf(name: number, of: NameOf): WeighedToken[] {
    return Array.from(this.nameWord.subarray(this.nameStart[name]!, this.nameStart[name + 1]!), (word) =>
      this.token(word, of),
    );
  }

  #text(word: number): string {
    const [from, to] = [this.#at.wordStart[word]!, this.#at.wordStart[word + 1]!];
    let text = '';
    for (let at = from; at < to; at++) {
      // Words in Latin letters, which nearly all are, need no decoder.
      if (this.#at.wordText[at]! > LAST_OF_ASCII)
        return this.#decoder.decode((this.#at.wordText as Uint8Array).slice(from, to));
      text += String.fromCharCode(this.#at.wordText[at]!);
    }
    return text;
  }
}
