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
/**
 * Spellings of Belarusian, which writes a for an unstressed o, and of Ukrainian, both of which write h for g:
 * `Uladzimir`, `Ihar`, `Novikau`, `Kharaneka`.
 */
const BELARUSIAN: Spellings = [
  [/shch|tch|ch|sh|ts/g, 's'],
  [/zh/g, 'z'],
  [/dz(?=[iyk])/g, 'd'],
  [/(?<![kt])h/g, 'g'],
  [/(?<=[aeo])u$/g, 'v'],
  [/^u(?=[lv])/g, 'v'],
  [/^mika/g, 'nika'],
  [/[iy]+[ae]/g, 'e'],
  [/(?<![aeiouy])o(?![aeiouy])/g, 'a'],
];
/**
 * Spellings of Arabic and Persian. Short vowels are written as each country speaks them, and dh is also z: `Nasir` and
 * `Nasser`, `Kadhim` and `Kazem`.
 */
const ARABIC: Spellings = [
  [/[ae][iy]/g, 'Y'],
  [/ee|e/g, 'i'],
  [/oo|ou|o/g, 'u'],
  [/dh/g, 'z'],
  [/Y/g, 'ai'],
];
/** The same with the Persian pronunciation of one letter: `Yaqubi` and `Yaghoobi`. */
const PERSIAN: Spellings = [[/q/g, 'g'], ...ARABIC];
/** Habits that both words must share, with a mark of their readings, because they change common sounds. */
const APART = [
  ['B', BELARUSIAN],
  ['A', ARABIC],
  ['A', PERSIAN],
] as const;
/** Vowels after a soft consonant, which all habits write otherwise: `Fyodor`, `Fedor`, `Fiodor`. */
const SOFT: Spellings = [
  [/iou/g, 'yu'],
  [/[iy](?=[au])/g, 'y'],
  [/[iy]+[eo]/g, 'e'],
  [/ff$/, 'v'],
];

/** Letters that some habit reads otherwise than others. A word without them has its sound as its only reading. */
const AMBIGUOUS = /[cjx]|[sz]h|ts|sz|gu[eiy]|ine$|iou|[iy][aeou]|ff$/;

/**
 * Returns the readings of a word with a sound, each once. A word whose spelling all habits share has one. Names of
 * people are also read by habits that would make words of organisations equal too often.
 */
export function readingsOf(text: string, sound: string, of: 'person' | 'organisation'): readonly string[] {
  if (text.length < SHORTEST || !/^[a-z]+$/.test(text)) return [];
  const readAs = (habit: Spellings): string =>
    habit.reduce((word, [spelling, letters]) => word.replace(spelling, letters), text);
  const soundOfRead = (word: string): string => (word === text ? sound : soundOf(word));
  const spelt = AMBIGUOUS.test(text)
    ? [ENGLISH, CENTRAL, ROMANCE].map((habit) => soundOfRead(readAs([...habit, ...SOFT])))
    : [sound];
  const apart = of === 'person' ? APART.map(([mark, habit]) => mark + soundOfRead(readAs(habit))) : [];
  return [...new Set([...spelt, ...apart])];
}
