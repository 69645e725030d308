/**
 * Spellings of names in machine-readable zones (ICAO Doc 9303-3, section 6). A letter that the alphabet lacks has one
 * recommended spelling, and some that are accepted besides.
 */

/** Spellings of letters, the recommended one first. Other letters lose their marks. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  Ä: ['AE', 'A'],
  Ö: ['OE', 'O'],
  Ü: ['UE', 'UXX', 'U'],
  ß: ['SS'],
  ẞ: ['SS'],
  Å: ['AA', 'A'],
  Ø: ['OE', 'O'],
  Ñ: ['N', 'NXX'],
  Þ: ['TH'],
  Ð: ['D'],
  Æ: ['AE'],
  Œ: ['OE'],
  Ł: ['L'],
  Đ: ['D'],
  Ħ: ['H'],
  Ŧ: ['T'],
  ı: ['I'],
};
/** Marks that fall out of a name: apostrophes, points and commas. */
const FALLS = /['’‘`´ʼ.,]/gu;
/** A name with more spellings than this is compared with the first of them. */
const MOST_SPELLINGS = 256;

/** Returns the spellings of one letter; none if it has no Latin form. */
function spellingsOf(letter: string): readonly string[] {
  const known = SPELLINGS[letter];
  if (known !== undefined) return known;
  const folded = letter.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return /^[A-Z<]+$/.test(folded) ? [folded] : [''];
}

/** Returns the letters of a name in capitals; hyphens and white space become one filler. */
function lettersOf(name: string): string[] {
  const capitals = [...name.normalize('NFC')].map((letter) => (letter in SPELLINGS ? letter : letter.toUpperCase()));
  return [
    ...capitals
      .join('')
      .replaceAll(FALLS, '')
      .trim()
      .replaceAll(/[\s\p{Pd}]+/gu, '<'),
  ];
}

/** Returns the recommended spelling of a name. It is empty if the name has no Latin letter. */
export function canonicalSpelling(name: string): string {
  return lettersOf(name)
    .map((letter) => spellingsOf(letter)[0]!)
    .join('');
}

/** Returns the accepted spellings of a name, the recommended one first. */
export function acceptedSpellings(name: string): string[] {
  let spellings = [''];
  for (const letter of lettersOf(name)) {
    const grown = spellings.flatMap((before) => spellingsOf(letter).map((next) => before + next));
    spellings = grown.slice(0, MOST_SPELLINGS);
  }
  return [...new Set(spellings)];
}
