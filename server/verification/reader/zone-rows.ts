/**
 * Finds the rows of print that may be lines of a machine-readable zone. A wide gap of fillers may have split a row, and
 * a detector may have missed its end; the lines of a zone begin and end together, so the longest tells where.
 */
import { MRZ_ALPHABET } from '../mrz/check-digit.ts';
import { isLying, type TextLine, textOf } from './lines.ts';
import type { Box } from './picture.ts';

interface Row {
  readonly box: Box;
  readonly text: string;
}

const FILLER = '<';
/** Zones are at the foot of a page; a picture with more rows that look like one costs too much to read. */
const MOST_ROWS = 8;
const SHORTEST = 10;
/** A row of so many characters may be one of a zone without any filler. */
const LONG = 26;
/** Part of the characters that must be of the alphabet of zones. */
const OF_ALPHABET = 0.8;
/** Rows that are farther from each other than this, in heights, are not of one zone. */
const FARTHEST = 4;
/** Beside a row of a zone, one that is not much shorter may be one, too, whatever the recogniser took it for. */
const SHORTEST_BESIDE = 0.6;

const along = ({ x, y, angle }: Box): number => x * Math.cos(angle) + y * Math.sin(angle);

/** Returns how far a box is below another, across the direction of the other. */
const below = (box: Box, other: Box): number =>
  (box.y - other.y) * Math.cos(other.angle) - (box.x - other.x) * Math.sin(other.angle);

/** Returns a box stretched along its direction to cover others. */
function covering(box: Box, others: readonly Box[]): Box {
  const ends = others.map((other) => ({ at: along({ ...other, angle: box.angle }), half: other.along }));
  const first = Math.min(...ends.map(({ at, half }) => at - half));
  const last = Math.max(...ends.map(({ at, half }) => at + half));
  const shift = (first + last) / 2 - along(box);
  return {
    ...box,
    x: box.x + shift * Math.cos(box.angle),
    y: box.y + shift * Math.sin(box.angle),
    along: (last - first) / 2,
  };
}

function isOfAlphabet(text: string): boolean {
  const allowed = [...text].filter((character) => MRZ_ALPHABET.includes(character)).length;
  return allowed >= text.length * OF_ALPHABET;
}

/** Joins lines of text that lie on one row. */
function joined(lines: readonly TextLine[]): Row[] {
  const rows: Row[] = [];
  for (const line of lines) {
    const { box } = line;
    const i = rows.findIndex(({ box: row }) => {
      const longer = row.along >= box.along ? row : box;
      return Math.abs(below(box === longer ? row : box, longer)) < Math.min(row.across, box.across) * 0.6;
    });
    const row = rows[i];
    const text = textOf(line);
    if (row === undefined) rows.push({ box, text });
    else {
      const longer = row.box.along >= box.along ? row.box : box;
      rows[i] = { box: covering(longer, [row.box, box]), text: row.text + text };
    }
  }
  return rows;
}

const isLikely = ({ text }: Row): boolean =>
  isOfAlphabet(text) && (text.length >= LONG || (text.length >= SHORTEST && text.includes(FILLER)));

/** Returns the rows that may be lines of a zone, from top to bottom. */
export function rowsOf(lines: readonly TextLine[]): Box[] {
  const rows = joined(lines.filter(isLying));
  const likely = rows.filter(isLikely).map(({ box }) => box);
  const longest = likely.reduce<Box | null>((most, box) => (box.along > (most?.along ?? 0) ? box : most), null);
  if (longest === null) return [];
  const isBesideLikely = (box: Box): boolean =>
    box.along >= SHORTEST_BESIDE * longest.along && likely.some((one) => !isApart(box, one, longest));
  return rows
    .map(({ box }) => box)
    .filter((box) => likely.includes(box) || isBesideLikely(box))
    .toSorted((one, other) => below(one, longest) - below(other, longest))
    .slice(-MOST_ROWS);
}

/** Tells whether two rows are too far from each other to be of one zone, whose direction and height a third tells. */
const isApart = (one: Box, other: Box, longest: Box): boolean =>
  Math.abs(below(one, longest) - below(other, longest)) > FARTHEST * 2 * longest.across;

/** Returns rows as lines that begin and end together; null if they lie too far apart to be of one zone. */
export function asOneBlock(rows: readonly Box[]): Box[] | null {
  const longest = rows.reduce((most, one) => (one.along > most.along ? one : most));
  if (rows.slice(1).some((row, i) => isApart(row, rows[i]!, longest))) return null;
  return rows.map((row) => covering({ ...row, angle: longest.angle }, rows));
}
