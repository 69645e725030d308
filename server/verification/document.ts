/** Checks of a document by its machine-readable zone, its visual zone and the data that the applicant stated. */
import { type Check, check, type CheckOutcome } from './check.ts';
import { confidenceIn } from './compare/confidence.ts';
import { compareNames } from './compare/names.ts';
import { isCpf } from './ids/tax-numbers.ts';
import type { MrzType } from './mrz/formats.ts';
import { MRZ_CHECKS, type MrzCheck, type MrzFields, type ReadMrz, readMrz } from './mrz/read.ts';

/** Checks of a document. */
export type DocumentCheck =
  | MrzCheck
  | 'data_match_date_of_birth'
  | 'data_match_name'
  | 'data_match_tax_id'
  | 'document_expired'
  | 'mrz_vs_visual'
  | 'tax_id_checksum';

/** Fields that were read from the printed text of a document. Each may be absent. */
export interface VisualFields {
  readonly name?: string;
  readonly documentNumber?: string;
  readonly dateOfBirth?: string;
  readonly dateOfExpiry?: string;
  readonly taxId?: string;
}

/** Data of the applicant with which a document is compared. */
export interface StatedPerson {
  readonly fullName: string;
  /** YYYY-MM-DD */
  readonly dateOfBirth: string | null;
  /** CPF without punctuation. */
  readonly cpf: string | null;
}

/** Content of a document. */
export interface DocumentContent {
  readonly mrzLines: readonly string[] | null;
  readonly visual: VisualFields | null;
  /**
   * Whether the lines were read from a picture with so little certainty, or with so much help from the format, that
   * check digits confirm nothing. They then hold with a warning at best.
   */
  readonly areLinesUncertain?: boolean;
}

/** Field that was read, with the zone that it is from. */
export interface ExtractedField {
  readonly value: string;
  readonly confidence: number;
  readonly source: 'mrz' | 'visual';
}

/** Names of fields that a document may have. */
export type FieldName =
  | 'documentNumber'
  | 'firstNames'
  | 'lastName'
  | 'fullName'
  | 'dateOfBirth'
  | 'dateOfExpiry'
  | 'nationality'
  | 'sex'
  | 'issuingCountry'
  | 'personalNumber'
  | 'taxId';

/** Judged document. */
export interface JudgedDocument {
  readonly mrzType: MrzType | null;
  readonly fields: Readonly<Partial<Record<FieldName, ExtractedField>>>;
  readonly checks: readonly Check<DocumentCheck>[];
}

/** Checks that a document must pass. A zone that the document lacks or that was not read leaves them open. */
export const REQUIRED_CHECKS: readonly DocumentCheck[] = [
  'mrz_format',
  'mrz_check_digit_document_number',
  'mrz_check_digit_date_of_birth',
  'mrz_check_digit_date_of_expiry',
  'mrz_vs_visual',
  'document_expired',
  'data_match_name',
  'data_match_date_of_birth',
];

const REASONS: Readonly<Record<Exclude<CheckOutcome, 'pass'>, string>> = {
  fail: 'check_digit_wrong',
  warn: 'letter_taken_for_digit',
  not_run: 'not_in_format',
};

/** Judges a document. `today` (YYYY-MM-DD) decides the centuries of its dates and whether it has expired. */
export function judgeDocument(
  { mrzLines, visual, areLinesUncertain = false }: DocumentContent,
  person: StatedPerson,
  today: string,
): JudgedDocument {
  const read = mrzLines === null ? null : readMrz(mrzLines, today);
  const mrz = areLinesUncertain && read !== null ? uncertain(read) : read;
  const zone = mrz?.fields ?? null;
  const birth = zone?.dateOfBirth ?? visual?.dateOfBirth ?? null;
  const expiry = zone?.dateOfExpiry ?? visual?.dateOfExpiry ?? null;
  return {
    mrzType: mrz?.mrzType ?? null,
    fields: fieldsOf(mrz, visual, areLinesUncertain),
    checks: [
      ...mrzChecks(mrz, areLinesUncertain),
      zonesCheck(mrz, visual),
      expiryCheck(expiry, today),
      nameCheck(mrz, visual, person.fullName),
      birthCheck(birth, person.dateOfBirth),
      ...taxIdChecks(visual?.taxId ?? null, person.cpf),
    ],
  };
}

