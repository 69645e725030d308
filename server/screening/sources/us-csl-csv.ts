/**
 * Reads the Consolidated Screening List of the United States. Used by the list of formats (index.ts). A person may be
 * on several of its lists under one number.
 */
import type { EntityType, ListCategory, ListedEntity, ListedIdentifier } from '../listed-entity.ts';
import { countryCode, countryCodes } from './country-names.ts';
import { type CsvRow, csvRows } from './csv-rows.ts';
import { distinctDates, writtenDate } from './dates.ts';
import { further, identifierValue, namesOf, type RawName } from './listed-names.ts';
import { spokenOrder } from './ofac-csv.ts';
import { identifierKind, lettersOnly } from './ofac-remarks.ts';
import { NOTHING_KNOWN, type SourceFacts, SourceFileError, type SourceReader } from './source-file.ts';

const TYPES: Readonly<Record<string, EntityType>> = { individual: 'person', vessel: 'vessel', aircraft: 'aircraft' };

/**
 * Reads the Consolidated Screening List of the United States: lists of three departments in one file, several values of
 * a column joined by semicolons.
 */
export const readUsCslCsv: SourceReader = async function* (file, facts) {
  let count = 0;
  for await (const row of csvRows(file, {
    encoding: 'either',
    delimiter: ',',
    columns: ['_id', 'source', 'type', 'programs', 'name', 'alt_names', 'dates_of_birth', 'nationalities', 'ids'],
  })) {
    count++;
    yield entityOf(row, facts);
  }
  if (count === 0) throw new SourceFileError('the file has no entities');
};

function entityOf({ line, get }: CsvRow, facts: SourceFacts): ListedEntity {
  const source = get('source');
  // An entity on two of the lists has the same number on both.
  const key = `${/\((\w+)\)/.exec(source)?.[1] ?? source} ${get('_id')}`;
  const all = (column: string): string[] =>
    get(column)
      .split(/;\s*/)
      .filter((text) => text !== '');
  // Lists of the Department of Commerce do not state the type of their entities. A comma without a legal form means a
  // person there.
  const type =
    TYPES[get('type').toLowerCase()] ?? (get('type') === '' && get('title') !== '' ? 'person' : 'organisation');
  const written = (name: string): string => (type === 'person' ? spokenOrder(name) : name);
  if (get('_id') === '') throw new SourceFileError(`line ${line} has no number`);
  const names = namesOf(
    [[written(get('name')), 'primary'], ...all('alt_names').map((name): RawName => [written(name), 'alias'])],
    { key, where: `line ${line}` },
    facts,
  );
  return {
    ...NOTHING_KNOWN,
    key,
    type,
    category: categoryOf(source),
    names,
    birthDates: distinctDates(all('dates_of_birth').map(writtenDate)),
    countries: countryCodes([...all('nationalities'), ...all('citizenships')]),
    identifiers: all('ids')
      .map(identifierIn)
      .filter((identifier) => identifier !== null),
    ...further(lettersOnly(all('ids').map((text) => [text.split(', ').at(-1)!, text.split(', ').at(-2) ?? '']))),
    programmes: all('programs').length > 0 ? all('programs') : [source],
    position: get('title') === '' ? null : { title: get('title'), from: null, to: null },
    sourceUrl: get('source_information_url') || null,
    remarks: [get('remarks'), get('license_requirement')].filter((text) => text !== '').join('\n') || null,
  };
}

/**
 * Returns the category of a list. Those of the Treasury and the State Department are sanctions; export control lists
 * are watch lists.
 */
const categoryOf = (source: string): ListCategory =>
  /Treasury|Nonproliferation/.test(source) ? 'sanction' : 'watchlist';

/**
 * Reads `JO, 2014-08-30, 2009-08-31, K475336, Passport`: country, dates, number and kind, all but the kind optional.
 */
function identifierIn(text: string): ListedIdentifier | null {
  const parts = text.split(', ');
  const value = parts.at(-2);
  if (value === undefined || !/\d/.test(value) || /^\d{4}-\d\d-\d\d$/.test(value)) return null;
  return {
    kind: identifierKind(parts.at(-1)!),
    country: parts.length > 2 ? countryCode(parts[0]!) : null,
    value: identifierValue(value),
  };
}
