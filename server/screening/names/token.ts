/** Words of a name with role, sound and weight. Used by the whole engine. Cached, because sounds are expensive. */
import { fold, type FoldedToken } from './fold.ts';
import {
  FORM_CLASSES,
  FORMS_IN_LETTERS,
  GENERIC_WORDS,
  HONORIFICS,
  JOINING_WORDS,
  LONGEST_OF_FORM,
  LONG_FORMS,
  LONG_WORD,
  MAY_BE_MISSPELT,
  MISSPELT_FORMS,
  NICKNAMES_OF,
  PARTICLES,
  PEOPLE_PER_MILLE,
} from './lexicon.ts';
import { readingsOf } from './readings.ts';
import { skeletonOf, soundOf, voiceless } from './sound.ts';

export type TokenRole = 'name' | 'particle' | 'honorific' | 'form' | 'generic' | 'initial' | 'number';

export interface NameToken {
  /** The word as it is compared. */
  readonly text: string;
  /** The word as it is written: differs from `text` for abbreviations and Roman numbers of organisations. */
  readonly written: string;
  readonly sound: string;
  readonly voiceless: string;
  readonly skeleton: string;
  /** Sounds in the spelling habits of several languages (readings.ts). */
  readonly readings: readonly string[];
  /**
   * A bit for the first letter and the length of each reading: words without a bit in common have no common reading.
   */
  readonly readingBits: number;
  readonly role: TokenRole;
  readonly isNumber: boolean;
  readonly isUnvowelled: boolean;
}

/** Kind of a name's bearer: a company may have a person's name, and forms of companies are words in people's names. */
export type NameOf = 'person' | 'organisation';

/** Cache of words, because words repeat and computing their sound takes longer than everything else. */
const known = new Map<string, NameToken>();
const MOST_KNOWN = 200_000;

export function tokenOf({ text, isUnvowelled }: FoldedToken, of: NameOf): NameToken {
  const key = `${of}${isUnvowelled ? '~' : ' '}${text}`;
  let token = known.get(key);
  if (token === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, (token = newToken(text, isUnvowelled, of)));
  }
  return token;
}

function newToken(written: string, isUnvowelled: boolean, of: NameOf): NameToken {
  const text = comparedAs(written, of);
  const sound = soundOf(text);
  const role = roleOf(text, of);
  const readings = isUnvowelled || role === 'number' ? [] : readingsOf(text, sound, of);
  return {
    text,
    written,
    sound,
    voiceless: voiceless(sound),
    skeleton: skeletonOf(sound),
    readings,
    readingBits: readings.reduce(
      (bits, reading) => bits | (1 << ((reading.charCodeAt(0) + 7 * reading.length) % 32)),
      0,
    ),
    role,
    isNumber: role === 'number' || /\d/.test(text),
    isUnvowelled,
  };
}

/** Roman numbers from II to XXXIX. A single letter is ambiguous. */
const ROMAN = /^(?=..)x{0,3}(?:ix|iv|v?i{0,3})$/;

const VALUES: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 };

/** Returns a number in Arabic numerals without leading zeros, and any other word unchanged. */
function inArabicNumerals(text: string): string {
  if (ROMAN.test(text)) return romanValue(text);
  return /^0\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text;
}

function romanValue(text: string): string {
  const values = [...text].map((letter) => VALUES[letter]!);
  return String(values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0));
}

/** Returns a word as it is compared: the word for which an abbreviation stands, and numbers in Arabic numerals. */
export const comparedAs = (written: string, of: NameOf): string =>
  of === 'person' ? written : (LONG_WORD.get(written) ?? inArabicNumerals(written));

function roleOf(text: string, of: NameOf): TokenRole {
  if (/^\d+$/.test(text) || (of === 'organisation' && ROMAN.test(text))) return 'number';
  if (of === 'organisation' && FORM_CLASSES.has(text)) return 'form';
  if (PARTICLES.has(text) || (of === 'organisation' && JOINING_WORDS.has(text))) return 'particle';
  if (of === 'person' && HONORIFICS.has(text)) return 'honorific';
  if (of === 'organisation' && GENERIC_WORDS.has(text)) return 'generic';
  return /^[a-z]$/.test(text) ? 'initial' : 'name';
}

