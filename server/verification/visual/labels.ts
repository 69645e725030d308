/** Finds values in printed text by the labels beside which, or below which, they stand. */
import { plain } from './folding.ts';

/** Line of printed text with its place in the picture. */
export interface PlacedText {
  readonly text: string;
  /** Left edge, middle of the height, and height, in pixels of the picture. */
  readonly left: number;
  readonly middle: number;
  readonly height: number;
}

/** A value is at most so many heights of its label away from it. */
const REACH = 4;

/** What is looked for. */
export interface Labelled {
  /** Form of the label, in capitals without marks. */
  readonly label: RegExp;
  /** Returns the value of a text; undefined if it has none. */
  readonly valueOf: (text: string) => string | undefined;
  /** Tells whether a line is a label, which is the value of no other. */
  readonly isLabel: (line: PlacedText) => boolean;
  /** Whether the value may stand in the line of its label. */
  readonly isOwnLineRead: boolean;
}

/** Returns the value in the line of a label, else the nearest below it or beside it. */
export function valueAt(
  lines: readonly PlacedText[],
  { label, valueOf, isLabel, isOwnLineRead }: Labelled,
): string | undefined {
  const found = lines.find(({ text }) => label.test(plain(text).trim()));
  if (found === undefined) return undefined;
  const own = isOwnLineRead ? valueOf(found.text) : undefined;
  if (own !== undefined) return own;
  return lines
    .filter((line) => !isLabel(line) && line.middle > found.middle - found.height / 2)
    .filter((line) => line.middle - found.middle < REACH * Math.max(found.height, line.height))
    .map((line) => ({ value: valueOf(line.text), away: distance(found, line) }))
    .filter(({ value }) => value !== undefined)
    .toSorted((one, other) => one.away - other.away)[0]?.value;
}

const distance = (label: PlacedText, value: PlacedText): number =>
  Math.abs(value.left - label.left) + 2 * Math.abs(value.middle - label.middle);
