import type { ListedEntity } from '../listed-entity.ts';
import { type NameOf, type NameToken, tokenOf, weightOf } from '../names/token.ts';
import { keysOf, type SectionName } from './name-index.ts';
import type { WeighedToken } from './name-score.ts';
import { hashOf, type Section, unpack, valuesOf } from './sections.ts';

/** So many words are remembered with their sound, which takes longer to find out than all else. */
const MOST_TOKENS = 50_000;

/** Reads the parts of one index: words, names and entities by their numbers. */
export class IndexedNames {
  readonly #at: Readonly<Record<SectionName, Section>>;
  readonly #decoder = new TextDecoder();
  readonly #tokens = new Map<number, WeighedToken>();
  /** By which lists the words that are remembered are weighed. */
  #weighedBy: IndexedNames = this;
  readonly words: number;
  readonly names: number;
  /** The words of name `n` are those from `nameStart[n]` to before `nameStart[n + 1]`, the names of word `w` those from `postingStart[w]`. */
  readonly nameStart: Uint32Array;
  readonly nameWord: Uint32Array;
  readonly nameEntity: Uint32Array;
  readonly nameNumber: Uint32Array;
  readonly postingStart: Uint32Array;
  readonly posting: Uint32Array;
  readonly entityList: Uint32Array;

  constructor(buffer: SharedArrayBuffer) {
    this.#at = unpack<SectionName>(buffer);
    this.words = this.#at.wordWeight.length;
    this.names = this.#at.nameEntity.length;
    [this.nameStart, this.nameWord, this.nameEntity, this.nameNumber] = [this.#uint('nameStart'), this.#uint('nameWord'), this.#uint('nameEntity'), this.#uint('nameNumber')];
    [this.postingStart, this.posting, this.entityList] = [this.#uint('postingStart'), this.#uint('posting'), this.#uint('entityList')];
  }

  #uint(name: SectionName): Uint32Array {
    return this.#at[name] as Uint32Array;
  }

  entity(number: number): ListedEntity {
    const [from, to] = [this.#at.entityStart[number]!, this.#at.entityStart[number + 1]!];
    return JSON.parse(this.#decoder.decode((this.#at.entityText as Uint8Array).slice(from, to))) as ListedEntity;
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

  /** A word of the index, as rare as it is on the given lists. */
  token(word: number, of: NameOf, lists: IndexedNames): WeighedToken {
    if (lists !== this.#weighedBy || this.#tokens.size > MOST_TOKENS) this.#tokens.clear();
    this.#weighedBy = lists;
    let token = this.#tokens.get(word);
    if (token === undefined) {
      const plain = tokenOf({ text: this.#text(word), isUnvowelled: this.#at.wordUnvowelled[word] === 1 }, of);
      this.#tokens.set(word, token = lists === this ? { ...plain, weight: this.#at.wordWeight[word]! } : lists.weigh(plain));
    }
    return token;
  }

  wordsOf(name: number, of: NameOf, lists: IndexedNames): WeighedToken[] {
    return Array.from(this.nameWord.subarray(this.nameStart[name]!, this.nameStart[name + 1]!), (word) => this.token(word, of, lists));
  }

  #text(word: number): string {
    const [from, to] = [this.#at.wordStart[word]!, this.#at.wordStart[word + 1]!];
    let text = '';
    for (let at = from; at < to; at++) text += String.fromCharCode(this.#at.wordText[at]!);
    return text;
  }
}
