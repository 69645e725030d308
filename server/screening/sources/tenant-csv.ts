/**
 * Reads a tenant's own list. Used by the list of formats (index.ts) and for the lists of the sandbox. Its sender can
 * correct it, so every error names line and column.
 */
import type { EntityType, IdentifierKind, ListCategory, ListedIdentifier, ListedName } from '../listed-entity.ts';
import { countryCode } from './country-names.ts';
import { isScreenable } from '../names/fold.ts';
import { type CsvRow, csvRows } from './csv-rows.ts';
import { identifierValue, namesOf, quarantineSaid, type RawName, TELLING_NUMBER } from './listed-names.ts';
import { NOTHING_KNOWN, type SourceFacts, SourceFileError, type SourceReader } from './source-file.ts';

const COLUMNS = [
  'key',
  'type',
  'name',
  'aliases',
  'date_of_birth',
  'countries',
  'tax_id',
  'category',
  'remarks',
] as const;
const TYPES: readonly EntityType[] = ['person', 'organisation', 'vessel', 'aircraft'];
const CATEGORIES: readonly ListCategory[] = ['sanction', 'pep', 'rca', 'adverse', 'watchlist', 'disqualified'];

/** A column that a file may leave out: numbers, each after its kind and, if known, its country. */
const IDENTIFIERS = 'identifiers';
const IDENTIFIER_KINDS = [
  'passport',
  'national_id',
  'tax_number',
  'registration_number',
  'lei',
  'bic',
  'imo',
  'mmsi',
  'aircraft_registration',
  'wallet',
  'other',
] as const satisfies readonly IdentifierKind[];

type Column = (typeof COLUMNS)[number] | typeof IDENTIFIERS;

/** A row of the list. The sender can correct it, so each error names its line and column. */
class OwnRow {
  readonly #row: CsvRow;

  constructor(row: CsvRow) {
    this.#row = row;
  }

  get(column: Column): string {
    return this.#row.get(column);
  }

  /** Returns the values of a column, which stand between semicolons. */
  all(column: Column): string[] {
    return this.get(column)
      .split(';')
      .map((text) => text.trim())
      .filter((text) => text !== '');
  }

  known<T extends string>(column: Column, values: readonly T[]): T {
    const value = values.find((text) => text === this.get(column));
    if (value === undefined) throw this.wrong(column, `must be one of ${values.join(', ')}`);
    return value;
  }

  place(column: Column): string {
    return `line ${this.#row.line}, ${column}`;
  }

  wrong(column: Column, why: string): SourceFileError {
    return new SourceFileError(`${this.place(column)}: ${why}`);
  }
}

/**
 * Reads a tenant's own list: UTF-8, a header with all columns (`identifiers` may be left out), several values of a
 * column between semicolons. Only key, type and name are required.
 */
export const readTenantCsv: SourceReader = async function* (file) {
  const keys = new Set<string>();
  for await (const read of csvRows(file, { encoding: 'strict-utf-8', delimiter: ',', columns: COLUMNS })) {
    const row = new OwnRow(read);
    assertNoFormula(row);
    const key = row.get('key');
    if (key === '') throw row.wrong('key', 'is missing');
    if (keys.has(key)) throw row.wrong('key', 'is there twice');
    keys.add(key);
    const type = row.known('type', TYPES);
    const names = namesIn(row);
    const identifiers = [...taxNumbersIn(row, type), ...identifiersIn(row)];
    yield {
      ...NOTHING_KNOWN,
      key,
      type,
      names,
      category: row.get('category') === '' ? null : row.known('category', CATEGORIES),
      birthDates: birthDatesIn(row),
      countries: countriesIn(row),
      identifiers,
      remarks: row.get('remarks') || null,
    };
  }
  if (keys.size === 0) throw new SourceFileError('the file has no entities');
};

/**
 * Rejects a cell that a spreadsheet would run as a formula when the list is exported again. A negative number is no
 * formula, but `-1+…` is.
 */
