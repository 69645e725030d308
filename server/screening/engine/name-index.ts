/**
 * Builds the index of all names of a set of lists. Used by the threads of the engine. The format has a version; an
 * index of another version is built again.
 */
import type { ListedEntity } from '../listed-entity.ts';
import { fold } from '../names/fold.ts';
import { type NameOf, type NameToken, tokenOf, tokensOf, weightOf, withAbbreviationsJoined } from '../names/token.ts';
import { keysOfEntity } from './identifiers.ts';
import { yearsOf } from './modifiers.ts';
import { HashPairs, hashOf, pack } from './sections.ts';

/** Parts of an index. Numbers of words, names and entities count from 0 in each index. */
export const SECTIONS = [
  // Words: their letters, their weights, and whether their script writes vowels.
  'wordText',
  'wordStart',
  'wordWeight',
  'wordUnvowelled',
  // Look-ups of a word: by its letters, its sound, its consonants, its readings, and its letters without one.
  'textHash',
  'textWord',
  'soundHash',
  'soundWord',
  'skeletonHash',
  'skeletonWord',
  'readingHash',
  'readingWord',
  'gapHash',
  'gapWord',
  // Names: the words of each in order, and the names of each word.
  'nameStart',
  'nameWord',
  'nameEntity',
  'postingStart',
  'posting',
  // Look-ups of a name or an entity by equality instead of similarity.
  'wholeHash',
  'wholeName',
  'identifierHash',
  'identifierEntity',
  // Entities as JSON, the number of the list of each, and their possible years of birth.
  'entityText',
  'entityStart',
  'entityList',
  'bornFrom',
  'bornTo',
] as const;
export type SectionName = (typeof SECTIONS)[number];

/** Returns all words of a name, sorted: equal for each order, case and accent. */
export const literalKey = (name: string): string =>
  fold(withAbbreviationsJoined(name))
    .map(({ text }) => text)
    .sort()
    .join(' ');

/**
 * Returns the keys that find names with equal words, however common the words are: the words as they are written, in
 * any order, and the words as they are compared, where a repeated word counts once.
 */
export const keysOf = (name: string, tokens: readonly NameToken[]): readonly string[] => [
  literalKey(name),
  [...new Set(tokens.map(({ text }) => text))].sort().join(' '),
];

/** Version of the index format. An index of an earlier version is built again. */
export const INDEX_FORMAT = 8;

/** Returns a word and each form of it without one letter. Two words that are one edit apart share one of these. */
export function gapsOf(text: string): string[] {
  return text.length < 4 ? [] : [text, ...Array.from(text, (_, index) => text.slice(0, index) + text.slice(index + 1))];
}

/** Collects the entities of all lists of a set and builds the index of one kind of names. */
export class NameIndexBuilder {
  readonly #of: NameOf;
  readonly #words = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #unvowelled: number[] = [];
  /** Number of names that have each word. */
  readonly #frequency: number[] = [];
  readonly #nameStart = new Numbers();
  readonly #nameWord = new Numbers();
  readonly #nameEntity = new Numbers();
  readonly #whole = new HashPairs();
  readonly #identifier = new HashPairs();
  readonly #entities: Uint8Array[] = [];
  readonly #lists = new Numbers();
  readonly #bornFrom = new Numbers();
  readonly #bornTo = new Numbers();
  readonly #encoder = new TextEncoder();

  constructor(of: NameOf) {
    this.#of = of;
  }

