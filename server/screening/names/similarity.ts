/**
 * How similar two words of names are. Used by alignment and search. It must not find similarities that the look-ups of
 * the index cannot find, because a score would depend on how a name was found.
 */
import { NICKNAMES_OF } from './lexicon.ts';
import type { NameToken } from './token.ts';
import { misfitOf } from './unvowelled.ts';

export type Method = 'exact' | 'nickname' | 'initial' | 'sound' | 'edit' | 'consonants';

export interface Similarity {
  readonly method: Method;
  readonly value: number;
}

const NONE: Similarity | null = null;
const EXACT: Similarity = { method: 'exact', value: 1 };
const NICKNAME: Similarity = { method: 'nickname', value: 0.88 };
const INITIAL: Similarity = { method: 'initial', value: 0.8 };
const SOUND: Similarity = { method: 'sound', value: 0.95 };
/** Value of a word that sounds the same by the spelling habits of two languages. */
const READ_ALIKE: Similarity = { method: 'sound', value: 0.9 };
const VOICELESS: Similarity = { method: 'sound', value: 0.72 };

/**
 * Prefix of names that mean servant of God. The distinguishing part follows it, as in `Abdulhamid` and `Abdulghani`.
 */
const SERVANT = 'abdul';

/**
 * Returns the similarity of two words that differ by this share: one letter is easily mistyped, several are another
 * word.
 */
const valueOf = (part: number): number => Math.max(0.1, 1 - 1.2 * part - 4 * part * part);

/**
 * Returns how much a word may differ. Short words match exactly or not at all, because another letter is another name.
 */
function budgetOf(length: number): number {
  if (length <= 3) return 0;
  if (length === 4) return 1;
  if (length <= 5) return 1.4;
  return length <= 8 ? 1.9 : 2.6;
}

/** Returns the similarity of two words of a name; null if they are different words. */
export function similarityOf(a: NameToken, b: NameToken): Similarity | null {
  const found = similarityInOneHabit(a, b);
  return (found === null || found.value < READ_ALIKE.value) && areReadAlike(a, b) ? READ_ALIKE : found;
}

function areReadAlike(a: NameToken, b: NameToken): boolean {
  if ((a.readingBits & b.readingBits) === 0) return false;
  for (const reading of a.readings) if (b.readings.includes(reading)) return true;
  return false;
}

function similarityInOneHabit(a: NameToken, b: NameToken): Similarity | null {
  if (a.text === b.text) return EXACT;
  if (a.isNumber || b.isNumber) return NONE;
  const [short, long] = a.text.length <= b.text.length ? [a, b] : [b, a];
  if (short.text.length === 1) return long.text.startsWith(short.text) ? INITIAL : NONE;
  const isNickname = NICKNAMES_OF.get(a.text)?.has(b.text) === true;
  if (a.isUnvowelled || b.isUnvowelled) return consonantsOf(a, b);
  const length = short.text.length;
  // Among words of two letters only a doubled letter sounds the same: `Su`, `Soo`.
  if (length > (long.text.length > 2 ? 1 : 2) && a.sound === b.sound) return SOUND;
  if (isNickname) return NICKNAME;
  if (length <= 2) return NONE;
  if (a.voiceless === b.voiceless) return VOICELESS;
  if (length === 3) return NONE;
  const shared = a.text.startsWith(SERVANT) && b.text.startsWith(SERVANT) ? SERVANT.length : 0;
  const budget = budgetOf(Math.max(length, long.text.length - 1) - shared);
  if (long.text.length - length > budget / 0.3) return NONE;
  if (!(a.skeleton.length >= 2 && a.skeleton === b.skeleton) && !areOneApart(short.text, long.text)) return NONE;
  const distance = Math.min(distanceOf(a.text, b.text, budget), distanceOf(a.sound, b.sound, budget) + 0.25);
  if (distance <= budget)
    return { method: 'edit', value: valueOf(distance / Math.max(5, (a.text.length + b.text.length) / 2 - shared)) };
  return a.skeleton.length >= 4 && a.skeleton === b.skeleton && a.text[0] === b.text[0]
    ? { method: 'consonants', value: 0.8 }
    : NONE;
}

/**
 * Returns whether two words become equal if each loses at most one letter: one letter is replaced, one is extra, or two
 * neighbours are swapped. An index finds words by this, the sound and the consonants. Similarities that it cannot find
 * must not count, because a score would then depend on how the name was found.
 */
function areOneApart(short: string, long: string): boolean {
  if (long.length - short.length > 1) return false;
  let [start, end] = [0, 0];
  while (start < short.length && short[start] === long[start]) start++;
  while (end < short.length - start && short[short.length - 1 - end] === long[long.length - 1 - end]) end++;
  const [one, other] = [short.slice(start, short.length - end), long.slice(start, long.length - end)];
  return long.length > short.length
    ? one === ''
    : one.slice(1) === other.slice(0, -1) || one.slice(0, -1) === other.slice(1);
}

