/**
 * Finds the fields of a document in its printed text. Beside a machine-readable zone, a field counts as read only if
 * the print shows exactly what the zone says; without one, fields are found by their labels and their form. What is not
 * found, or not once, is left out: it was not read, which is no finding against anybody.
 */
import type { VisualFields } from '../document.ts';
import { isCpf } from '../ids/tax-numbers.ts';
import type { MrzFields } from '../mrz/read.ts';
import { datesIn, plain } from './printed-dates.ts';

/** Line of printed text with its place in the picture. */
export interface PlacedText {
  readonly text: string;
  /** Left edge, middle of the height, and height, in pixels of the picture. */
  readonly left: number;
  readonly middle: number;
  readonly height: number;
}

/** Shortest text that is not found in other text by chance. */
const SHORTEST_NAME = 3;
const SHORTEST_NUMBER = 5;
/** CPF with its usual punctuation, of which a recogniser may lose a part. */
const CPF = /(?<!\d)(\d{3})[.,\s]?(\d{3})[.,\s]?(\d{3})[-–.\s]?(\d{2})(?!\d)/g;
const REGISTER = /(?<!\d)\d{9,11}(?!\d)/;
const LABELS = {
  name: /^(?:\d[\s.eE\d]*)?NOME(?:\s+E\s+SOBRENOME)?\W*$/,
  dateOfBirth: /NASC/,
  dateOfExpiry: /VALID/,
  documentNumber: /REGISTRO|REGISTER/,
} as const;
/** A value is at most so many heights of its label away from it. */
const REACH = 4;

const letters = (text: string): string => plain(text).replaceAll(/[^A-Z]/g, '');
/** Letters and digits, with O as 0, because readers confuse them. */
const symbols = (text: string): string =>
  plain(text)
    .replaceAll(/[^A-Z\d]/g, '')
    .replaceAll('O', '0');

/** Returns the fields of a printed text. Null if there is no text. */
export function visualFields(lines: readonly PlacedText[], zone: MrzFields | null): VisualFields | null {
  if (lines.length === 0) return null;
  return { ...(zone === null ? labelled(lines) : confirmed(lines, zone)), ...taxIdIn(lines) };
}

/** Returns those fields of a zone that the print shows as well. */
function confirmed(lines: readonly PlacedText[], zone: MrzFields): VisualFields {
  const dates = new Set(lines.flatMap(({ text }) => datesIn(text)));
  const number = symbols(zone.documentNumber);
  const isNumberShown = number.length >= SHORTEST_NUMBER && lines.some(({ text }) => symbols(text).includes(number));
  const isNameShown = [zone.lastName, zone.firstNames].filter(Boolean).every((part) => isShown(lines, part));
  const { dateOfBirth, dateOfExpiry } = zone;
  return {
    ...(isNumberShown && { documentNumber: zone.documentNumber }),
    ...(dateOfBirth !== null && dates.has(dateOfBirth) && { dateOfBirth }),
    ...(dateOfExpiry !== null && dates.has(dateOfExpiry) && { dateOfExpiry }),
    ...(isNameShown && zone.lastName !== '' && { name: `${zone.firstNames} ${zone.lastName}`.trim() }),
  };
}

/** Tells whether a line shows a part of a name. Recognisers lose spaces, so words are compared without them. */
function isShown(lines: readonly PlacedText[], part: string): boolean {
  const wanted = letters(part);
  return lines.some(({ text }) => {
    const line = letters(text);
    return wanted.length >= SHORTEST_NAME ? line.includes(wanted) : line === wanted;
  });
}

/** Returns the CPF of the text if it shows exactly one with right digits. One with punctuation is no other number. */
function taxIdIn(lines: readonly PlacedText[]): Pick<VisualFields, 'taxId'> {
  const shown = lines
    .flatMap(({ text }) => [...text.matchAll(CPF)])
    .map(([whole, ...parts]) => [whole, parts.join('')]);
  const valid = shown.filter(([, digits]) => isCpf(digits!));
  const pointed = valid.filter(([whole, digits]) => whole !== digits);
  const [taxId, other] = new Set((pointed.length > 0 ? pointed : valid).map(([, digits]) => digits!));
  return taxId === undefined || other !== undefined ? {} : { taxId };
}

/** Returns the fields that stand at their labels. */
function labelled(lines: readonly PlacedText[]): VisualFields {
  const name = valueAt(lines, LABELS.name, (text) => (isName(text) ? text.trim() : undefined));
  const dateOfBirth = valueAt(lines, LABELS.dateOfBirth, onlyDate);
  const dateOfExpiry = valueAt(lines, LABELS.dateOfExpiry, onlyDate);
  const documentNumber = valueAt(lines, LABELS.documentNumber, (text) => REGISTER.exec(text)?.[0]);
  return {
    ...(name !== undefined && { name }),
    ...(dateOfBirth !== undefined && { dateOfBirth }),
    ...(dateOfExpiry !== undefined && { dateOfExpiry }),
    ...(documentNumber !== undefined && { documentNumber }),
  };
}

/** A name has no digits and at least two words, or is one long word whose spaces were lost. */
function isName(text: string): boolean {
  const { length } = letters(text);
  return !/\d/.test(text) && (/\p{L}{2,}\s+\p{L}{2,}/u.test(text) || length >= 10);
}

function onlyDate(text: string): string | undefined {
  const [date, other] = datesIn(text);
  return other === undefined ? date : undefined;
}

/** Returns the value in the line of a label, else the nearest below it or beside it. */
function valueAt(
  lines: readonly PlacedText[],
  label: RegExp,
  valueOf: (text: string) => string | undefined,
): string | undefined {
  const found = lines.find(({ text }) => label.test(plain(text).trim()));
  if (found === undefined) return undefined;
  const own = valueOf(found.text);
  if (own !== undefined && label !== LABELS.name) return own;
  return lines
    .filter((line) => !isLabel(line) && line.middle > found.middle - found.height / 2)
    .filter((line) => line.middle - found.middle < REACH * Math.max(found.height, line.height))
    .map((line) => ({ value: valueOf(line.text), away: distance(found, line) }))
    .filter(({ value }) => value !== undefined)
    .toSorted((one, other) => one.away - other.away)[0]?.value;
}

const isLabel = ({ text }: PlacedText): boolean =>
  Object.values(LABELS).some((label) => label.test(plain(text).trim()));

const distance = (label: PlacedText, value: PlacedText): number =>
  Math.abs(value.left - label.left) + 2 * Math.abs(value.middle - label.middle);