  add(entity: ListedEntity, list: number): void {
    if ((entity.type === 'person') !== (this.#of === 'person')) return;
    const number = this.#entities.push(this.#encoder.encode(JSON.stringify(entity))) - 1;
    this.#lists.push(list);
    const { from, to } = yearsOf(entity.birthDates);
    this.#bornFrom.push(from);
    this.#bornTo.push(to);
    for (const { name, quality } of entity.names) {
      const tokens = tokensOf(name, this.#of);
      for (const key of keysOf(name, tokens)) this.#whole.add(hashOf(key), this.#nameEntity.length);
      this.#nameEntity.push(number);
      this.#nameStart.push(this.#nameWord.length);
      // Weak names are found only by equality, so they have no words in the index.
      const words = quality === 'weak' ? [] : tokens.map((token) => this.#wordOf(token));
      for (const word of words) this.#nameWord.push(word);
      for (const word of new Set(words)) this.#frequency[word]!++;
    }
    for (const key of keysOfEntity(entity)) this.#identifier.add(hashOf(key), number);
  }

  #wordOf({ written, isUnvowelled }: NameToken): number {
    const key = isUnvowelled ? `${written}~` : written;
    let word = this.#words.get(key);
    if (word === undefined) {
      word = this.#texts.push(written) - 1;
      this.#words.set(key, word);
      this.#unvowelled.push(Number(isUnvowelled));
      this.#frequency.push(0);
    }
    return word;
  }

  build(): SharedArrayBuffer {
    const tokens = this.#texts.map((text, word) =>
      tokenOf({ text, isUnvowelled: this.#unvowelled[word] === 1 }, this.#of),
    );
    const names = this.#nameEntity.length;
    // An abbreviation is as frequent as the word for which it stands.
    const frequencies = new Map<string, number>();
    const keyOf = ({ text, isUnvowelled }: NameToken): string => (isUnvowelled ? `${text}~` : text);
    tokens.forEach((token, word) =>
      frequencies.set(keyOf(token), (frequencies.get(keyOf(token)) ?? 0) + this.#frequency[word]!),
    );
    const weights = Float32Array.from(tokens, (token) =>
      weightOf(token, (frequencies.get(keyOf(token))! / Math.max(names, FEWEST_NAMES)) * 1_000_000),
    );
    const [text, sound, skeleton, reading, gap] = [
      new HashPairs(),
      new HashPairs(),
      new HashPairs(),
      new HashPairs(),
      new HashPairs(),
    ];
    tokens.forEach((token, word) => {
      text.add(hashOf(token.text), word);
      if (token.isNumber) return;
      if (token.text.length >= 2) sound.add(hashOf(token.voiceless), word);
      if (token.skeleton.length >= 2) skeleton.add(hashOf(token.skeleton), word);
      for (const read of token.readings) reading.add(hashOf(read), word);
      for (const left of gapsOf(token.text)) gap.add(hashOf(left), word);
    });
    const hashes = (name: string, of: string, pairs: HashPairs): Record<string, Uint32Array> => {
      const { hashes: keys, values } = pairs.sorted();
      return { [`${name}Hash`]: keys, [`${name}${of}`]: values };
    };
    this.#nameStart.push(this.#nameWord.length);
    const [nameStart, nameWord] = [this.#nameStart.all(), this.#nameWord.all()];
    const texts = this.#texts.map((word) => this.#encoder.encode(word));
    return pack({
      wordText: joined(texts),
      wordStart: startsOf(texts),
      wordWeight: weights,
      wordUnvowelled: Uint8Array.from(this.#unvowelled),
      ...hashes('text', 'Word', text),
      ...hashes('sound', 'Word', sound),
      ...hashes('skeleton', 'Word', skeleton),
      ...hashes('reading', 'Word', reading),
      ...hashes('gap', 'Word', gap),
      nameStart,
      nameWord,
      nameEntity: this.#nameEntity.all(),
      ...postingsOf(nameStart, nameWord, this.#frequency),
      ...hashes('whole', 'Name', this.#whole),
      ...hashes('identifier', 'Entity', this.#identifier),
      entityText: joined(this.#entities),
      entityStart: startsOf(this.#entities),
      entityList: Uint16Array.from(this.#lists.all()),
      bornFrom: Uint16Array.from(this.#bornFrom.all()),
      bornTo: Uint16Array.from(this.#bornTo.all()),
    });
  }
}

/** Assumed minimum of names, because on a short list every word would look common. */
const FEWEST_NAMES = 10_000;

/** A growing array of 32-bit numbers, which takes a fraction of the memory of numbers in objects. */
class Numbers {
  #numbers = new Uint32Array(1024);
  length = 0;

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.length++] = number;
  }

  all(): Uint32Array {
    return this.#numbers.slice(0, this.length);
  }
}

/** Returns the names of each word, each once and in order. */
function postingsOf(
  nameStart: Uint32Array,
  nameWord: Uint32Array,
  frequency: readonly number[],
): { postingStart: Uint32Array; posting: Uint32Array } {
  const postingStart = startsOf(frequency.map((length) => ({ length })));
  const posting = new Uint32Array(postingStart.at(-1)!);
  const next = postingStart.slice();
  for (let name = 0; name + 1 < nameStart.length; name++) {
    for (let at = nameStart[name]!; at < nameStart[name + 1]!; at++) {
      const word = nameWord[at]!;
      if (next[word]! > postingStart[word]! && posting[next[word]! - 1] === name) continue;
      posting[next[word]!++] = name;
    }
  }
  return { postingStart, posting };
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
