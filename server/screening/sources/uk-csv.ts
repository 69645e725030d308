/**
 * Reads the list of the United Kingdom. Used by the list of formats (index.ts). Rows of one group belong together
 * wherever they stand.
 */
import type { ListedDate, ListedEntity, ListedIdentifier, ListedName } from '../listed-entity.ts';
import { countryCodes } from './country-names.ts';
import { type CsvRow, csvRows } from './csv-rows.ts';
import { distinctDates, slashedDate } from './dates.ts';
import { further, identifierValue, namesOf, type RawName } from './listed-names.ts';
import { numbersInText } from './ofac-remarks.ts';
import { NOTHING_KNOWN, type SourceFacts, SourceFileError, type SourceReader } from './source-file.ts';

const NAME_PARTS = ['Name 1', 'Name 2', 'Name 3', 'Name 4', 'Name 5', 'Name 6'];
const TYPES = { Individual: 'person', Entity: 'organisation', Ship: 'vessel' } as const;

/**
 * Reads the consolidated list of financial sanctions targets of the United Kingdom (ConList): one row per name, address
 * and date of a group.
 */
export const readUkCsv: SourceReader = async function* (file, facts) {
  const groups = new Map<string, CsvRow[]>();
  for await (const row of csvRows(file, {
    encoding: 'either',
    delimiter: ',',
    skip: 1,
    onSkipped: updatedOn(facts),
    columns: ['Name 6', 'Name 1', 'DOB', 'Group Type', 'Alias Type', 'Regime', 'Group ID'],
  })) {
    const key = row.get('Group ID');
    if (!/^\d+$/.test(key)) throw new SourceFileError(`line ${row.line} names no group`);
    // Rows of a group are not always adjacent.
    (groups.get(key) ?? groups.set(key, []).get(key)!).push(row);
  }
  if (groups.size === 0) throw new SourceFileError('the file has no entities');
  for (const [key, rows] of groups) yield entityOf(key, rows, facts);
};

function entityOf(key: string, rows: readonly CsvRow[], facts: SourceFacts): ListedEntity {
  const where = `group ${key}`;
  const all = (column: string): string[] => [
    ...new Set(rows.map(({ get }) => get(column)).filter((text) => text !== '')),
  ];
  const type = TYPES[all('Group Type')[0] as keyof typeof TYPES];
  const ordered = [...rows].sort(
    (a, b) => Number(b.get('Alias Type') === 'Prime Alias') - Number(a.get('Alias Type') === 'Prime Alias'),
  );
  if (type === undefined) throw new SourceFileError(`${where} has no known type`);
  const names = namesOf(
    [
      ...ordered.map(
        ({ get }): RawName => [
          NAME_PARTS.map(get)
            .filter((part) => part !== '')
            .join(' '),
          kindOf(get('Alias Type')),
          get('Alias Quality') === 'Low' ? 'weak' : 'strong',
        ],
      ),
      ...all('Name Non-Latin Script').map((name): RawName => [name, 'original_script']),
    ],
    { key, where },
    facts,
  );
  const remarks = all('Other Information').join('\n');
  return {
    ...NOTHING_KNOWN,
    key,
    type,
    category: 'sanction',
    names,
    birthDates: distinctDates(
      all('DOB')
        .flatMap(numbered)
        .map((text): ListedDate | null => slashedDate(text)),
    ),
    gender: genderIn(remarks),
    countries: countryCodes(all('Nationality').flatMap(numbered)),
    identifiers: [...all('Passport Number'), ...all('Passport Details')]
      .flatMap(numbered)
      .map((text) => identifierIn(text, 'passport'))
      .concat(
        [...all('National Identification Number'), ...all('NI Number')]
          .flatMap(numbered)
          .map((text) => identifierIn(text, 'national_id')),
      )
      .filter((identifier) => identifier !== null),
    ...further(numbersInText(remarks, [])),
    programmes: all('Regime'),
    position: all('Position').length === 0 ? null : { title: all('Position').join('; '), from: null, to: null },
    references: [
      ...new Set(
        [...remarks.matchAll(/\bUN Ref(?:erence)?(?: \(UN\))?:? ?([A-Z]{2}[ei]\.\d{3})/g)].map((match) => match[1]!),
      ),
    ],
    remarks: remarks || null,
  };
}

function genderIn(remarks: string): 'male' | 'female' | null {
  if (/\bGender:? ?Male\b/i.test(remarks)) return 'male';
  return /\bGender:? ?Female\b/i.test(remarks) ? 'female' : null;
}

function kindOf(aliasType: string): ListedName['kind'] {
  if (aliasType === 'Prime Alias') return 'primary';
  return aliasType === 'FKA' ? 'former' : 'alias';
}

/** Reads the first line: `Last Updated,27/04/2020`. */
const updatedOn =
  (facts: SourceFacts) =>
  ([label = '', day = '']: readonly string[]): void => {
    const date = slashedDate(day);
    if (/^last updated/i.test(label.trim()) && date?.length === 10) facts.publishedAt = date;
  };

/** Splits numbered parts, such as `1) Saudi Arabia 2) Qatar`, and parts between semicolons. */
const numbered = (text: string): string[] =>
  text
    .split(/\s*(?:\(?\d{1,2}\))\s*|;/)
    .map((part) => part.trim().replace(/[.,]$/, ''))
    .filter((part) => part !== '');

function identifierIn(text: string, kind: ListedIdentifier['kind']): ListedIdentifier | null {
  const number = /\b(?=[A-Z0-9/-]*\d)[A-Z0-9][A-Z0-9/-]{4,}\b/.exec(text)?.[0];
  return number === undefined ? null : { kind, country: null, value: identifierValue(number) };
}
