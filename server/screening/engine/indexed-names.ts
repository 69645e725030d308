import type { ListedEntity } from '../listed-entity.ts';
import { type NameOf, type NameToken, tokenOf, weightOf } from '../names/token.ts';
import type { Support, Years } from './modifiers.ts';
import { keysOf, type SectionName } from './name-index.ts';
import type { WeighedToken } from './name-score.ts';
import { hashOf, type Section, unpack, valuesOf } from './sections.ts';

/** So many words are remembered with their sound, which takes longer to find out than all else. */
const MOST_TOKENS = 50_000;

/** Sums of the same weights in another order differ by less: a bound has to be lower by more to leave a name out. */
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
  /** By which lists the words that are remembered are weighed. */
  #weighedBy: IndexedNames = this;
  /** How much each word says by those lists, as far as somebody has asked; zero is nothing that a word says. */
  #weights: Float32Array;
  readonly words: number;
  readonly names: number;
  /** The words of name `n` are those from `nameStart[n]` to before `nameStart[n + 1]`, the names of word `w` those from `postingStart[w]`. */
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
    [this.nameStart, this.nameWord, this.nameEntity] = [this.#uint('nameStart'), this.#uint('nameWord'), this.#uint('nameEntity')];
    [this.postingStart, this.posting] = [this.#uint('postingStart'), this.#uint('posting')];
    [this.entityList, this.#bornFrom, this.#bornTo] = [this.#at.entityList as Uint16Array, this.#at.bornFrom as Uint16Array, this.#at.bornTo as Uint16Array];
  }

  #uint(name: SectionName): Uint32Array {
    return this.#at[name] as Uint32Array;
  }

  entity(number: number): ListedEntity {
    const [from, to] = [this.#at.entityStart[number]!, this.#at.entityStart[number + 1]!];
    return JSON.parse(this.#decoder.decode((this.#at.entityText as Uint8Array).slice(from, to))) as ListedEntity;
  }

  /** The place of a name among those of its entity, which follow one another. */
  placeOf(name: number): number {
    let first = name;
    while (first > 0 && this.nameEntity[first - 1] === this.nameEntity[name]) first--;
    return name - first;
  }

  /** What may be added to the score of a name of each entity, by the years in which both may be born, and below which score that makes no hit. */
  floors(threshold: number, { sameYear, otherYear, unknown }: Support, { from, to }: Years): Floors {
    const support = (entity: number): number => to === 0 || this.#bornTo[entity] === 0 ? unknown : this.#bornFrom[entity]! <= to && this.#bornTo[entity]! >= from ? sameYear : otherYear;
    return { support, of: (entity) => threshold - support(entity) - ROUNDING, lowest: threshold - Math.max(sameYear, otherYear, unknown) - ROUNDING };
  }

  /** The names that may agree in everything; a collision of hashes is found out when they are compared. */
  sameAs(name: string, tokens: readonly NameToken[]): Set<number> {
    return new Set(keysOf(name, tokens).flatMap((key) => [...valuesOf(this.#uint('wholeHash'), this.#uint('wholeName'), hashOf(key))]));
  }

  withIdentifier(value: string): Uint32Array {
    return valuesOf(this.#uint('identifierHash'), this.#uint('identifierEntity'), hashOf(value));
  }

  lookUp(way: 'text' | 'sound' | 'skeleton' | 'gap', key: string): Uint32Array {
    return valuesOf(this.#uint(`${way}Hash`), this.#uint(`${way}Word`), hashOf(key));
  }

  wordOf(text: string): number | undefined {
    return this.lookUp('text', text).find((word) => this.#text(word) === text);
  }

  /** A word that no list has is as rare as can be. */
  weigh<T extends NameToken>(token: T): T & WeighedToken {
    const word = this.wordOf(token.text);
    return { ...token, weight: word === undefined ? weightOf(token, 0) : this.#at.wordWeight[word]! };
  }

  /** From now on words of the index are as rare as they are on these lists. */
  weighBy(lists: IndexedNames): void {
    if (lists === this.#weighedBy) return;
    this.#weighedBy = lists;
    this.#tokens.clear();
    this.#weights = lists === this ? this.#at.wordWeight as Float32Array : new Float32Array(this.words);
  }

  token(word: number, of: NameOf): WeighedToken {
    let token = this.#tokens.get(word);
    if (token === undefined) {
      if (this.#tokens.size > MOST_TOKENS) this.#tokens.clear();
      const plain = tokenOf({ text: this.#text(word), isUnvowelled: this.#at.wordUnvowelled[word] === 1 }, of);
      this.#tokens.set(word, token = this.#weighedBy === this ? { ...plain, weight: this.#weights[word]! } : this.#weighedBy.weigh(plain));
    }
    return token;
  }

  weightOf(word: number, of: NameOf): number {
    return this.#weights[word]! || (this.#weights[word] = this.token(word, of).weight);
  }

  wordsOf(name: number, of: NameOf): WeighedToken[] {
    return Array.from(this.nameWord.subarray(this.nameStart[name]!, this.nameStart[name + 1]!), (word) => this.token(word, of));
  }

  #text(word: number): string {
    const [from, to] = [this.#at.wordStart[word]!, this.#at.wordStart[word + 1]!];
    let text = '';
    for (let at = from; at < to; at++) {
      // Words in Latin letters, which nearly all are, need no decoder.
      if (this.#at.wordText[at]! > LAST_OF_ASCII) return this.#decoder.decode((this.#at.wordText as Uint8Array).slice(from, to));
      text += String.fromCharCode(this.#at.wordText[at]!);
    }
    return text;
  }
}
