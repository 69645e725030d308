/**
 * Finds the machine-readable zone among lines of text and reads it again, with its own alphabet. Lengths of runs of
 * fillers are taken from the format, since a recogniser does not count equal characters reliably; nothing else is
 * changed, and what cannot be brought to a format is no zone.
 */
import { MRZ_ALPHABET } from '../mrz/check-digit.ts';
import { FORMATS, type MrzFormat, type Span } from '../mrz/formats.ts';
import { readMrz } from '../mrz/read.ts';
import { type ReadCharacter, readLine, type TextLine, textOf } from './lines.ts';
import type { Models } from './models.ts';
import type { Box, Picture } from './picture.ts';

/** Zone that was read. */
export interface FoundZone {
  readonly lines: readonly string[];
  /** Lowest confidence of any character. */
  readonly lowestConfidence: number;
  readonly boxes: readonly Box[];
}

/** Below this confidence of its least certain character, a zone is not relied on. */
export const LOWEST_CONFIDENCE = 0.3;

const STRETCHES = [1, 1.25, 1.5];
const FILLER = '<';
/** Runs that are shorter are read reliably, and separate names. */
const SHORTEST_RUN = 3;

/** Reading of a line that was brought to the width of a format. `off` tells how far the print is from that width. */
interface FittedLine {
  readonly text: string;
  readonly lowest: number;
  readonly off: number;
}

interface Candidate {
  readonly zone: FoundZone;
  readonly off: number;
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
  for (const [i, found] of characters.entries()) {
    if (missing !== 0 && i >= longest.index && i < end) {
      if (i === longest.index) fit += FILLER.repeat(length);
      lowest = Math.min(lowest, found.confidence);
      continue;
    }
    const kind = found.character === FILLER ? null : kindAt(format, line * width + fit.length);
    const taken = kind === null ? found : found[kind];
    fit += taken.character;
    lowest = Math.min(lowest, taken.confidence);
  }
  return {
    text: fit,
    lowest,
    off: Math.abs(printedWidth(characters) - width),
  };
}

/** Returns every way to bring the readings of rows to formats, with as many rows as the format has lines. */
function candidatesOf(rows: readonly TextLine[][], boxes: readonly Box[]): Candidate[] {
  const zones: Candidate[] = [];
  for (const format of FORMATS) {
    const count = format.lines;
    for (let first = 0; first + count <= rows.length; first++) {
      let combinations: FittedLine[][] = [[]];
      for (const [line, readings] of rows.slice(first, first + count).entries()) {
        const ways = new Map<string, FittedLine>();
        for (const { characters } of readings) {
          const way = fitted(characters, format, line);
          if (way !== null && (ways.get(way.text)?.lowest ?? 0) < way.lowest) ways.set(way.text, way);
        }
        combinations = combinations.flatMap((before) => [...ways.values()].map((way) => [...before, way]));
      }
      for (const combination of combinations) {
        zones.push({
          zone: {
            lines: combination.map(({ text }) => text),
            lowestConfidence: Math.min(...combination.map(({ lowest }) => lowest)),
            boxes: boxes.slice(first, first + count),
          },
          off: Math.max(...combination.map(({ off }) => off)),
        });
      }
    }
  }
  return zones;
}

/** Returns how good a zone is: checks that do not hold count most, then its width and its confidence. */
function worth({ zone, off }: Candidate, today: string): number {
  const { checks, repaired } = readMrz(zone.lines, today);
  const failed = Object.values(checks).filter((outcome) => outcome === 'fail').length;
  return zone.lowestConfidence - 2 * failed - repaired.length - Math.min(off, 10) / 4;
}

/** Finds and reads the zone of a picture whose lines were read. Returns null if there is none. */
export async function readZone(
  models: Models,
  picture: Picture,
  lines: readonly TextLine[],
  today: string,
): Promise<FoundZone | null> {
  const boxes = rowsOf(lines.filter((line) => likeness(line) >= 2).map(({ box }) => box));
  const rows: TextLine[][] = [];
  for (const box of boxes) {
    const readings: TextLine[] = [];
    for (const stretch of STRETCHES) {
      readings.push(await readLine(models, picture, box, { alphabet: MRZ_ALPHABET, stretch }));
    }
    rows.push(readings);
  }
  const zones = candidatesOf(rows, boxes).map((one) => ({ zone: one.zone, worth: worth(one, today) }));
  return zones.toSorted((one, other) => other.worth - one.worth)[0]?.zone ?? null;
}