/** Returns a zone whose check digits hold with a warning at best. */
function uncertain(mrz: ReadMrz): ReadMrz {
  const checks = Object.fromEntries(
    MRZ_CHECKS.map((code) => {
      const outcome = mrz.checks[code];
      return [code, outcome === 'pass' && code !== 'mrz_format' ? 'warn' : outcome];
    }),
  ) as Record<MrzCheck, CheckOutcome>;
  return { ...mrz, checks };
}

function mrzChecks(mrz: ReadMrz | null, areUncertain: boolean): Check<DocumentCheck>[] {
  if (mrz === null) return MRZ_CHECKS.map((code) => check(code, 'not_run', 'mrz_not_read'));
  return MRZ_CHECKS.map((code) => {
    const outcome = mrz.checks[code];
    if (outcome === 'pass') return check(code, outcome);
    if (code === 'mrz_format') return check(code, outcome, 'format_wrong');
    if (mrz.fields === null) return check(code, outcome, 'format_wrong');
    return check(code, outcome, outcome === 'warn' && areUncertain ? 'characters_uncertain' : REASONS[outcome]);
  });
}

/** Folds characters that readers confuse, so that numbers of two zones can be compared. */
const folded = (number: string): string => number.replaceAll('O', '0').replaceAll(/[\s.-]/g, '');

const nameOf = ({ firstNames, lastName }: Pick<MrzFields, 'firstNames' | 'lastName'>): string =>
  `${firstNames} ${lastName}`.trim();

/**
 * Compares each field that both zones show. One that differs is a failure; nothing to compare is no comparison. They
 * agree only if number, date of birth and name were compared, because a page of another person shows some of them, too.
 */
function zonesCheck(mrz: ReadMrz | null, visual: VisualFields | null): Check<DocumentCheck> {
  const code = 'mrz_vs_visual';
  if (mrz === null || mrz.fields === null) return check(code, 'not_run', 'mrz_not_read');
  if (visual === null) return check(code, 'not_run', 'visual_zone_not_read');
  const outcomes = comparedZones(mrz.fields, visual, mrz.isNameCut);
  if (outcomes.length === 0) return check(code, 'not_run', 'visual_zone_not_read');
  if (outcomes.includes('fail')) return check(code, 'fail', 'zones_differ');
  const { documentNumber, dateOfBirth, name } = visual;
  if ([documentNumber, dateOfBirth, name].includes(undefined)) return check(code, 'warn', 'visual_zone_partly_read');
  return outcomes.includes('warn') ? check(code, 'warn', 'zones_differ') : check(code, 'pass');
}

function comparedZones(zone: MrzFields, visual: VisualFields, isNameCut: boolean): CheckOutcome[] {
  const equal = (a: string | null, b: string | undefined): CheckOutcome[] =>
    a === null || b === undefined ? [] : [a === b ? 'pass' : 'fail'];
  const number = visual.documentNumber === undefined ? undefined : folded(visual.documentNumber);
  return [
    ...equal(folded(zone.documentNumber), number),
    ...equal(zone.dateOfBirth, visual.dateOfBirth),
    ...equal(zone.dateOfExpiry, visual.dateOfExpiry),
    ...(visual.name === undefined ? [] : [compareNames(nameOf(zone), visual.name, isNameCut).outcome]),
  ];
}

function expiryCheck(expiry: string | null, today: string): Check<DocumentCheck> {
  const code = 'document_expired';
  if (expiry === null) return check(code, 'not_run', 'date_not_read');
  return expiry < today
    ? { ...check(code, 'fail', 'document_expired'), observed: expiry }
    : { ...check(code, 'pass'), observed: expiry };
}

