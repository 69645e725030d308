/**
 * Finds the machine-readable zone among lines of text and reads it again, with its own alphabet and at three widths.
 * Lengths of runs of fillers are taken from the format, since a recogniser does not count equal characters reliably.
 * Where a format allows only digits or only letters, the likeliest of them is taken and the zone is marked. What cannot
 * be brought to a format is no zone.
 */
import { MRZ_ALPHABET } from '../mrz/check-digit.ts';
import { FORMATS, type MrzFormat, type Span } from '../mrz/formats.ts';
import { readMrz } from '../mrz/read.ts';
import { isLying, type ReadCharacter, readLine, type TextLine, textOf } from './lines.ts';
import type { Models } from './models.ts';
import type { Box, Picture } from './picture.ts';

/** Zone that was read. */
export interface FoundZone {
  readonly lines: readonly string[];
  /** Confidence of its least certain character, in the second best of the readings that agree. */
  readonly lowestConfidence: number;
  /** Fewest readings that agree on a line, of three at different widths. */
  readonly agreeing: number;
  /** Whether a letter was taken for a digit, or a digit for a letter, because the format allows only one of them. */
  readonly isSubstituted: boolean;
  /** Whether its check digits decided between readings, so that they confirm nothing any more. */
  readonly isChosenByDigits: boolean;
  readonly boxes: readonly Box[];
}

/** Below this confidence of its least certain character, a zone is not relied on. */
export const LOWEST_CONFIDENCE = 0.3;
/** So many of the three readings of each line must agree for a zone to be relied on: two lose the same last letter. */
export const LEAST_AGREEING = 3;

const STRETCHES = [1, 1.25, 1.5];
const FILLER = '<';
/** Zones are at the foot of a page; a picture with more rows that look like one costs too much to read. */
const MOST_ROWS = 8;
/** Runs that are shorter are read reliably, and separate names. */
const SHORTEST_RUN = 3;

/** Reading of a line that was brought to the width of a format. `off` tells how far the print is from that width. */
interface FittedLine {
  readonly text: string;
  readonly lowest: number;
  readonly off: number;
  readonly isSubstituted: boolean;
}

/** The same text of a line in one or several readings. */
interface AgreedLine extends FittedLine {
  readonly agreeing: number;
}

interface Candidate {
  readonly zone: Omit<FoundZone, 'isChosenByDigits'>;
  readonly off: number;
  /** Whether the first letter is one that the format has. */
  readonly isOfCode: boolean;
}

/** Returns how many characters of a printed line only zones have or mostly have. */
function likeness(line: TextLine): number {
  const text = textOf(line);
  const fillers = text.split(FILLER).length - 1;
  const allowed = [...text].filter((character) => MRZ_ALPHABET.includes(character)).length;
  return text.length >= 10 && allowed >= text.length * 0.8 ? fillers + (allowed >= 26 ? 3 : 0) : 0;
}

/** Joins boxes that lie on one row: a wide gap of fillers may have split a line. */
function rowsOf(boxes: readonly Box[]): Box[] {
  const rows: Box[] = [];
  for (const box of boxes) {
    const i = rows.findIndex((row) => {
      const [dx, dy] = [box.x - row.x, box.y - row.y];
      const off = Math.abs(dy * Math.cos(row.angle) - dx * Math.sin(row.angle));
      return off < Math.min(row.across, box.across) * 0.6;
    });
    const row = rows[i];
    if (row === undefined) {
      rows.push(box);
      continue;
    }
    const longer = row.along >= box.along ? row : box;
    const [cos, sin] = [Math.cos(longer.angle), Math.sin(longer.angle)];
    const at = (one: Box): number => one.x * cos + one.y * sin;
    const first = Math.min(at(row) - row.along, at(box) - box.along);
    const last = Math.max(at(row) + row.along, at(box) + box.along);
    const shift = (first + last) / 2 - at(longer);
    rows[i] = {
      ...longer,
      x: longer.x + shift * cos,
      y: longer.y + shift * sin,
      along: (last - first) / 2,
    };
  }
  return rows.toSorted((one, other) => one.y - other.y);
}

/** Tells how many characters of one pitch fit between the first and the last of a line. */
function printedWidth(characters: readonly ReadCharacter[]): number {
  const gaps = characters
    .slice(1)
    .flatMap(({ at, character }, i) =>
      character === FILLER && characters[i]?.character === FILLER ? [] : [at - characters[i]!.at],
    )
    .toSorted((one, other) => one - other);
  const pitch = gaps[Math.floor(gaps.length / 2)] ?? 1;
  return (characters.at(-1)!.at - characters[0]!.at) / pitch + 1;
}

/** Tells which kind of character a format allows at a place of its joined text; null if several. */
function kindAt(format: MrzFormat, index: number): 'digit' | 'letter' | null {
  const isIn = ({ from, to }: Span): boolean => index >= from && index < to;
  if ([format.name, format.issuingCountry, format.nationality].some(isIn)) return 'letter';
  const digits = [format.dateOfBirthDigit, format.dateOfExpiryDigit, format.composite?.digit];
  return digits.includes(index) || [format.dateOfBirth, format.dateOfExpiry].some(isIn) ? 'digit' : null;
}

