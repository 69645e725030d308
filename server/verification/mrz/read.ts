/** Reads a machine-readable zone whose characters are known, and checks everything that the zone says about itself. */
import type { CheckOutcome } from '../check.ts';
import { checkDigit, digitFor, MRZ_ALPHABET } from './check-digit.ts';
import { birthDate, expiryDate } from './dates.ts';
import { formatOf, type MrzFormat, type MrzType, type Span } from './formats.ts';

/** Checks of a machine-readable zone. */
export const MRZ_CHECKS = [
  'mrz_format',
  'mrz_check_digit_document_number',
  'mrz_check_digit_date_of_birth',
  'mrz_check_digit_date_of_expiry',
  'mrz_check_digit_personal_number',
  'mrz_check_digit_composite',
] as const;
export type MrzCheck = (typeof MRZ_CHECKS)[number];

/** Fields of a machine-readable zone. A date that is none is null, and so is a sex that is not stated. */
export interface MrzFields {
  readonly documentCode: string;
  readonly issuingCountry: string;
  readonly documentNumber: string;
  readonly nationality: string;
  /** YYYY-MM-DD, or YYYY-MM or YYYY if the rest is unknown. */
  readonly dateOfBirth: string | null;
  readonly sex: 'F' | 'M' | null;
  readonly dateOfExpiry: string | null;
  readonly expiryOutsideWindow: boolean;
  readonly lastName: string;
  readonly firstNames: string;
  readonly optional: readonly string[];
}

/** Letter that was taken for a digit. Line and position count from 1. */
export interface Repair {
  readonly line: number;
  readonly position: number;
  readonly read: string;
  readonly taken: string;
}

/** A machine-readable zone with its checks. Without a known shape, it has no fields. */
export interface ReadMrz {
  readonly mrzType: MrzType | null;
  readonly fields: MrzFields | null;
  readonly checks: Readonly<Record<MrzCheck, CheckOutcome>>;
  readonly repaired: readonly Repair[];
  /** Whether the name fills its field, so that the rest of it may have been cut off. */
  readonly isNameCut: boolean;
}

/** Text of a zone in which confused letters are replaced, with the positions of the replacements. */
interface Zone {
  readonly text: string;
  readonly repaired: ReadonlySet<number>;
}

const LETTERS = /^[A-Z<]*$/;
const UNREAD: ReadMrz['checks'] = {
  mrz_format: 'fail',
  mrz_check_digit_document_number: 'not_run',
  mrz_check_digit_date_of_birth: 'not_run',
  mrz_check_digit_date_of_expiry: 'not_run',
  mrz_check_digit_personal_number: 'not_run',
  mrz_check_digit_composite: 'not_run',
};

/** Reads the lines of a zone. `today` (YYYY-MM-DD) decides the centuries of its dates. */
export function readMrz(lines: readonly string[], today: string): ReadMrz {
  const format = formatOf(lines);
  const isInAlphabet = [...lines.join('')].every((character) => MRZ_ALPHABET.includes(character));
  if (format === null || !isInAlphabet)
    return {
      mrzType: null,
      fields: null,
      checks: UNREAD,
      repaired: [],
      isNameCut: false,
    };
  const read = lines.join('');
  const number = longNumber(format, read);
  const zone = repairedZone(format, read, number.digit);
  const fields = fieldsOf(format, zone.text, number, today);
  return {
    mrzType: format.type,
    fields,
    checks: checksOf(format, zone, number, fields),
    repaired: [...zone.repaired].map((index) => ({
      line: Math.floor(index / format.width) + 1,
      position: (index % format.width) + 1,
      read: read[index]!,
      taken: zone.text[index]!,
    })),
    isNameCut: read[format.name.to - 1] !== '<',
  };
}

/** Where the characters of the document number and its check digit are, and where the first optional field begins. */
interface NumberSpans {
  readonly spans: readonly Span[];
  readonly digit: number;
  readonly optionalFrom: number;
}

/**
 * Finds the document number. A number of more than nine characters has a filler in place of its check digit, and
 * continues in the first optional field, which holds the rest, the check digit and a filler.
 */
function longNumber(format: MrzFormat, text: string): NumberSpans {
  const { documentNumber, documentNumberDigit, hasLongNumbers, optional } = format;
  const { from, to } = optional[0]!;
  const filler = text.slice(from, to).indexOf('<');
  const length = filler < 0 ? to - from : filler;
  const isFull = !text.slice(documentNumber.from, documentNumber.to).includes('<');
  if (!hasLongNumbers || text[documentNumberDigit] !== '<' || !isFull || length < 2)
    return { spans: [documentNumber], digit: documentNumberDigit, optionalFrom: from };
  const digit = from + length - 1;
  return { spans: [documentNumber, { from, to: digit }], digit, optionalFrom: digit + 1 };
}

