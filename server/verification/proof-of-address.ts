/**
 * Checks of a proof of address: whether its print shows the name and the address that the applicant stated, and whether
 * it is recent. A letter that was misread is no finding against anybody, so nothing that is not found fails.
 */
import { type Check, check, type CheckOutcome } from './check.ts';
import { compareNames, type NameComparison } from './compare/names.ts';
import { placedLines, qualityCheck, type SeenPicture, tamperCheck } from './pictures.ts';
import { letters, plain, symbols } from './visual/folding.ts';
import { type PlacedText, valueAt } from './visual/labels.ts';
import { datesIn } from './visual/printed-dates.ts';

/** Address of the applicant, as far as a proof shows it. */
export interface StatedAddress {
  readonly line1: string;
  readonly number: string | null;
  readonly postalCode: string | null;
}

/** What a proof of address is compared with. */
export interface StatedHolder {
  readonly fullName: string;
  readonly address: StatedAddress | null;
}

/** Checks of a proof of address. */
export type AddressCheck = 'data_match_name' | 'address_match' | 'document_age';

/** Checks that a proof of address must pass. */
export const REQUIRED_OF_ADDRESS = ['image_quality', 'data_match_name', 'address_match', 'document_age'] as const;

/** Highest age of a proof of address, in days. */
const MOST_DAYS = 90;

/** Judges the pictures of a proof of address on a day, YYYY-MM-DD. */
export function judgeProofOfAddress(
  pictures: readonly SeenPicture[],
  { fullName, address }: StatedHolder,
  today: string,
): Check[] {
  const lines = pictures.filter((picture) => typeof picture !== 'string').flatMap(placedLines);
  return [
    qualityCheck(pictures),
    tamperCheck(),
    nameCheck(lines, fullName),
    addressCheck(lines, address),
    ageCheck(lines, today),
  ];
}

const RANK: Readonly<Record<CheckOutcome, number>> = {
  pass: 0,
  warn: 1,
  fail: 2,
  not_run: 3,
};

/** Compares each line with the name. A bill names several people, so a line with another name says nothing. */
function nameCheck(lines: readonly PlacedText[], fullName: string): Check<AddressCheck> {
  const code = 'data_match_name';
  const [best] = lines
    .map(({ text }) => ({ observed: text, compared: comparedLine(text, fullName) }))
    .filter(({ compared }) => compared.outcome !== 'fail')
    .toSorted((one, other) => RANK[one.compared.outcome] - RANK[other.compared.outcome]);
  if (best === undefined) return { ...check(code, 'not_run', 'name_not_read'), expected: fullName };
  const { outcome, score, reasonCode } = best.compared;
  return {
    ...check(code, outcome, reasonCode),
    score,
    expected: fullName,
    observed: best.observed,
  };
}

const SAME_LETTERS: NameComparison = { outcome: 'pass', score: 1, reasonCode: null };

/** Compares a line, or what follows the label in it, with a name. Recognisers lose the spaces of a line. */
function comparedLine(text: string, fullName: string): NameComparison {
  const value = text.slice(text.lastIndexOf(':') + 1);
  return letters(value) === letters(fullName) ? SAME_LETTERS : compareNames(value, fullName);
}

/** Kinds of streets and titles, in full and in short, and words that connect others: bills leave them out. */
const LEFT_OUT: ReadonlySet<string> = new Set(
  (
    'RUA R AVENIDA AV AVE ALAMEDA AL TRAVESSA TV PRACA PC PCA LARGO LGO RODOVIA ROD ESTRADA EST ESTR VIA ' +
    'DOUTOR DR DOUTORA DRA PROFESSOR PROF PROFESSORA PROFA SANTA STA SANTO STO SAO S CORONEL CEL GENERAL GEN ' +
    'MARECHAL MAL PRESIDENTE PRES ENGENHEIRO ENG CAPITAO CAP SENADOR SEN DEPUTADO DEP PADRE PE ' +
    'STREET ST ROAD RD DA DE DO DAS DOS E'
  ).split(' '),
);