/** Brings a line of a format to its width by the length of its longest run of fillers. Null if that is not possible. */
function fitted(characters: readonly ReadCharacter[], format: MrzFormat, line: number): FittedLine | null {
  const { width } = format;
  const text = characters.map(({ character }) => character).join('');
  const missing = width - text.length;
  const runs = [...text.matchAll(/<+/g)].toSorted((one, other) => other[0].length - one[0].length);
  const longest = runs[0] ?? { 0: '', index: text.length };
  const length = longest[0].length + missing;
  const isRun = longest[0].length >= SHORTEST_RUN && length >= SHORTEST_RUN;
  if (text.length < 2 || (missing !== 0 && (!isRun || Math.abs(missing) > width / 2))) return null;
  const end = longest.index + longest[0].length;
  let fit = '';
  let lowest = 1;
  let isSubstituted = false;
  for (const [i, found] of characters.entries()) {
    if (missing !== 0 && i >= longest.index && i < end) {
      if (i === longest.index) fit += FILLER.repeat(length);
      lowest = Math.min(lowest, found.confidence);
      continue;
    }
    const kind = found.character === FILLER ? null : kindAt(format, line * width + fit.length);
    const taken = kind === null ? found : found[kind];
    fit += taken.character;
    isSubstituted ||= taken.character !== found.character;
    lowest = Math.min(lowest, taken.confidence);
  }
  return {
    text: fit,
    lowest,
    off: Math.abs(printedWidth(characters) - width),
    isSubstituted,
  };
}

/** Groups the readings of a line by their text. */
function agreed(readings: readonly TextLine[], format: MrzFormat, line: number): AgreedLine[] {
  const byText = Map.groupBy(
    readings.map(({ characters }) => fitted(characters, format, line)).filter((way) => way !== null),
    ({ text }) => text,
  );
  return [...byText.values()].map((ways) => {
    const asRead = ways.filter((way) => !way.isSubstituted);
    const counted = asRead.length >= LEAST_AGREEING ? asRead : ways;
    const [first, second] = counted.toSorted((one, other) => other.lowest - one.lowest);
    return {
      ...first!,
      lowest: (second ?? first!).lowest,
      isSubstituted: counted === ways && asRead.length < ways.length,
      agreeing: counted.length,
    };
  });
}

/** Returns every way to bring the readings of rows to formats, with as many rows as the format has lines. */
function candidatesOf(rows: readonly TextLine[][], boxes: readonly Box[]): Candidate[] {
  return FORMATS.flatMap((format) =>
    rows.slice(format.lines - 1).flatMap((_, first) => {
      let combinations: AgreedLine[][] = [[]];
      for (const [line, readings] of rows.slice(first, first + format.lines).entries()) {
        const ways = agreed(readings, format, line);
        combinations = combinations.flatMap((before) => ways.map((way) => [...before, way]));
      }
      return combinations.map((lines) => ({
        zone: {
          lines: lines.map(({ text }) => text),
          lowestConfidence: Math.min(...lines.map(({ lowest }) => lowest)),
          agreeing: Math.min(...lines.map(({ agreeing }) => agreeing)),
          isSubstituted: lines.some(({ isSubstituted }) => isSubstituted),
          boxes: boxes.slice(first, first + format.lines),
        },
        off: Math.max(...lines.map(({ off }) => off)),
        isOfCode: format.codes.includes(lines[0]!.text[0]!),
      }));
    }),
  );
}

/** Returns how good a candidate is without its check digits: agreement counts most, then its width, then confidence. */
const worthOfPrint = ({ zone, off, isOfCode }: Candidate): number =>
  zone.agreeing + zone.lowestConfidence - Math.min(off, 10) / 4 - (isOfCode ? 0 : 2);

/** Returns how good a candidate is with its check digits: those that do not hold count most. */
function worthOfDigits(candidate: Candidate, today: string): number {
  const { checks, repaired } = readMrz(candidate.zone.lines, today);
  const failed = Object.values(checks).filter((outcome) => outcome === 'fail').length;
  return worthOfPrint(candidate) - 10 * failed - 5 * repaired.length;
}

const best = (candidates: readonly Candidate[], worth: (one: Candidate) => number): Candidate | undefined =>
  candidates
    .map((candidate) => [candidate, worth(candidate)] as const)
    .toSorted(([, one], [, other]) => other - one)[0]?.[0];

const textOfZone = ({ zone: { lines } }: Candidate): string => lines.join('\n');

/**
 * Returns the zone of rows, each of which was read several times. Check digits may decide what is shown, but then they
 * are no evidence: a choice that the print alone would not have made is marked.
 */
export function zoneOf(rows: readonly TextLine[][], boxes: readonly Box[], today: string): FoundZone | null {
  const candidates = candidatesOf(rows, boxes);
  const shown = best(candidates, (one) => worthOfDigits(one, today));
  const alone = best(candidates, worthOfPrint);
  return shown === undefined ? null : { ...shown.zone, isChosenByDigits: textOfZone(shown) !== textOfZone(alone!) };
}

/** Finds and reads the zone of a picture whose lines were read. Returns null if there is none. */
export async function readZone(
  models: Models,
  picture: Picture,
  lines: readonly TextLine[],
  today: string,
): Promise<FoundZone | null> {
  const boxes = rowsOf(lines.filter((line) => isLying(line) && likeness(line) >= 2).map(({ box }) => box)).slice(
    -MOST_ROWS,
  );
  const rows: TextLine[][] = [];
  for (const box of boxes) {
    const readings: TextLine[] = [];
    for (const stretch of STRETCHES) {
      readings.push(await readLine(models, picture, box, { alphabet: MRZ_ALPHABET, stretch }));
    }
    rows.push(readings);
  }
  return zoneOf(rows, boxes, today);
}