/** Value of consonants with all long vowels at their places, and without them. */
const CONSONANTS = { fit: 0.9, unfit: 0.72 } as const;

function fitOf(a: NameToken, b: NameToken): number {
  const misfit = a.isUnvowelled ? misfitOf(a.sound, b.sound) : misfitOf(b.sound, a.sound);
  return CONSONANTS.fit - (CONSONANTS.fit - CONSONANTS.unfit) * Math.min(1, misfit);
}

function consonantsOf(a: NameToken, b: NameToken): Similarity | null {
  const long = Math.min(a.skeleton.length, b.skeleton.length) >= 2;
  return long && a.skeleton === b.skeleton
    ? { method: 'consonants', value: a.isUnvowelled && b.isUnvowelled ? 0.75 : fitOf(a, b) }
    : NONE;
}

const VOWELS = 'aeiouy';
const ALIKE = ['ckqg', 'szc', 'iyj', 'vwbu', 'fv', 'gj', 'dt', 'bp', 'hk', 'hg', 'mn', 'lr'];
const CODE_A = 97;

/** Cost of writing one letter for another, by the codes of both. */
const COST = (() => {
  const table = new Float64Array(26 * 26).fill(1);
  const set = (a: string, b: string, cost: number): void => {
    for (const [x, y] of [
      [a, b],
      [b, a],
    ] as const)
      table[(x.charCodeAt(0) - CODE_A) * 26 + y.charCodeAt(0) - CODE_A] = cost;
  };
  for (const a of VOWELS) for (const b of VOWELS) set(a, b, 0.5);
  for (const group of ALIKE) for (const a of group) for (const b of group) set(a, b, 0.6);
  for (const [a, b] of ['ck', 'kq', 'sz', 'iy', 'vw', 'ei', 'ou', 'ae'].map((pair) => [...pair] as [string, string]))
    set(a, b, 0.4);
  for (let n = 0; n < 26; n++) table[n * 27] = 0;
  return table;
})();

const isLetter = (code: number): boolean => code >= CODE_A && code < CODE_A + 26;

function replacing(a: number, b: number): number {
  if (a === b) return 0;
  return isLetter(a) && isLetter(b) ? COST[(a - CODE_A) * 26 + b - CODE_A]! : 1;
}

const [E, H, J, Y] = [101, 104, 106, 121] as const;
const IS_VOWEL = new Uint8Array(128);
for (const letter of VOWELS) IS_VOWEL[letter.charCodeAt(0)] = 1;

/**
 * Returns the cost of inserting a letter. A doubled letter, an h, a vowel and most of all a silent final e vary between
 * spellings; the first letter does not, unless it is hardly audible.
 */
function inserting(code: number, before: number, index: number, last: number): number {
  if (code === before) return 0.25;
  if (code === E && index === last) return 0.3;
  if (code === H) return 0.4;
  if (index === 0) return code === Y || code === J ? 0.4 : 0.9;
  return IS_VOWEL[code] === 1 ? 0.6 : 0.9;
}

const WIDTH = 64;
const rows = [new Float64Array(WIDTH + 1), new Float64Array(WIDTH + 1), new Float64Array(WIDTH + 1)];

/**
 * Returns the lowest cost of turning one word into another (Damerau, each pair of neighbours transposed once); infinite
 * beyond the limit.
 */
function distanceOf(a: string, b: string, limit: number): number {
  if (a.length > WIDTH || b.length > WIDTH) return Infinity;
  let [before, last, row] = rows as [Float64Array, Float64Array, Float64Array];
  last[0] = 0;
  for (let j = 1; j <= b.length; j++)
    last[j] = last[j - 1]! + inserting(b.charCodeAt(j - 1), j > 1 ? b.charCodeAt(j - 2) : 0, j - 1, b.length - 1);
  for (let i = 1; i <= a.length; i++) {
    const x = a.charCodeAt(i - 1);
    const removing = inserting(x, i > 1 ? a.charCodeAt(i - 2) : 0, i - 1, a.length - 1);
    row[0] = last[0]! + removing;
    let least = row[0];
    for (let j = 1; j <= b.length; j++) {
      const y = b.charCodeAt(j - 1);
      let cost = Math.min(
        last[j - 1]! + replacing(x, y),
        last[j]! + removing,
        row[j - 1]! + inserting(y, j > 1 ? b.charCodeAt(j - 2) : 0, j - 1, b.length - 1),
      );
      if (i > 1 && j > 1 && x === b.charCodeAt(j - 2) && y === a.charCodeAt(i - 2))
        cost = Math.min(cost, before[j - 2]! + 0.6);
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return Infinity;
    [before, last, row] = [last, row, before];
  }
  return last[b.length]!;
}
