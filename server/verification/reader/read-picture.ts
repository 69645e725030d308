/** Reads a picture of a document: its lines of text, and its machine-readable zone if it has one. */
import { readMrz } from '../mrz/read.ts';
import { findLines, isLying, readLine, type TextLine, textOf } from './lines.ts';
import type { Models } from './models.ts';
import type { RenderedPage } from './pdf-pages.ts';
import { type Box, decode, type Picture, turned } from './picture.ts';
import { type FoundZone, LEAST_AGREEING, LOWEST_CONFIDENCE, readZone } from './zone.ts';

/** Thrown if a picture cannot be decoded, or a page not rendered. */
export class UnreadablePicture extends Error {}

/** Line of printed text, with the lowest confidence of its characters. */
export interface PrintedLine {
  readonly text: string;
  readonly confidence: number;
  readonly box: Box;
}

/** What a picture says. */
export interface PictureContent {
  readonly width: number;
  readonly height: number;
  /** Quarters by which the picture was turned clockwise before its lines were read. */
  readonly quarters: number;
  readonly zone: FoundZone | null;
  /** Whether the zone may be relied on (`isReliable`). */
  readonly isZoneReliable: boolean;
  /** Lines outside of the zone, from top to bottom. */
  readonly printed: readonly PrintedLine[];
}

const MOST_LINES = 120;

async function linesOf(models: Models, picture: Picture): Promise<TextLine[]> {
  const lines: TextLine[] = [];
  for (const box of (await findLines(models, picture)).slice(0, MOST_LINES)) {
    lines.push(await readLine(models, picture, box));
  }
  return lines.filter(({ characters }) => characters.length > 0);
}

/**
 * Tells whether a zone may be relied on: the readings agree, every character is certain enough, nothing was replaced,
 * and the check digits hold although they did not choose the reading.
 */
export function isReliable(zone: FoundZone, today: string): boolean {
  if (zone.lowestConfidence < LOWEST_CONFIDENCE || zone.agreeing < LEAST_AGREEING) return false;
  if (zone.isSubstituted || zone.isChosenByDigits) return false;
  const { checks, repaired } = readMrz(zone.lines, today);
  const outcomes = Object.values(checks);
  return repaired.length === 0 && outcomes.every((outcome) => outcome === 'pass' || outcome === 'not_run');
}

/** A picture in one of its four directions, as it was read. */
interface Turn {
  readonly picture: Picture;
  readonly quarters: number;
  readonly lines: readonly TextLine[];
  readonly zone: FoundZone | null;
}

/** So many lines that make sense tell that a picture is upright. */
const ENOUGH_LINES = 4;
const SHORTEST_LINE = 4;
const SENSIBLE = 0.85;

/** Counts the lines that make sense. Upside down, and on its side, text is read as other characters, and doubtfully. */
function sensible(lines: readonly TextLine[]): number {
  return lines.filter(isLying).filter(({ characters }) => {
    const sum = characters.reduce((total, { confidence }) => total + confidence, 0);
    return characters.length >= SHORTEST_LINE && sum / characters.length >= SENSIBLE;
  }).length;
}

const isWellFormed = (zone: FoundZone | null, today: string): boolean =>
  zone !== null && readMrz(zone.lines, today).checks.mrz_format === 'pass';

/** Reads a picture in each direction until it has a zone or makes sense, and returns the best. */
async function bestTurn(models: Models, upright: Picture, today: string): Promise<Turn> {
  const turns: Turn[] = [];
  let picture = upright;
  for (let quarters = 0; quarters < 4; quarters++) {
    const lines = await linesOf(models, picture);
    const zone = await readZone(models, picture, lines, today);
    const turn = {
      picture,
      quarters,
      lines,
      zone,
    };
    if (isWellFormed(zone, today) || sensible(lines) >= ENOUGH_LINES) return turn;
    turns.push(turn);
    picture = turned(picture);
  }
  return turns.toSorted((one, other) => sensible(other.lines) - sensible(one.lines))[0]!;
}

/** File with a picture, or a page of a PDF file, counted from 1. */
export interface FileToRead {
  readonly bytes: Uint8Array;
  readonly page: number | null;
}

/**
 * Opens a file as a picture, and tells how many pages it has. Throws `UnreadablePicture` if its bytes are not what they
 * should be.
 */
async function opened(models: Models, { bytes, page }: FileToRead): Promise<RenderedPage> {
  try {
    return page === null ? { picture: await decode(models, bytes), pages: 1 } : await models.render(bytes, page);
  } catch (cause) {
    throw new UnreadablePicture('The file cannot be opened as a picture', { cause });
  }
}

/** Reads a picture or a page. `today` decides the century of dates. */
export async function readPicture(
  models: Models,
  file: FileToRead,
  today: string,
): Promise<{ readonly content: PictureContent; readonly pages: number }> {
  const { picture: upright, pages } = await opened(models, file);
  return { content: await contentOf(models, upright, today), pages };
}

async function contentOf(models: Models, upright: Picture, today: string): Promise<PictureContent> {
  const { picture, quarters, lines, zone } = await bestTurn(models, upright, today);
  const isOfZone = ({ box }: TextLine): boolean =>
    zone?.boxes.some((row) => Math.abs(row.y - box.y) < row.across && box.along <= row.along * 1.1) === true;
  return {
    width: picture.width,
    height: picture.height,
    quarters,
    zone,
    isZoneReliable: zone !== null && isReliable(zone, today),
    printed: lines
      .filter((line) => !isOfZone(line))
      .map((line) => ({
        text: textOf(line),
        confidence: Math.min(...line.characters.map(({ confidence }) => confidence)),
        box: line.box,
      })),
  };
}