function assertNoFormula(row: OwnRow): void {
  for (const column of [...COLUMNS, IDENTIFIERS] as const)
    if (/^[=+@\t\r]|^-(?!\d+(?:[.,]\d+)?$)/.test(row.get(column)))
      throw row.wrong(column, 'must not begin like a formula');
}

function namesIn(row: OwnRow): ListedName[] {
  const [name, aliases] = [row.get('name'), row.all('aliases')];
  if (name === '') throw row.wrong('name', 'is missing');
  for (const [column, given] of [
    ['name', [name]],
    ['aliases', aliases],
  ] as const)
    if (!given.every(isScreenable))
      throw new SourceFileError(`${row.place(column)}: must have letters`, 'main', 'not_screenable');
  const [primary] = usableNames(row, 'name', [[name, 'primary']]);
  return usableNames(row, 'aliases', [
    [primary!.name, 'primary'],
    ...aliases.map((alias): RawName => [alias, 'alias']),
  ]);
}

/** Rejects unusable names, which in a published list would be omitted. */
function usableNames(row: OwnRow, column: 'name' | 'aliases', raw: readonly RawName[]): ListedName[] {
  const facts: SourceFacts = {};
  const names = namesOf(raw, { key: row.get('key'), where: row.place(column) }, facts);
  const [unusable] = facts.quarantined ?? [];
  if (unusable !== undefined) throw row.wrong(column, quarantineSaid(unusable));
  return names;
}

function taxNumbersIn(row: OwnRow, type: EntityType): ListedIdentifier[] {
  const value = identifierValue(row.get('tax_id'));
  const [kind, length] = type === 'person' ? (['cpf', 11] as const) : (['cnpj', 14] as const);
  if (value === '') return [];
  if (value.length !== length) throw row.wrong('tax_id', `must have ${length} signs`);
  return [{ kind: kind === 'cpf' && value.includes('*') ? 'cpf_masked' : kind, country: 'BR', value }];
}

const isTelling = (value: string): boolean => value.length >= TELLING_NUMBER && /^[A-Z0-9]*$/.test(value);

/** Reads `passport BR YA123456; imo 9074729`. */
function identifiersIn(row: OwnRow): ListedIdentifier[] {
  return row.all(IDENTIFIERS).map((text) => {
    const [, kindName, letters = '', number = ''] = /^(\S+)\s+(?:([A-Za-z]{2})\s+)?(.+)$/.exec(text) ?? [];
    const kind = IDENTIFIER_KINDS.find((name) => name === kindName);
    const country = countryCode(letters);
    // The mark of an aircraft begins with its nationality: `PR GTD` is a whole mark, `BR PR-GTD` one after a country.
    const areOfMark = kind === 'aircraft_registration' && (country === null || !isTelling(identifierValue(number)));
    const value = identifierValue(areOfMark ? letters + number : number);
    if (kind === undefined || !isTelling(value))
      throw row.wrong(
        IDENTIFIERS,
        `must be a kind (${IDENTIFIER_KINDS.join(', ')}), a country if known, and a number of at least ` +
          `${TELLING_NUMBER} letters or digits`,
      );
    if (letters !== '' && country === null && !areOfMark)
      throw row.wrong(IDENTIFIERS, 'must have a country of ISO 3166-1');
    return { kind, country: areOfMark ? null : country, value };
  });
}

function birthDatesIn(row: OwnRow): string[] {
  const dates = row.all('date_of_birth');
  if (dates.some((date) => !/^\d{4}(?:-\d\d){0,2}$/.test(date) || Number.isNaN(Date.parse(date))))
    throw row.wrong('date_of_birth', 'must be a day, a month or a year of ISO 8601');
  return dates;
}

function countriesIn(row: OwnRow): string[] {
  return row.all('countries').map((text) => {
    const code = countryCode(text);
    if (code === null) throw row.wrong('countries', 'must be codes of ISO 3166-1');
    return code;
  });
}