/** Returns the words of a street that every bill shows. A street of nothing but such words keeps them. */
function wordsOfStreet(street: string): string[] {
  const words = plain(street)
    .split(/[^A-Z\d]+/)
    .filter(Boolean);
  const telling = words.filter((word) => !LEFT_OUT.has(word));
  return telling.length > 0 ? telling : words;
}

/**
 * Looks for the postal code anywhere, and for the street and the number in one line or in two that follow each other.
 * Other addresses on the document, such as that of the company that sent it, do not matter.
 */
function addressCheck(lines: readonly PlacedText[], address: StatedAddress | null): Check<AddressCheck> {
  const code = 'address_match';
  if (address === null) return check(code, 'not_run', 'not_stated');
  if (lines.length === 0) return check(code, 'not_run', 'nothing_legible');
  const expected = [address.line1, address.number, address.postalCode].filter((part) => part !== null).join(', ');
  const words = wordsOfStreet(address.line1);
  const streets = lines
    .map(({ text }, index) => ({ text, both: `${text} ${lines[index + 1]?.text ?? ''}` }))
    .filter(({ text }) => words.every((word) => symbols(text).includes(symbols(word))));
  const street = streets.find(({ both }) => isNumberIn(both, address.number));
  const isPostalCodeShown = address.postalCode === null || isCodeIn(lines, address.postalCode);
  const observed = street?.text ?? streets[0]?.text ?? null;
  const compared = (outcome: CheckOutcome, reasonCode: string | null): Check<AddressCheck> => ({
    ...check(code, outcome, reasonCode),
    expected,
    observed,
  });
  if (street !== undefined && isPostalCodeShown) return compared('pass', null);
  const isPartlyShown = streets.length > 0 || (isPostalCodeShown && address.postalCode !== null);
  return compared('warn', isPartlyShown ? 'address_partly_shown' : 'address_not_shown');
}

function isNumberIn(text: string, number: string | null): boolean {
  const wanted = symbols(number ?? '');
  const words = plain(text).split(/[^A-Z\d]+/);
  // Houses without a number are stated as `S/N` in Brazil, and bills write that in several ways.
  return wanted === '' || wanted === 'SN' || words.some((word) => symbols(word) === wanted);
}

function isCodeIn(lines: readonly PlacedText[], postalCode: string): boolean {
  const signs = [...symbols(postalCode)].map((sign) => (sign === '0' ? '[0O]' : sign));
  // Digits beside it would make it a part of a longer number.
  const form = new RegExp(`(?<!\\d)${signs.join('[\\s.-]{0,2}')}(?!\\d)`);
  return lines.some(({ text }) => form.test(plain(text)));
}

const ISSUED = /EMISS|EMITID|DATA DO DOCUMENTO|POSTAGEM|ISSUE/;
const isLabel = ({ text }: PlacedText): boolean => /EMISS|EMITID|VENC|LEITURA|DUE|ISSUE/.test(plain(text));

/** Returns the dates of a text. A year of two digits is one of this century. */
const datesOf = (text: string): string[] => datesIn(text).filter((date) => date >= '2000');

function dateAt(text: string): string | undefined {
  const [date, other] = datesOf(text);
  return other === undefined ? date : undefined;
}

/** Judges the age by the date of issue. Without its label, dates of a bill are those of payments and readings, too. */
function ageCheck(lines: readonly PlacedText[], today: string): Check<AddressCheck> {
  const code = 'document_age';
  const issued = valueAt(lines, {
    label: ISSUED,
    valueOf: dateAt,
    isLabel,
    isOwnLineRead: true,
  });
  const newest = lines
    .flatMap(({ text }) => datesOf(text))
    .filter((date) => date <= today)
    .toSorted()
    .at(-1);
  const observed = issued ?? newest;
  if (observed === undefined) return check(code, 'not_run', 'date_not_read');
  const days = (Date.parse(today) - Date.parse(observed)) / 86_400_000;
  const measured = { score: days, threshold: MOST_DAYS, observed };
  if (days < 0) return { ...check(code, 'warn', 'date_in_future'), ...measured };
  if (days > MOST_DAYS) return { ...check(code, 'warn', 'document_too_old'), ...measured };
  return issued === undefined
    ? { ...check(code, 'warn', 'date_of_issue_not_read'), ...measured }
    : { ...check(code, 'pass'), ...measured };
}
