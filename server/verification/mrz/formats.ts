/**
 * Layouts of the machine-readable zones of ICAO Doc 9303: travel cards (TD1, TD2), passports (TD3) and visas (MRV-A,
 * MRV-B). Positions count from 0, in the lines joined to one text, and ends are excluded.
 */

/** Format of a machine-readable zone. */
export type MrzType = 'TD1' | 'TD2' | 'TD3' | 'MRV-A' | 'MRV-B';

/** Part of the joined text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where the fields of a format are. A check digit is the one character at its position. */
export interface MrzFormat {
  readonly type: MrzType;
  readonly lines: number;
  readonly width: number;
  /** First letters that the format allows for the document code. */
  readonly codes: string;
  readonly documentCode: Span;
  readonly issuingCountry: Span;
  readonly name: Span;
  readonly documentNumber: Span;
  readonly documentNumberDigit: number;
  readonly nationality: Span;
  readonly dateOfBirth: Span;
  readonly dateOfBirthDigit: number;
  readonly sex: number;
  readonly dateOfExpiry: Span;
  readonly dateOfExpiryDigit: number;
  /** Optional fields. In a passport, the first is the personal number, which has a check digit of its own. */
  readonly optional: readonly Span[];
  readonly personalNumberDigit: number | null;
  /** Ranges under the composite check digit, in the order in which they are weighted. */
  readonly composite: { readonly ranges: readonly Span[]; readonly digit: number } | null;
  /** Whether a long document number may continue in the first optional field. */
  readonly hasLongNumbers: boolean;
}

/** Returns a span of a line, whose first position is 1 as in the standard; the last position is included. */
const inLine =
  (width: number, line: number) =>
  (first: number, last: number = first): Span => ({
    from: (line - 1) * width + first - 1,
    to: (line - 1) * width + last,
  });
/** Returns the position of one character of a line. */
const at =
  (width: number, line: number) =>
  (position: number): number =>
    (line - 1) * width + position - 1;

/** Returns what the second line of all formats with two lines has in common, and their first line. */
function twoLines(width: number) {
  const [first, second, digit] = [inLine(width, 1), inLine(width, 2), at(width, 2)];
  return {
    lines: 2,
    width,
    documentCode: first(1, 2),
    issuingCountry: first(3, 5),
    name: first(6, width),
    documentNumber: second(1, 9),
    documentNumberDigit: digit(10),
    nationality: second(11, 13),
    dateOfBirth: second(14, 19),
    dateOfBirthDigit: digit(20),
    sex: digit(21),
    dateOfExpiry: second(22, 27),
    dateOfExpiryDigit: digit(28),
  };
}

function card(): MrzFormat {
  const width = 30;
  const [first, second, third] = [inLine(width, 1), inLine(width, 2), inLine(width, 3)];
  return {
    type: 'TD1',
    lines: 3,
    width,
    codes: 'ACI',
    documentCode: first(1, 2),
    issuingCountry: first(3, 5),
    documentNumber: first(6, 14),
    documentNumberDigit: at(width, 1)(15),
    dateOfBirth: second(1, 6),
    dateOfBirthDigit: at(width, 2)(7),
    sex: at(width, 2)(8),
    dateOfExpiry: second(9, 14),
    dateOfExpiryDigit: at(width, 2)(15),
    nationality: second(16, 18),
    optional: [first(16, 30), second(19, 29)],
    personalNumberDigit: null,
    composite: {
      ranges: [first(6, 30), second(1, 7), second(9, 15), second(19, 29)],
      digit: at(width, 2)(30),
    },
    name: third(1, 30),
    hasLongNumbers: true,
  };
}

function smallCard(): MrzFormat {
  const second = inLine(36, 2);
  return {
    ...twoLines(36),
    type: 'TD2',
    codes: 'ACI',
    optional: [second(29, 35)],
    personalNumberDigit: null,
    composite: { ranges: [second(1, 10), second(14, 20), second(22, 35)], digit: at(36, 2)(36) },
    hasLongNumbers: true,
  };
}

function passport(): MrzFormat {
  const second = inLine(44, 2);
  return {
    ...twoLines(44),
    type: 'TD3',
    codes: 'P',
    optional: [second(29, 42)],
    personalNumberDigit: at(44, 2)(43),
    composite: { ranges: [second(1, 10), second(14, 20), second(22, 43)], digit: at(44, 2)(44) },
    hasLongNumbers: false,
  };
}

function visa(type: 'MRV-A' | 'MRV-B', width: 44 | 36): MrzFormat {
  return {
    ...twoLines(width),
    type,
    codes: 'V',
    optional: [inLine(width, 2)(29, width)],
    personalNumberDigit: null,
    composite: null,
    hasLongNumbers: false,
  };
}

/** All formats. */
export const FORMATS: readonly MrzFormat[] = [card(), smallCard(), passport(), visa('MRV-A', 44), visa('MRV-B', 36)];

/**
 * Returns the format of lines by their number and width; among formats of one shape, a first letter V means a visa.
 * Returns null if no format has the shape.
 */
export function formatOf(lines: readonly string[]): MrzFormat | null {
  const width = lines[0]?.length ?? 0;
  if (lines.some((line) => line.length !== width)) return null;
  const isVisa = lines[0]?.startsWith('V') === true;
  const ofShape = FORMATS.filter((format) => format.lines === lines.length && format.width === width);
  return ofShape.find(({ codes }) => (codes === 'V') === isVisa) ?? ofShape[0] ?? null;
}
