import type { ListedEntity } from '../listed-entity.ts';
import { fold } from '../names/fold.ts';
import { type NameOf, tokenOf, tokensOf, weightOf } from '../names/token.ts';
import { HashPairs, hashOf, pack } from './sections.ts';

/** The parts of an index. Numbers of words, names and entities count from 0 in each index. */
export const SECTIONS = [
  // Words: their letters, what they weigh, and whether their script writes vowels.
  'wordText', 'wordStart', 'wordWeight', 'wordUnvowelled',
  // Ways to a word: by its letters, by its sound, by its consonants, and by what is left when a letter is missing.
  'textHash', 'textWord', 'soundHash', 'soundWord', 'skeletonHash', 'skeletonWord', 'gapHash', 'gapWord',
  // Names: the words of each in order, and the names of each word.
  'nameStart', 'nameWord', 'nameEntity', 'nameNumber', 'nameWeight', 'postingStart', 'posting',
  // Ways to a name or an entity that need no likeness.
  'literalHash', 'literalName', 'identifierHash', 'identifierEntity',
  // Entities as JSON, and the number of the list that each is on.
  'entityText', 'entityStart', 'entityList',
] as const;
export type SectionName = (typeof SECTIONS)[number];

/** All words of a name, sorted: the same for each order, case and accent. */
export const literalKey = (name: string): string => fold(name).map(({ text }) => text).sort().join(' ');

/** Weak names are found literally and by nothing else, so they have no words in the index. */
const NO_WORDS: readonly number[] = [];

/** What is left of a word without one of its letters, and the word itself: two words that are one edit apart share one of these. */
export function gapsOf(text: string): string[] {
  return text.length < 4 ? [] : [text, ...Array.from(text, (_, index) => text.slice(0, index) + text.slice(index + 1))];
}

const compatible = (entity: ListedEntity, of: NameOf): boolean => (entity.type === 'person') === (of === 'person');

/** Takes the entities of all lists of a set and builds the index of one kind of names. */
export class NameIndexBuilder {
  readonly #of: NameOf;
  readonly #words = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #unvowelled: number[] = [];
  readonly #namesOfWord: number[][] = [];
  readonly #nameWords: (readonly number[])[] = [];
  readonly #nameEntity: number[] = [];
  readonly #nameNumber: number[] = [];
  readonly #literal = new HashPairs();
  readonly #identifier = new HashPairs();
  readonly #entities: Uint8Array[] = [];
  readonly #lists: number[] = [];
  readonly #encoder = new TextEncoder();

  constructor(of: NameOf) {
    this.#of = of;
  }

  add(entity: ListedEntity, list: number): void {
    if (!compatible(entity, this.#of)) return;
    const number = this.#entities.push(this.#encoder.encode(JSON.stringify(entity))) - 1;
    this.#lists.push(list);
    entity.names.forEach(({ name, quality }, index) => {
      const id = this.#nameWords.push(quality === 'weak' ? NO_WORDS : this.#wordsOf(name)) - 1;
      this.#nameEntity.push(number);
      this.#nameNumber.push(index);
      this.#literal.add(hashOf(literalKey(name)), id);
      for (const word of new Set(this.#nameWords[id])) this.#namesOfWord[word]!.push(id);
    });
    for (const { kind, value } of entity.identifiers) if (kind !== 'cpf_masked') this.#identifier.add(hashOf(value), number);
  }

  #wordsOf(name: string): number[] {
    return tokensOf(name, this.#of).map(({ text, isUnvowelled }) => {
      const key = isUnvowelled ? `${text}~` : text;
      let word = this.#words.get(key);
      if (word === undefined) {
        word = this.#texts.push(text) - 1;
        this.#words.set(key, word);
        this.#unvowelled.push(Number(isUnvowelled));
        this.#namesOfWord.push([]);
      }
      return word;
    });
  }

  build(): SharedArrayBuffer {
    const tokens = this.#texts.map((text, word) => tokenOf({ text, isUnvowelled: this.#unvowelled[word] === 1 }, this.#of));
    const names = this.#nameWords.length;
    const weights = Float32Array.from(tokens, (token, word) => weightOf(token, this.#namesOfWord[word]!.length / Math.max(names, 10_000) * 1_000_000));
    const [text, sound, skeleton, gap] = [new HashPairs(), new HashPairs(), new HashPairs(), new HashPairs()];
    tokens.forEach((token, word) => {
      text.add(hashOf(token.text), word);
      if (token.isNumber) return;
      if (token.text.length >= 3) sound.add(hashOf(token.voiceless), word);
      if (token.skeleton.length >= (token.isUnvowelled ? 2 : 3) || token.skeleton.length === 2) skeleton.add(hashOf(token.skeleton), word);
      for (const left of gapsOf(token.text)) gap.add(hashOf(left), word);
    });
    const hashes = (name: string, of: string, pairs: HashPairs): Record<string, Uint32Array> => {
      const { hashes: keys, values } = pairs.sorted();
      return { [`${name}Hash`]: keys, [`${name}${of}`]: values };
    };
    const nested = (start: string, flat: string, all: readonly (readonly number[])[]): Record<string, Uint32Array> => ({ [start]: startsOf(all), [flat]: Uint32Array.from(all.flat()) });
    const texts = this.#texts.map((word) => this.#encoder.encode(word));
    return pack({
      wordText: joined(texts), wordStart: startsOf(texts), wordWeight: weights, wordUnvowelled: Uint8Array.from(this.#unvowelled),
      ...hashes('text', 'Word', text), ...hashes('sound', 'Word', sound), ...hashes('skeleton', 'Word', skeleton), ...hashes('gap', 'Word', gap),
      ...nested('nameStart', 'nameWord', this.#nameWords), nameEntity: Uint32Array.from(this.#nameEntity), nameNumber: Uint32Array.from(this.#nameNumber),
      nameWeight: Float32Array.from(this.#nameWords, (words) => words.reduce((sum, word) => sum + weights[word]!, 0)),
      ...nested('postingStart', 'posting', this.#namesOfWord),
      ...hashes('literal', 'Name', this.#literal), ...hashes('identifier', 'Entity', this.#identifier),
      entityText: joined(this.#entities), entityStart: startsOf(this.#entities), entityList: Uint32Array.from(this.#lists),
    });
  }
}

function startsOf(all: readonly { readonly length: number }[]): Uint32Array {
  const starts = new Uint32Array(all.length + 1);
  all.forEach(({ length }, index) => (starts[index + 1] = starts[index]! + length));
  return starts;
}

function joined(all: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of all) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