function nameCheck(mrz: ReadMrz | null, visual: VisualFields | null, stated: string): Check<DocumentCheck> {
  const code = 'data_match_name';
  const observed = mrz === null || mrz.fields === null ? visual?.name : nameOf(mrz.fields);
  if (observed === undefined || observed === '') return check(code, 'not_run', 'name_not_read');
  const { outcome, score, reasonCode } = compareNames(observed, stated, mrz?.isNameCut);
  return {
    ...check(code, outcome, reasonCode),
    score,
    expected: stated,
    observed,
  };
}

/** Compares dates of birth. If the document leaves the day or the month open, what it shows must agree. */
function birthCheck(observed: string | null, stated: string | null): Check<DocumentCheck> {
  const code = 'data_match_date_of_birth';
  if (observed === null || stated === null)
    return check(code, 'not_run', observed === null ? 'date_not_read' : 'not_stated');
  const compared = { expected: stated, observed };
  if (!stated.startsWith(observed)) return { ...check(code, 'fail', 'date_differs'), ...compared };
  return observed.length < stated.length
    ? { ...check(code, 'warn', 'date_incomplete'), ...compared }
    : { ...check(code, 'pass'), ...compared };
}

function taxIdChecks(observed: string | null, stated: string | null): Check<DocumentCheck>[] {
  if (observed === null)
    return [
      check('tax_id_checksum', 'not_run', 'tax_id_not_read'),
      check('data_match_tax_id', 'not_run', 'tax_id_not_read'),
    ];
  const digits = isCpf(observed) ? check('tax_id_checksum', 'pass') : check('tax_id_checksum', 'fail', 'digits_wrong');
  if (stated === null) return [digits, check('data_match_tax_id', 'not_run', 'not_stated')];
  const match =
    observed === stated ? check('data_match_tax_id', 'pass') : check('data_match_tax_id', 'fail', 'tax_id_differs');
  return [digits, { ...match, expected: stated, observed }];
}

const digitsOf = (cpf: string): 'pass' | 'fail' => (isCpf(cpf) ? 'pass' : 'fail');

function fieldsOf(mrz: ReadMrz | null, visual: VisualFields | null, areUncertain: boolean): JudgedDocument['fields'] {
  const zone = mrz?.fields ?? null;
  const fields: Partial<Record<FieldName, ExtractedField>> = {};
  const add = (name: FieldName, value: string | null, digit: CheckOutcome | null, other?: string): void => {
    if (value === null || value === '') return;
    const isCorroborated = other !== undefined && folded(other.toUpperCase()) === folded(value.toUpperCase());
    const evidence = { digit: digit ?? (areUncertain ? 'warn' : null), isCorroborated };
    fields[name] = { value, confidence: confidenceIn(evidence), source: 'mrz' };
  };
  if (mrz !== null && zone !== null) {
    const { checks } = mrz;
    add('documentNumber', zone.documentNumber, checks.mrz_check_digit_document_number, visual?.documentNumber);
    add('firstNames', zone.firstNames, null);
    add('lastName', zone.lastName, null);
    add('dateOfBirth', zone.dateOfBirth, checks.mrz_check_digit_date_of_birth, visual?.dateOfBirth);
    add('dateOfExpiry', zone.dateOfExpiry, checks.mrz_check_digit_date_of_expiry, visual?.dateOfExpiry);
    add('nationality', zone.nationality, null);
    add('sex', zone.sex, null);
    add('issuingCountry', zone.issuingCountry, null);
    if (mrz.mrzType === 'TD3') add('personalNumber', zone.optional[0] ?? null, checks.mrz_check_digit_personal_number);
  }
  const printed: [FieldName, string | undefined][] = [
    ['fullName', visual?.name],
    ['documentNumber', visual?.documentNumber],
    ['dateOfBirth', visual?.dateOfBirth],
    ['dateOfExpiry', visual?.dateOfExpiry],
    ['taxId', visual?.taxId],
  ];
  for (const [name, value] of printed)
    if (value !== undefined && value !== '')
      fields[name] ??= {
        value,
        confidence: confidenceIn({
          digit: name === 'taxId' ? digitsOf(value) : null,
          isCorroborated: false,
        }),
        source: 'visual',
      };
  return fields;
}
