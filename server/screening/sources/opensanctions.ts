import type { EntityType, IdentifierKind, ListCategory, ListedEntity } from '../listed-entity.ts';
import { countryCodes } from './country-names.ts';
import { distinctDates, writtenDate } from './dates.ts';
import { type Bytes, csvRows, distinctNames, identifierValue, nameOf, NOTHING_KNOWN, SourceFileError, type SourceReader, textOf } from './source-file.ts';

/** Schemata of FollowTheMoney that are somebody; all others (addresses, passports, relations) are about somebody. */
const TYPES: Readonly<Record<string, EntityType>> = {
  Person: 'person', Organization: 'organisation', Company: 'organisation', LegalEntity: 'organisation', PublicBody: 'organisation', Vessel: 'vessel', Airplane: 'aircraft',
};

/** By the first topic that fits: who is sanctioned is so whatever else they are. */
const TOPICS: readonly (readonly [RegExp, ListCategory])[] = [[/^sanction/, 'sanction'], [/^debarment|^reg\./, 'disqualified'], [/^role\.pep/, 'pep'], [/^role\.(?:rca|oligarch)/, 'rca'], [/^crime|^wanted/, 'adverse'], [/^poi|^export|^mare/, 'watchlist']];

const IDENTIFIERS: Readonly<Record<string, IdentifierKind>> = {
  passportNumber: 'passport', idNumber: 'national_id', taxNumber: 'tax_number', innCode: 'tax_number', vatCode: 'tax_number', registrationNumber: 'registration_number', ogrnCode: 'registration_number', leiCode: 'lei',
  imoNumber: 'imo', publicKey: 'wallet',
};

interface FtmEntity {
  readonly id: string;
  readonly schema: string;
  readonly referents?: readonly string[];
  readonly properties: Readonly<Record<string, readonly string[] | undefined>>;
}

/** `entities.ftm.json` of OpenSanctions: an entity of FollowTheMoney on each line. */
export const readFtmJson: SourceReader = async function* (file) {
  let count = 0;
  for await (const { line, text } of linesOf(file)) {
    const entity = parsed(text, line);
    const type = TYPES[entity.schema];
    if (type === undefined) continue;
    count++;
    yield entityOf(entity, type, line);
  }
  if (count === 0) throw new SourceFileError('the file has no entities');
};

function parsed(text: string, line: number): FtmEntity {
  try {
    const entity = JSON.parse(text) as Partial<FtmEntity> | null;
    if (typeof entity?.id === 'string' && typeof entity.schema === 'string' && typeof entity.properties === 'object') return entity as FtmEntity;
  } catch {
    // Said below.
  }
  throw new SourceFileError(`line ${line} is no entity of FollowTheMoney`);
}

function entityOf({ id, referents = [], properties }: FtmEntity, type: EntityType, line: number): ListedEntity {
  const all = (...names: string[]): string[] => names.flatMap((name) => properties[name] ?? []);
  const names = distinctNames([
    ...all('name').map((name, index) => nameOf(name, index === 0 ? 'primary' : 'alias', 'strong', `line ${line}`)), ...all('alias').map((name) => nameOf(name, 'alias', 'strong', `line ${line}`)),
    ...all('previousName').map((name) => nameOf(name, 'former', 'strong', `line ${line}`)), ...all('weakAlias').map((name) => nameOf(name, 'alias', 'weak', `line ${line}`)),
  ]);
  if (names.length === 0) throw new SourceFileError(`line ${line} has no name`);
  const topics = all('topics');
  const gender = all('gender')[0];
  const title = all('position').join('; ');
  return {
    ...NOTHING_KNOWN, key: id, type, category: TOPICS.find(([topic]) => topics.some((text) => topic.test(text)))?.[1] ?? null, names,
    birthDates: distinctDates(all('birthDate').map((date) => /^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(date) ? date : writtenDate(date))), gender: gender === 'male' || gender === 'female' ? gender : null,
    countries: countryCodes(all('nationality', 'citizenship', 'jurisdiction', 'country', 'flag')),
    identifiers: Object.entries(IDENTIFIERS).flatMap(([property, kind]) => all(property).map((value) => ({ kind, country: null, value: identifierValue(value) }))),
    programmes: all('program', 'programId'), position: title === '' ? null : { title, from: null, to: null }, references: referents, sourceUrl: all('sourceUrl')[0] ?? null, remarks: all('notes', 'summary').join('\n') || null,
  };
}

/** No entity takes more characters: a file without ends of lines would fill the memory. */
const LONGEST_LINE = 4 * 1024 * 1024;

async function* linesOf(file: Bytes): AsyncGenerator<{ line: number; text: string }> {
  let [rest, line] = ['', 0];
  for await (const piece of textOf(file, 'utf-8')) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    if (rest.length > LONGEST_LINE) throw new SourceFileError(`line ${line + lines.length + 1} is longer than that of any entity`);
    for (const text of lines) if (++line && text.trim() !== '') yield { line, text };
  }
  if (rest.trim() !== '') yield { line: line + 1, text: rest };
}

/** `targets.simple.csv` of OpenSanctions: a line for each entity, several values of a column joined by semicolons. */
export const readTargetsCsv: SourceReader = async function* (file) {
  let count = 0;
  for await (const { line, get } of csvRows(file, { encoding: 'utf-8', delimiter: ',', columns: ['id', 'schema', 'name', 'aliases', 'birth_date', 'countries', 'identifiers'] })) {
    const type = TYPES[get('schema')];
    if (type === undefined) continue;
    count++;
    const all = (column: string): string[] => get(column).split(';').map((text) => text.trim()).filter((text) => text !== '');
    const names = distinctNames([nameOf(get('name'), 'primary', 'strong', `line ${line}`), ...all('aliases').map((name) => nameOf(name, 'alias', 'strong', `line ${line}`))]);
    if (get('id') === '' || names.length === 0) throw new SourceFileError(`line ${line} has no id or no name`);
    yield {
      ...NOTHING_KNOWN, key: get('id'), type, names, birthDates: distinctDates(all('birth_date').map((date) => /^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(date) ? date : writtenDate(date))),
      countries: countryCodes(all('countries')), identifiers: all('identifiers').map((value) => ({ kind: 'other', country: null, value: identifierValue(value) })), programmes: all('program_ids'),
      remarks: get('sanctions') || null,
    };
  }
  if (count === 0) throw new SourceFileError('the file has no entities');
};
