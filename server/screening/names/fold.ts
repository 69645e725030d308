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

/** Whether there is anything in a name that can be compared: neither emoji nor digits alone are a name. */
export function isScreenable(name: string): boolean {
  return /\p{L}/u.test(name) && fold(name).some(({ text }) => /[a-z]/.test(text));
}

/** The words of a name in small Latin letters and digits: without accents, case, punctuation, hidden characters and script. */
export function fold(name: string): FoldedToken[] {
  // An apostrophe belongs to the sound of its word; everything else that is no letter and no digit separates words.
  const words = name.normalize('NFKC').replace(/[\p{Cf}\p{Cc}ـ]/gu, '').replace(/['’‘ʻʼʿʾ`´]/gu, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.flatMap((word, _, all) => foldWord(word, all));
}

function foldWord(word: string, all: readonly string[]): FoldedToken[] {
  const isUnvowelled = UNVOWELLED.test(word);
  const reading = isUnvowelled ? withVowels(word) : readingOf(word, all);
  if (reading !== null) return reading.map((text) => ({ text, isUnvowelled: false }));
  const isMixed = LATIN.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word);
  const plain = isMixed ? [...word.toLowerCase()].map((letter) => LOOK_ALIKES[letter] ?? letter).join('') : word;
  // The transliteration of ideographs begins each one with a capital letter; all others are one word.
  const latin = anyAscii(IDEOGRAPHIC.test(plain) ? plain.replace(/\p{Script=Han}/gu, (sign) => ` ${sign} `) : plain);
  return (latin.toLowerCase().replace(/['`]/g, '').match(/[a-z0-9]+/g) ?? []).map((text) => ({ text: withoutDigitsForLetters(text), isUnvowelled }));
}

/** Zero for O and one for L, in a word of letters: `J0SE`. */
function withoutDigitsForLetters(text: string): string {
  return /[01]/.test(text) && /^(?=(?:.*[a-z]){3})[a-z01]+$/.test(text) ? text.replaceAll('0', 'o').replaceAll('1', 'l') : text;
}
