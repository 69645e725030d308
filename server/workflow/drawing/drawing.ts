/** The drawing of a file: shapes and lines with their places, taken from the file or laid out, as plain JSON. */

/** What a shape looks like. */
export type Figure =
  | 'pool'
  | 'event'
  | 'thick_event'
  | 'double_event'
  | 'gateway'
  | 'activity'
  | 'scope'
  | 'cell'
  | 'note';

export interface Shape {
  /** Element that the shape shows, by which it is marked. */
  readonly id: string;
  readonly figure: Figure;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly label?: string;
  /** A letter or sign in the middle of an event or gateway. */
  readonly sign?: string;
  /** Whether its outline is dashed, as of an event that does not interrupt. */
  readonly dashed?: boolean;
}

export interface Line {
  readonly id: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly label?: string;
  /** Whether it is no flow of tokens, such as a message or an association. */
  readonly dashed?: boolean;
}

export interface Drawing {
  readonly shapes: readonly Shape[];
  readonly lines: readonly Line[];
}

export const EMPTY: Drawing = { shapes: [], lines: [] };

/** Characters of a label that are drawn. */
export const LONGEST_LABEL = 120;
