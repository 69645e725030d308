/**
 * The approximate sound and the consonants of a word. Used by token.ts. Different spellings of a name should be equal;
 * too much equality finds strangers.
 */

/**
 * Spellings of one sound in the romanizations of Arabic, Persian, Cyrillic and Korean, and across Portuguese, English
 * and French. The order matters.
 */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/(.)\1+/g, '$1'],
  // Korean syllables, which the official romanization spells differently from passports: `Jeong`, `Eun`.
  [/^([bcghjkmnprsty]{0,2}?)e[ou](?=[nkmlpg]{0,2}$)/g, '$1u'],
  [/shch|tsch|sch|sh/g, 'S'],
  [/dzh|dj|zh/g, 'j'],
  [/tch|ch/g, 'C'],
  [/ts|tz/g, 's'],
  [/ph/g, 'f'],
  [/kh/g, 'h'],
  [/gh/g, 'g'],
  [/dh/g, 'd'],
  [/th/g, 't'],
  [/ck|q/g, 'k'],
  [/x/g, 'ks'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/z/g, 's'],
  [/w/g, 'v'],
  [/iy|yi|ie|ee|ij/g, 'i'],
  [/ou|oo|ow|uv(?=[^aeiou]|$)/g, 'u'],
  [/ei|ey|ai|ay|ae/g, 'e'],
  [/au|ao/g, 'o'],
  [/y(?=[aeou])/g, 'Y'],
  [/y/g, 'i'],
  [/(?<=[aeiou])h$/g, ''],
  [/e/g, 'a'],
  [/o/g, 'u'],
  [/(.)\1+/g, '$1'],
];

/** Returns the approximate sound of a word, which is equal for most spellings of one name. */
export function soundOf(text: string): string {
  return SPELLINGS.reduce((sound, [spelling, letter]) => sound.replace(spelling, letter), text).toLowerCase();
}

const VOICED: Readonly<Record<string, string>> = {
  g: 'k',
  d: 't',
  b: 'p',
  j: 'c',
  r: 'l',
};

/** Replaces voiced letters, because Korean and Chinese have one letter where romanizations write two. */
export const voiceless = (sound: string): string => sound.replace(/[gdbjr]/g, (letter) => VOICED[letter]!);

/** Returns the consonants of a sound. Semivowels count as vowels, because Arabic writes long vowels with them. */
export function skeletonOf(sound: string): string {
  return sound
    .replace(/(?<=.)[aeiouyjv](?=.)|[aeiouy]$|(?<=.)[jv]$/g, '')
    .replace(/^[aeiouy]+(?=.)/, '')
    .replace(/(.)\1+/g, '$1');
}