/** Joins the letters of an abbreviation: `A.B.C.` is one word, different from `C.B.A.` */
export const withAbbreviationsJoined = (name: string): string =>
  name.normalize('NFKC').replace(/(?<![\p{L}\p{N}])(\p{L})[./](?=\p{L}(?![\p{L}\p{N}]))/gu, '$1');

const fits = (pattern: RegExp, word = ''): boolean => word.length <= LONGEST_OF_FORM && pattern.test(word);

/** Returns the words of a name with misspelt legal forms of several words as one word. */
function withoutMisspelling(text: string): string {
  if (!MAY_BE_MISSPELT.test(text)) return text;
  const all = text.split(' ');
  const short: string[] = [];
  for (let index = 0; index < all.length; index++) {
    const found = MISSPELT_FORMS.find(({ words }) => words.every((pattern, at) => fits(pattern, all[index + at])));
    short.push(found === undefined ? all[index]! : found.form);
    if (found !== undefined) index += found.words.length - 1;
  }
  return short.join(' ');
}

/** Returns the words of an organisation's name with legal forms of several words as one word. */
function withShortForms(text: string): string {
  const short = withoutMisspelling(LONG_FORMS.reduce((rest, [long, form]) => rest.replace(long, form), text));
  const letters = short.replaceAll(' ', '');
  return FORMS_IN_LETTERS.reduce(
    (rest, { form, long, inLetters }) => (letters.includes(inLetters) ? rest.replace(long, ` ${form} `) : rest),
    short,
  )
    .trim()
    .replace(/ {2,}/g, ' ');
}

/** Returns the words of a name as they are compared. */
export function tokensOf(name: string, of: NameOf): NameToken[] {
  // The letters of an abbreviation are one word in a company's name (`L.L.C.`, `S/A`) and initials in a person's name.
  let words = fold(of === 'person' ? name : withAbbreviationsJoined(name).replace(/&/g, ' and '));
  if (of === 'organisation') {
    const text = words.map((word) => word.text).join(' ');
    const short = withShortForms(text);
    if (short !== text) words = short.split(' ').map((word) => ({ text: word, isUnvowelled: false }));
    // A single letter is a number only at the end or before a legal form, and not in an abbreviation that is written
    // apart (`S A de C V`).
    const end = words.findLastIndex(({ text: word }) => !FORM_CLASSES.has(word));
    if (end > 0 && /^[ivx]$/.test(words[end]!.text) && words[end - 1]!.text.length > 1)
      words = words.with(end, { ...words[end]!, text: romanValue(words[end]!.text) });
  }
  return (of === 'person' ? withCompoundsJoined(words.flatMap(initialsApart)) : words).map((word) => tokenOf(word, of));
}

/** Splits two consonants into initials: `JC` is `J. C.` The name `Ng` is the only exception. */
const initialsApart = (word: FoldedToken): FoldedToken[] =>
  /^[bcdfghjklmnpqrstvwxz]{2}$/.test(word.text) &&
  word.text !== 'ng' &&
  !word.isUnvowelled &&
  !HONORIFICS.has(word.text) &&
  !PARTICLES.has(word.text) &&
  !NICKNAMES_OF.has(word.text)
    ? [...word.text].map((text) => ({ ...word, text }))
    : [word];

/**
 * Joins Arabic names of several words: servant of God (`Abd al-Rahman`, `Abdul Rahman` and `Abderrahmane` are one name),
 * of the faith (`Salah al-Din`, `Salahuddin`) and of God (`Habib Allah`, `Habibullah`).
 */
function withCompoundsJoined(words: readonly FoldedToken[]): FoldedToken[] {
  const joined: FoldedToken[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    const { text, isUnvowelled } = word;
    const [next, afterNext] = [words[index + 1]?.text ?? '', words[index + 2]?.text ?? ''];
    const name = nameAfterServant(words, index);
    if (text === 'abd' && next === 'allah') {
      joined.push({ text: 'abdullah', isUnvowelled });
      index++;
    } else if (name !== undefined && !isUnvowelled && !name.isUnvowelled && name.text.length >= 3) {
      joined.push({ text: `abdul${name.text}`, isUnvowelled });
      index = words.indexOf(name, index);
    } else if (isCompoundable(text) && OF_GOD.test(next)) {
      joined.push({ text: `${text}ullah`, isUnvowelled });
      index++;
    } else if (isCompoundable(text) && (OF_THE.test(next) ? FAITH.test(afterNext) : OF_THE_FAITH.test(next))) {
      joined.push({ text: `${text}uddin`, isUnvowelled });
      index += OF_THE.test(next) ? 2 : 1;
    } else joined.push({ text: inOneSpelling(text), isUnvowelled });
  }
  return joined;
}

