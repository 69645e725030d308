/**
 * How a word sounds to readers of several spelling habits, above all in Slavic names: `Jewgeni`, `Evgueni` and
 * `Yevgeniy` are one name. Used by token.ts. Sounds of one kind (s, z, ts, ch, sh, zh) are one here, because each habit
 * writes them otherwise; so the readings of short words would be equal too often, and they have none.
 */
import { soundOf } from './sound.ts';

/** Length from which a word has readings. */
const SHORTEST = 5;

type Spellings = readonly (readonly [RegExp, string])[];

/** Spellings of English and of passports (ICAO 9303, BGN/PCGN). */
const ENGLISH: Spellings = [
  [/shch|tch|ch|sh|ts/g, 's'],
  [/zh/g, 'z'],
];
/** Spellings of German, Polish and Czech. */
const CENTRAL: Spellings = [
  [/schtsch|szcz|tsch|sch|cz|sz|ts/g, 's'],
  [/ch/g, 'h'],
  [/c(?!k)/g, 's'],
  [/j/g, 'y'],
];
/** Spellings of French and Portuguese. */
const ROMANCE: Spellings = [
  [/chtch|tch|ch|ts/g, 's'],
  [/gu(?=[eiy])/g, 'g'],
  [/x|j/g, 's'],
  [/ine$/, 'in'],
];
/** Vowels after a soft consonant, which all habits write otherwise: `Fyodor`, `Fedor`, `Fiodor`. */
const SOFT: Spellings = [
  [/iou/g, 'yu'],
  [/[iy](?=[au])/g, 'y'],
  [/[iy]+[eo]/g, 'e'],
  [/ff$/, 'v'],
];

/** Letters that some habit reads otherwise than others. A word without them has its sound as its only reading. */
const AMBIGUOUS = /[cjx]|[sz]h|ts|sz|gu[eiy]|ine$|iou|[iy][aeou]|ff$/;

/** Returns the readings of a word with a sound, each once. A word whose spelling all habits share has one. */
export function readingsOf(text: string, sound: string): readonly string[] {
  if (text.length < SHORTEST || !/^[a-z]+$/.test(text)) return [];
  if (!AMBIGUOUS.test(text)) return [sound];
  const spelt = new Set(
    [ENGLISH, CENTRAL, ROMANCE].map((habit) =>
      [...habit, ...SOFT].reduce((word, [spelling, letters]) => word.replace(spelling, letters), text),
    ),
  );
  return [...new Set(Array.from(spelt, (word) => (word === text ? sound : soundOf(word))))];
}
