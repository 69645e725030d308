/**
 * Finds the fields of a document in its printed text. Beside a machine-readable zone, a field counts as read only if
 * the print shows exactly what the zone says; without one, fields are found by their labels and their form. What is not
 * found, or not once, is left out: it was not read, which is no finding against anybody.
 */
import type { VisualFields } from '../document.ts';
import { isCpf } from '../ids/tax-numbers.ts';
import type { MrzFields } from '../mrz/read.ts';
import { letters, plain, symbols } from './folding.ts';
import { type PlacedText, valueAt } from './labels.ts';
import { datesIn } from './printed-dates.ts';

/** Shortest text that is not found in other text by chance. */
const SHORTEST_NAME = 3;
const SHORTEST_NUMBER = 5;
/**
 * CPF with its usual punctuation, of which a recogniser may lose a part. After a hyphen, it ends with its two digits
 * even if a date follows at once: of two texts that stand close together, the recogniser makes one.
 */
const CPF =
  /(?<!\d)(\d{3})[.,\s]?(\d{3})[.,\s]?(\d{3})(?:[-–.\s]?(\d{2})(?!\d)|[-–](\d{2})(?=\d{1,2}[/.]\d{1,2}[/.]\d{4}(?!\d)))/g;
const REGISTER = /(?<!\d)\d{9,11}(?!\d)/;
const LABELS = {
  name: /^(?:\d[\s.eE\d]*)?NOME(?:\s+E\s+SOBRENOME)?\W*$/,
  dateOfBirth: /NASC/,
  dateOfExpiry: /VALID/,
  documentNumber: /REGISTRO|REGISTER/,
} as const;

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
  const read = (field: keyof typeof LABELS, valueOf: (text: string) => string | undefined): string | undefined =>
    valueAt(lines, {
      label: LABELS[field],
      valueOf,
      isLabel,
      isOwnLineRead: field !== 'name',
    });
  const name = read('name', (text) => (isName(text) ? text.trim() : undefined));
  const dateOfBirth = read('dateOfBirth', onlyDate);
  const dateOfExpiry = read('dateOfExpiry', onlyDate);
  const documentNumber = read('documentNumber', (text) => REGISTER.exec(text)?.[0]);
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

const isLabel = ({ text }: PlacedText): boolean =>
  Object.values(LABELS).some((label) => label.test(plain(text).trim()));