/** Replaces confused letters in dates and check digits, and nowhere else. */
function repairedZone(format: MrzFormat, read: string, numberDigit: number): Zone {
  const { dateOfBirth, dateOfExpiry, composite } = format;
  const positions = [
    ...[dateOfBirth, dateOfExpiry].flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)),
    numberDigit,
    format.dateOfBirthDigit,
    format.dateOfExpiryDigit,
    ...(format.personalNumberDigit === null ? [] : [format.personalNumberDigit]),
    ...(composite === null ? [] : [composite.digit]),
  ].sort((a, b) => a - b);
  const characters = [...read];
  const repaired = new Set<number>();
  for (const position of positions) {
    const digit = digitFor(read[position]!);
    if (digit === null) continue;
    characters[position] = digit;
    repaired.add(position);
  }
  return { text: characters.join(''), repaired };
}

const part = (text: string, { from, to }: Span): string => text.slice(from, to);
/** Returns a field without the fillers at its end; a filler inside is a space. */
const valueOf = (field: string): string => field.replace(/<+$/, '').replaceAll('<', ' ');

function fieldsOf(format: MrzFormat, text: string, number: NumberSpans, today: string): MrzFields {
  const expiry = expiryDate(part(text, format.dateOfExpiry), today);
  const sex = text[format.sex];
  const [lastName = '', ...firstNames] = part(text, format.name).split('<<');
  return {
    documentCode: valueOf(part(text, format.documentCode)),
    issuingCountry: valueOf(part(text, format.issuingCountry)),
    documentNumber: valueOf(number.spans.map((span) => part(text, span)).join('')),
    nationality: valueOf(part(text, format.nationality)),
    dateOfBirth: birthDate(part(text, format.dateOfBirth), today),
    sex: sex === 'F' || sex === 'M' ? sex : null,
    dateOfExpiry: expiry.value,
    expiryOutsideWindow: expiry.isOutsideWindow,
    lastName: wordsOf(lastName),
    firstNames: wordsOf(firstNames.join('<')),
    optional: format.optional.map(({ from, to }, index) =>
      valueOf(text.slice(index === 0 ? number.optionalFrom : from, to).replace(/^<+/, '')),
    ),
  };
}

const wordsOf = (name: string): string => name.split('<').filter(Boolean).join(' ');

function checksOf(format: MrzFormat, zone: Zone, number: NumberSpans, fields: MrzFields): ReadMrz['checks'] {
  const { text } = zone;
  const ofDigit = (spans: readonly Span[], digit: number): CheckOutcome => digitCheck(zone, spans, digit);
  return {
    mrz_format: isWellFormed(format, text, fields) ? 'pass' : 'fail',
    mrz_check_digit_document_number: ofDigit(number.spans, number.digit),
    mrz_check_digit_date_of_birth: ofDigit([format.dateOfBirth], format.dateOfBirthDigit),
    mrz_check_digit_date_of_expiry: ofDigit([format.dateOfExpiry], format.dateOfExpiryDigit),
    mrz_check_digit_personal_number: personalCheck(format, zone),
    mrz_check_digit_composite:
      format.composite === null ? 'not_run' : ofDigit(format.composite.ranges, format.composite.digit),
  };
}

/** A check that holds only with a replaced letter is a warning. */
function digitCheck({ text, repaired }: Zone, spans: readonly Span[], digit: number): CheckOutcome {
  if (checkDigit(spans.map((span) => part(text, span)).join('')) !== text[digit]) return 'fail';
  const isRepaired = [...repaired].some(
    (index) => index === digit || spans.some(({ from, to }) => index >= from && index < to),
  );
  return isRepaired ? 'warn' : 'pass';
}

/** The check digit of an empty personal number may be a filler. */
function personalCheck({ personalNumberDigit: digit, optional }: MrzFormat, zone: Zone): CheckOutcome {
  if (digit === null) return 'not_run';
  const isEmpty = /^<*$/.test(part(zone.text, optional[0]!));
  return isEmpty && zone.text[digit] === '<' ? 'pass' : digitCheck(zone, [optional[0]!], digit);
}

function isWellFormed(format: MrzFormat, text: string, { dateOfBirth, dateOfExpiry }: MrzFields): boolean {
  const letters = [format.documentCode, format.issuingCountry, format.nationality, format.name];
  return (
    format.codes.includes(text[format.documentCode.from]!) &&
    letters.every((span) => LETTERS.test(part(text, span))) &&
    'MF<'.includes(text[format.sex]!) &&
    dateOfBirth !== null &&
    dateOfExpiry !== null
  );
}
