/**
 * Brings a name into small Latin words. Used by all comparing code. Everything that is lost here cannot be compared
 * later.
 */
import anyAscii from 'any-ascii';
import { readArabic } from './arabic.ts';
import { readingOf } from './east-asian.ts';

/**
 * Letters of other alphabets that look like Latin ones. In an otherwise Latin word they were inserted to look like
 * them.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  с: 'c',
  е: 'e',
  н: 'h',
  і: 'i',
  ј: 'j',
  к: 'k',
  м: 'm',
  о: 'o',
  р: 'p',
  ѕ: 's',
  т: 't',
  у: 'y',
  х: 'x',
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
};

const IDEOGRAPHIC = /\p{Script=Han}/u;
const UNVOWELLED = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const LATIN = /\p{Script=Latin}/u;

export interface FoldedToken {
  readonly text: string;
  /** Whether the script writes few or no vowels, so that only the consonants can be compared. */
  readonly isUnvowelled: boolean;
}

/** Letters that carry meaning. Modifier letters, such as apostrophes and tone marks, do not count alone. */
const LETTER = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/u;

/** Returns whether a name has anything to compare. Emoji, digits, signs and fillers are no name. */
export function isScreenable(name: string): boolean {
  return /\p{L}/u.test(name) && fold(name).some(({ text }) => LETTER.test(text));
}

/**
 * Returns the words of a name in small Latin letters and digits: without accents, case, punctuation, hidden characters
 * and script. A word or an ideograph without a transliteration stays as written and is compared with names of its own
 * script.
 */
export function fold(name: string): FoldedToken[] {
  // An apostrophe belongs to the sound of its word. Every other character that is no letter and no digit separates
  // words.
  const words =
    name
      .normalize('NFKC')
      .replace(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}ـ]/gu, '')
      .replace(/['’‘ʻʼʿʾ`´]/gu, '')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.flatMap((word, _, all) => foldWord(word, all));
}

function foldWord(word: string, all: readonly string[]): FoldedToken[] {
  const isUnvowelled = UNVOWELLED.test(word);
  const arabic = isUnvowelled ? readArabic(word)?.filter(({ text }) => text !== '') : undefined;
  if (arabic !== undefined && arabic.length > 0) return arabic;
  const reading = isUnvowelled ? null : readingOf(word, all);
  if (reading !== null) return reading.map((text) => ({ text, isUnvowelled: false }));
  const isMixed = LATIN.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word);
  const plain = isMixed ? [...word.toLowerCase()].map((letter) => LOOK_ALIKES[letter] ?? letter).join('') : word;
  // The transliteration starts each ideograph with a capital letter. All others are one word.
  const latin = IDEOGRAPHIC.test(plain)
    ? [...plain].map((sign) => (IDEOGRAPHIC.test(sign) ? ` ${readingOfSign(sign)} ` : anyAscii(sign))).join('')
    : anyAscii(plain);
  const texts =
    latin
      .toLowerCase()
      .replace(/['`]/g, '')
      .match(/[a-z0-9]+|\p{Script=Han}/gu) ?? [];
  // In most alphabets only silent letters have no transliteration, so a word stays as written only if nothing else
  // would remain.
  if (texts.length === 0) return LETTER.test(word) ? [{ text: word.toLowerCase(), isUnvowelled: false }] : [];
  return texts.map((text) => ({ text: withoutDigitsForLetters(text), isUnvowelled }));
}

/**
 * Returns an ideograph in Latin letters. Rare ones have no reading and stay; a sign of repetition has no meaning alone.
 */
function readingOfSign(sign: string): string {
  const latin = anyAscii(sign);
  if (/[a-z]/i.test(latin)) return latin;
  return /\p{Lo}/u.test(sign) ? sign : '';
}

/** Replaces zero by O and one by L in a word of letters: `J0SE`. */
function withoutDigitsForLetters(text: string): string {
  return /[01]/.test(text) && /^(?=(?:.*[a-z]){3})[a-z01]+$/.test(text)
    ? text.replaceAll('0', 'o').replaceAll('1', 'l')
    : text;
}
