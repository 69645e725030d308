import type { EntityType, ListCategory, ListedName } from '../listed-entity.ts';
import { countryCode } from './country-names.ts';
import { isScreenable } from '../names/fold.ts';
import { csvRows } from './csv-rows.ts';
import { identifierValue, namesOf, quarantineSaid, type RawName } from './listed-names.ts';
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

/**
 * Reads a tenant's own list: UTF-8, a header with all columns, several values of a column between semicolons. Only key,
 * type and name are required.
 */
export const readTenantCsv: SourceReader = async function* (file) {
  const keys = new Set<string>();
  for await (const { line, get } of csvRows(file, { encoding: 'strict-utf-8', delimiter: ',', columns: COLUMNS })) {
    const wrong = (column: (typeof COLUMNS)[number], why: string): SourceFileError =>
      new SourceFileError(`line ${line}, ${column}: ${why}`);
    const all = (column: (typeof COLUMNS)[number]): string[] =>
      get(column)
        .split(';')
        .map((text) => text.trim())
        .filter((text) => text !== '');
    const known = <T extends string>(column: 'type' | 'category', values: readonly T[]): T => {
      const value = values.find((text) => text === get(column));
      if (value === undefined) throw wrong(column, `must be one of ${values.join(', ')}`);
      return value;
    };
    // A spreadsheet would run these as formulas when the list is exported again. A negative number is no formula, but
    // `-1+…` is.
    for (const column of COLUMNS)
      if (/^[=+@\t\r]|^-(?!\d+(?:[.,]\d+)?$)/.test(get(column))) throw wrong(column, 'must not begin like a formula');
    if (get('key') === '') throw wrong('key', 'is missing');
    if (keys.has(get('key'))) throw wrong('key', 'is there twice');
    keys.add(get('key'));
    const type = known('type', TYPES);
    if (get('name') === '') throw wrong('name', 'is missing');
    for (const [column, given] of [
      ['name', [get('name')]],
      ['aliases', all('aliases')],
    ] as const)
      if (!given.every(isScreenable))
        throw new SourceFileError(`line ${line}, ${column}: must have letters`, 'main', 'not_screenable');
    // Rejects unusable names, because the sender of the list can correct them.
    const usable = (column: 'name' | 'aliases', raw: readonly RawName[]): ListedName[] => {
      const facts: SourceFacts = {};
      const names = namesOf(raw, { key: get('key'), where: `line ${line}, ${column}` }, facts);
      const [unusable] = facts.quarantined ?? [];
      if (unusable !== undefined) throw wrong(column, quarantineSaid(unusable));
      return names;
    };
    const [primary] = usable('name', [[get('name'), 'primary']]);
    const names = usable('aliases', [
      [primary!.name, 'primary'],
      ...all('aliases').map((name): RawName => [name, 'alias']),
    ]);
    const taxId = identifierValue(get('tax_id'));
    const [kind, length] = type === 'person' ? (['cpf', 11] as const) : (['cnpj', 14] as const);
    if (taxId !== '' && taxId.length !== length) throw wrong('tax_id', `must have ${length} signs`);
    yield {
      ...NOTHING_KNOWN,
      key: get('key'),
      type,
      names,
      category: get('category') === '' ? null : known('category', CATEGORIES),
      birthDates: all('date_of_birth').map((date) => {
        if (!/^\d{4}(?:-\d\d-\d\d)?$/.test(date) || Number.isNaN(Date.parse(date)))
          throw wrong('date_of_birth', 'must be a day or a year of ISO 8601');
        return date;
      }),
      countries: all('countries').map((text) => {
        const code = countryCode(text);
        if (code === null) throw wrong('countries', 'must be codes of ISO 3166-1');
        return code;
      }),
      identifiers:
        taxId === ''
          ? []
          : [{ kind: kind === 'cpf' && taxId.includes('*') ? 'cpf_masked' : kind, country: 'BR', value: taxId }],
      remarks: get('remarks') || null,
    };
  }
  if (keys.size === 0) throw new SourceFileError('the file has no entities');
};
