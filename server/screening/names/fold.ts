import anyAscii from 'any-ascii';
import { withVowels } from './arabic.ts';
import { readingOf } from './east-asian.ts';

/** Letters of other alphabets that are drawn like Latin ones: in a word that is otherwise Latin they were put there to look like them. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a', в: 'b', с: 'c', е: 'e', н: 'h', і: 'i', ј: 'j', к: 'k', м: 'm', о: 'o', р: 'p', ѕ: 's', т: 't', у: 'y', х: 'x',
  α: 'a', β: 'b', ε: 'e', η: 'n', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x',
};

const IDEOGRAPHIC = /\p{Script=Han}/u;
const UNVOWELLED = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
const LATIN = /\p{Script=Latin}/u;

export interface FoldedToken {
  readonly text: string;
  /** Its script writes few vowels or none, so only its consonants can be compared. */
  readonly isUnvowelled: boolean;
}

/** Letters that are written to be read: modifier letters, such as apostrophes and tone marks, are none without them. */
const LETTER = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/u;

/** Whether there is anything in a name that can be compared: emoji, digits, signs and fillers are no name. */
export function isScreenable(name: string): boolean {
  return /\p{L}/u.test(name) && fold(name).some(({ text }) => LETTER.test(text));
}

/**
 * The words of a name in small Latin letters and digits: without accents, case, punctuation, hidden characters and script. A word or an ideograph that has no transliteration stays as it is written, and is compared with
 * names of its own script.
 */
export function fold(name: string): FoldedToken[] {
  // An apostrophe belongs to the sound of its word; everything else that is no letter and no digit separates words.
  const words = name.normalize('NFKC').replace(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}ـ]/gu, '').replace(/['’‘ʻʼʿʾ`´]/gu, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.flatMap((word, _, all) => foldWord(word, all));
}

function foldWord(word: string, all: readonly string[]): FoldedToken[] {
  const isUnvowelled = UNVOWELLED.test(word);
  const reading = isUnvowelled ? withVowels(word) : readingOf(word, all);
  if (reading !== null) return reading.map((text) => ({ text, isUnvowelled: false }));
  const isMixed = LATIN.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word);
  const plain = isMixed ? [...word.toLowerCase()].map((letter) => LOOK_ALIKES[letter] ?? letter).join('') : word;
  // The transliteration of ideographs begins each one with a capital letter; all others are one word.
  const latin = IDEOGRAPHIC.test(plain) ? [...plain].map((sign) => (IDEOGRAPHIC.test(sign) ? ` ${readingOfSign(sign)} ` : anyAscii(sign))).join('') : anyAscii(plain);
  const texts = latin.toLowerCase().replace(/['`]/g, '').match(/[a-z0-9]+|\p{Script=Han}/gu) ?? [];
  // Of most alphabets only silent letters have no transliteration, so a word is left as it is only where nothing would be left of it.
  if (texts.length === 0) return LETTER.test(word) ? [{ text: word.toLowerCase(), isUnvowelled: false }] : [];
  return texts.map((text) => ({ text: withoutDigitsForLetters(text), isUnvowelled }));
}

/** An ideograph in Latin letters. Rare ones have no reading, and stay; a sign of repetition says nothing by itself. */
function readingOfSign(sign: string): string {
  const latin = anyAscii(sign);
  return /[a-z]/i.test(latin) ? latin : /\p{Lo}/u.test(sign) ? sign : '';
}

/** Zero for O and one for L, in a word of letters: `J0SE`. */
function withoutDigitsForLetters(text: string): string {
  return /[01]/.test(text) && /^(?=(?:.*[a-z]){3})[a-z01]+$/.test(text) ? text.replaceAll('0', 'o').replaceAll('1', 'l') : text;
}
