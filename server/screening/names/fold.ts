import anyAscii from 'any-ascii';

/** Letters of other alphabets that are drawn like Latin ones: in a word that is otherwise Latin they were put there to look like them. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  а: 'a', в: 'b', с: 'c', е: 'e', н: 'h', і: 'i', ј: 'j', к: 'k', м: 'm', о: 'o', р: 'p', ѕ: 's', т: 't', у: 'y', х: 'x',
  α: 'a', β: 'b', ε: 'e', η: 'n', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x',
};

/** Korean family names have a spelling of their own, which no table of sounds yields. */
const KOREAN_FAMILY_NAMES: Readonly<Record<string, string>> = {
  김: 'kim', 이: 'lee', 리: 'ri', 박: 'park', 최: 'choi', 정: 'jung', 조: 'cho', 강: 'kang', 임: 'lim', 신: 'shin', 오: 'oh', 유: 'yoo', 노: 'roh', 우: 'woo', 문: 'moon', 구: 'koo',
};

const HANGUL = /\p{Script=Hangul}/u;
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
  return words.flatMap((word, index) => foldWord(word, index === 0));
}

function foldWord(word: string, isFirst: boolean): FoldedToken[] {
  if (HANGUL.test(word)) return foldHangul(word, isFirst);
  const isUnvowelled = UNVOWELLED.test(word);
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

/** One word for each syllable, in the spelling that passports use rather than that of the official romanization. */
function foldHangul(word: string, isFirst: boolean): FoldedToken[] {
  return [...word].map((syllable, index) => {
    const familyName = (isFirst || word.length === 1) && index === 0 ? KOREAN_FAMILY_NAMES[syllable] : undefined;
    const official = anyAscii(syllable).toLowerCase().replace(/[^a-z0-9]/g, '');
    const text = familyName ?? official.replace('eo', 'o').replace('eu', 'u').replace(/^g/, 'k').replace(/^d/, 't').replace(/^b/, 'p').replace(/g$/, 'k');
    return { text, isUnvowelled: false };
  }).filter(({ text }) => text !== '');
}