const OF_GOD = /^[aou]ll?ah$/;
const OF_THE = /^(?:al|ad|ud|ed|el|ul|ed)$/;
const FAITH = /^d(?:in|een|ine|yn)$/;
const OF_THE_FAITH = /^[aeu]l?d{1,2}(?:in|een|ine|yn)$/;
const isCompoundable = (text: string): boolean => text.length >= 3 && !PARTICLES.has(text) && !HONORIFICS.has(text);

/** Unifies the spellings of names that are written as one word: `Abderrahmane`, `Nureddine`. */
const inOneSpelling = (text: string): string =>
  text
    .replace(/^abd[aeuio]([lrsnzd])(?=\1|[a-z]{3})/, (_, letter: string) =>
      letter === 'l' || text[5] === letter ? 'abdul' : `abdul${letter}`,
    )
    .replace(/(?<=^..+)[aeiou]l?dd?(?:in|een|ine)$/, (end) => (/dd|ld/.test(end) ? 'uddin' : end));

const ARTICLES: ReadonlySet<string> = new Set(['al', 'el', 'ul', 'ur', 'ar', 'as', 'az', 'an', 'ad', 'ash']);

/** Returns the word after `Abd al` or `Abdul` if one of them stands at the index. */
function nameAfterServant(words: readonly FoldedToken[], index: number): FoldedToken | undefined {
  const { text } = words[index]!;
  if (/^(?:'?abd|abdu|abdo|obaid)$/.test(text) && ARTICLES.has(words[index + 1]?.text ?? '')) return words[index + 2];
  return /^abd[aeuio][lrsnmtzd]$/.test(text) ? words[index + 1] : undefined;
}

const BY_ROLE: Readonly<Record<TokenRole, number | null>> = {
  name: null,
  initial: 0.35,
  particle: 0.06,
  honorific: 0.06,
  form: 0.08,
  generic: null,
  number: 0.8,
};
/** Sounds of common names, because a rare spelling of a common name is still common. */
const SOUNDS: ReadonlyMap<string, number> = new Map(
  [...PEOPLE_PER_MILLE].filter(([text]) => text.length >= 5).map(([text, people]) => [soundOf(text), people]),
);
const peopleOf = ({ text, sound }: Pick<NameToken, 'text' | 'sound'>): number =>
  PEOPLE_PER_MILLE.get(text) ?? (text.length >= 5 ? (SOUNDS.get(sound) ?? 0) : 0);

const PATRONYMIC = /..(?:[oe]vich|[oe]vna|[oe]vych|[yi]vna|avich|inichna)$/;
/** Syllables of Chinese or Korean. There are some four hundred, so each occurs in very many names. */
const SYLLABLE =
  /^(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?(?:ai?|ang?|ao|ae|e[inr]?|eng|eun|ee|i[aenu]?|ian|iang|iao|ing|iong|ong?|ou|oon?|u[aeino]?|uai|uang?|v|hwa|yong?|yun|young|yung|yu|yo|[aiou][klm]|il)$/;
const SYLLABLE_PER_MILLE = 2.3;
const RAREST = Math.log(200_000);

/**
 * Returns the weight of a word, from 0 to 1: the rarer, the more it identifies. `perMillion` is its number in a million
 * names.
 */
export function weightOf(token: Pick<NameToken, 'role' | 'text' | 'sound'>, perMillion: number): number {
  const fixed = BY_ROLE[token.role];
  if (fixed !== null) return fixed;
  const known = Math.max(perMillion, peopleOf(token) * 1000, SYLLABLE.test(token.text) ? SYLLABLE_PER_MILLE * 1000 : 5);
  const rarity = Math.min(1, Math.max(0.3, Math.log(1_000_000 / known) / RAREST));
  if (token.role === 'generic') return rarity * 0.45;
  // A patronymic names only the father.
  return PATRONYMIC.test(token.text) ? rarity * 0.5 : rarity;
}
