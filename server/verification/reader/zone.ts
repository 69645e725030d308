/**
 * Finds the machine-readable zone among lines of text. Rows that may be lines of a zone are read three times for each
 * format. Where a format allows only digits or only letters, the likeliest of them is taken and the zone is marked.
 */
import { FORMATS, type MrzFormat, type Span } from '../mrz/formats.ts';
import { readMrz } from '../mrz/read.ts';
import type { TextLine } from './lines.ts';
import type { Models } from './models.ts';
import type { Box, Picture } from './picture.ts';
import { type LineReading, readZoneLine } from './zone-line.ts';
import { asOneBlock, rowsOf } from './zone-rows.ts';

/** Zone that was read. */
export interface FoundZone {
  readonly lines: readonly string[];
  /** Confidence of its least certain character, in the second best of the readings that agree. */
  readonly lowestConfidence: number;
  /** Fewest readings that agree on a line, of three. */
  readonly agreeing: number;
  /** Whether a letter was taken for a digit, or a digit for a letter, because the format allows only one of them. */
  readonly isSubstituted: boolean;
  /** Whether its check digits decided between readings, so that they confirm nothing any more. */
  readonly isChosenByDigits: boolean;
  readonly boxes: readonly Box[];
}

/** Below this confidence of its least certain character, a zone is not relied on. */
export const LOWEST_CONFIDENCE = 0.3;
/** So many of the three readings of each line must agree for a zone to be relied on. */
export const LEAST_AGREEING = 3;

const FILLER = '<';
/** A character that the net does not doubt so much is shown as it is printed, even if the format does not allow it. */
const LEAST_DOUBT = 0.05;

/** Rows that were read as lines of one width, each several times. */
export interface ReadBlock {
  readonly width: number;
  readonly rows: readonly (readonly LineReading[])[];
  readonly boxes: readonly Box[];
}

/** Reading of a line of a format. */
interface FormattedLine {
  readonly text: string;
  readonly lowest: number;
  readonly fit: number;
  readonly isSubstituted: boolean;
}

/** The same text of a line in one or several readings. */
interface AgreedLine extends FormattedLine {
  readonly agreeing: number;
}

interface Candidate {
  readonly zone: Omit<FoundZone, 'isChosenByDigits'>;
  readonly fit: number;
  /** Whether the first letter is one that the format has. */
  readonly isOfCode: boolean;
}

/** Tells which kind of character a format allows at a place of its joined text; null if several. */
function kindAt(format: MrzFormat, index: number): 'digit' | 'letter' | null {
  const isIn = ({ from, to }: Span): boolean => index >= from && index < to;
  if ([format.name, format.issuingCountry, format.nationality].some(isIn)) return 'letter';
  const digits = [format.dateOfBirthDigit, format.dateOfExpiryDigit, format.composite?.digit];
  return digits.includes(index) || [format.dateOfBirth, format.dateOfExpiry].some(isIn) ? 'digit' : null;
}

/** Takes the likeliest characters of a line that a format allows. */
function formatted({ characters, fit }: LineReading, format: MrzFormat, line: number): FormattedLine {
  const taken = characters.map((found, index) => {
    const kind = found.character === FILLER ? null : kindAt(format, line * format.width + index);
    return kind === null || found[kind].confidence < LEAST_DOUBT ? found : found[kind];
  });
  return {
    text: taken.map(({ character }) => character).join(''),
    lowest: Math.min(...taken.map(({ confidence }) => confidence)),
    fit,
    isSubstituted: taken.some(({ character }, index) => character !== characters[index]!.character),
  };
}

/** Groups the readings of a line by their text. */
function agreed(readings: readonly LineReading[], format: MrzFormat, line: number): AgreedLine[] {
  const byText = Map.groupBy(
    readings.map((reading) => formatted(reading, format, line)),
    ({ text }) => text,
  );
  return [...byText.values()].map((ways) => {
    const [first, second] = ways.toSorted((one, other) => other.lowest - one.lowest);
    return {
      ...first!,
      lowest: (second ?? first!).lowest,
      isSubstituted: ways.some(({ isSubstituted }) => isSubstituted),
      agreeing: ways.length,
    };
  });
}

/** Returns every way to understand rows that were read as a zone of a format. */
function candidatesOf({ width, rows, boxes }: ReadBlock): Candidate[] {
  const formats = FORMATS.filter((format) => format.width === width && format.lines === rows.length);
  return formats.flatMap((format) => {
    let combinations: AgreedLine[][] = [[]];
    for (const [line, readings] of rows.entries()) {
      const ways = agreed(readings, format, line);
      combinations = combinations.flatMap((before) => ways.map((way) => [...before, way]));
    }
    return combinations.map((lines) => ({
      zone: {
        lines: lines.map(({ text }) => text),
        lowestConfidence: Math.min(...lines.map(({ lowest }) => lowest)),
        agreeing: Math.min(...lines.map(({ agreeing }) => agreeing)),
        isSubstituted: lines.some(({ isSubstituted }) => isSubstituted),
        boxes,
      },
      fit: Math.min(...lines.map(({ fit }) => fit)),
      isOfCode: format.codes.includes(lines[0]!.text[0]!),
    }));
  });
}

/** Returns how good a candidate is without its check digits: agreement counts most, then confidence and fit. */
const worthOfPrint = ({ zone, fit, isOfCode }: Candidate): number =>
  zone.agreeing + zone.lowestConfidence + 4 * fit - (isOfCode ? 0 : 2);

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
 * Returns the zone of rows that were read as blocks of lines. Check digits may decide what is shown, but then they are
 * no evidence: a choice that the print alone would not have made is marked.
 */
export function zoneOf(blocks: readonly ReadBlock[], today: string): FoundZone | null {
  const candidates = blocks.flatMap(candidatesOf);
  const shown = best(candidates, (one) => worthOfDigits(one, today));
  const alone = best(candidates, worthOfPrint);
  return shown === undefined ? null : { ...shown.zone, isChosenByDigits: textOfZone(shown) !== textOfZone(alone!) };
}

/** How many lines of which width zones have. */
const SHAPES = [...new Map(FORMATS.map(({ lines, width }) => [`${lines} ${width}`, { lines, width }])).values()];

/** Finds and reads the zone of a picture whose lines were read. Returns null if there is none. */
export async function readZone(
  models: Models,
  picture: Picture,
  lines: readonly TextLine[],
  today: string,
): Promise<FoundZone | null> {
  const rows = rowsOf(lines);
  const blocks: ReadBlock[] = [];
  for (const { lines: count, width } of SHAPES) {
    for (let first = 0; first + count <= rows.length; first++) {
      const boxes = asOneBlock(rows.slice(first, first + count));
      const read = boxes === null ? null : await readBlock(models, picture, boxes, width);
      if (read !== null) blocks.push({ width, rows: read, boxes: boxes! });
    }
  }
  return zoneOf(blocks, today);
}

/** Reads rows as lines of one width. Returns null as soon as one is no such line. */
async function readBlock(
  models: Models,
  picture: Picture,
  boxes: readonly Box[],
  width: number,
): Promise<(readonly LineReading[])[] | null> {
  const rows: (readonly LineReading[])[] = [];
  for (const box of boxes) {
    const readings = await readZoneLine(models, picture, box, width);
    if (readings === null) return null;
    rows.push(readings);
  }
  return rows;
}
