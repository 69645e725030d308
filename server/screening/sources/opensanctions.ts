/**
 * Reads the files of OpenSanctions. Used by the list of formats (index.ts). Lines are limited in length, because a file
 * without line ends would fill the memory.
 */
import type { EntityType, IdentifierKind, ListCategory, ListedEntity } from '../listed-entity.ts';
import { countryCodes } from './country-names.ts';
import { csvRows } from './csv-rows.ts';
import { distinctDates, writtenDate } from './dates.ts';
import { textOf } from './file-text.ts';
import { distinctFurther, further, identifierValue, namesOf, type RawName } from './listed-names.ts';
import { type Bytes, NOTHING_KNOWN, type SourceFacts, SourceFileError, type SourceReader } from './source-file.ts';

/** Schemata of FollowTheMoney that are entities. All others (addresses, passports, relations) describe entities. */
const TYPES: Readonly<Record<string, EntityType>> = {
  Person: 'person',
  Organization: 'organisation',
  Company: 'organisation',
  LegalEntity: 'organisation',
  PublicBody: 'organisation',
  Vessel: 'vessel',
  Airplane: 'aircraft',
};

/** Categories by the first matching topic: a sanctioned entity counts as sanctioned whatever its other topics. */
const TOPICS: readonly (readonly [RegExp, ListCategory])[] = [
  [/^sanction/, 'sanction'],
  [/^debarment|^reg\./, 'disqualified'],
  [/^role\.pep/, 'pep'],
  [/^role\.(?:rca|oligarch)/, 'rca'],
  [/^crime|^wanted/, 'adverse'],
  [/^poi|^export|^mare/, 'watchlist'],
];

const IDENTIFIERS: Readonly<Record<string, IdentifierKind>> = {
  passportNumber: 'passport',
  idNumber: 'national_id',
  taxNumber: 'tax_number',
  innCode: 'tax_number',
  vatCode: 'tax_number',
  registrationNumber: 'registration_number',
  ogrnCode: 'registration_number',
  leiCode: 'lei',
  imoNumber: 'imo',
  publicKey: 'wallet',
};

const FURTHER: Readonly<Record<string, IdentifierKind>> = {
  swiftBic: 'bic',
  mmsi: 'mmsi',
  uscCode: 'registration_number',
  dunsCode: 'registration_number',
  bikCode: 'registration_number',
  socialSecurityNumber: 'national_id',
};

interface FtmEntity {
  readonly id: string;
  readonly schema: string;
  readonly referents?: readonly string[];
  readonly last_seen?: unknown;
  readonly properties: Readonly<Record<string, readonly string[] | undefined>>;
}

/** Reads `entities.ftm.json` of OpenSanctions: one FollowTheMoney entity per line. */
export const readFtmJson: SourceReader = async function* (file, facts) {
  let count = 0;
  for await (const { line, text } of linesOf(file)) {
    const entity = parsed(text, line);
    const type = TYPES[entity.schema];
    if (type === undefined) continue;
    count++;
    seenOn(facts, entity.last_seen);
    yield entityOf(entity, type, line, facts);
  }
  if (count === 0) throw new SourceFileError('the file has no entities');
};

function parsed(text: string, line: number): FtmEntity {
  try {
    const entity = JSON.parse(text) as Partial<FtmEntity> | null;
    if (typeof entity?.id === 'string' && typeof entity.schema === 'string' && typeof entity.properties === 'object')
      return entity as FtmEntity;
  } catch {
    // The error is thrown below.
  }
  throw new SourceFileError(`line ${line} is no entity of FollowTheMoney`);
}

function entityOf(
  { id, referents = [], properties }: FtmEntity,
  type: EntityType,
  line: number,
  facts: SourceFacts,
): ListedEntity {
  const all = (...names: string[]): string[] => names.flatMap((name) => properties[name] ?? []);
  const names = namesOf(
    [
      ...all('name').map((name, index): RawName => [name, index === 0 ? 'primary' : 'alias']),
      ...all('alias').map((name): RawName => [name, 'alias']),
      ...all('previousName').map((name): RawName => [name, 'former']),
      ...all('weakAlias').map((name): RawName => [name, 'alias', 'weak']),
    ],
    { key: id, where: `line ${line}` },
    facts,
  );
  const topics = all('topics');
  const gender = all('gender')[0];
  const title = all('position').join('; ');
  return {
    ...NOTHING_KNOWN,
    key: id,
    type,
    category: TOPICS.find(([topic]) => topics.some((text) => topic.test(text)))?.[1] ?? null,
    names,
    birthDates: distinctDates(
      all('birthDate').map((date) => (/^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(date) ? date : writtenDate(date))),
    ),
    gender: gender === 'male' || gender === 'female' ? gender : null,
    countries: countryCodes(all('nationality', 'citizenship', 'jurisdiction', 'country', 'flag')),
    identifiers: Object.entries(IDENTIFIERS).flatMap(([property, kind]) =>
      all(property).map((value) => ({ kind, country: null, value: identifierValue(value) })),
    ),
    ...further(
      distinctFurther(
        Object.entries(FURTHER).flatMap(([property, kind]) =>
          all(property).map((value) => ({ kind, country: null, value: identifierValue(value) })),
        ),
        [],
      ),
    ),
    programmes: all('program', 'programId'),
    position: title === '' ? null : { title, from: null, to: null },
    references: referents,
    sourceUrl: all('sourceUrl')[0] ?? null,
    remarks: all('notes', 'summary').join('\n') || null,
  };
}

/**
 * Takes the latest day on which an entity was seen as that of the collection, because the crawlers of OpenSanctions see
 * every entity when they create it.
 */
function seenOn(facts: SourceFacts, lastSeen: unknown): void {
  const day = typeof lastSeen === 'string' ? /^\d{4}-\d\d-\d\d/.exec(lastSeen)?.[0] : undefined;
  if (day !== undefined && day > (facts.publishedAt ?? '')) facts.publishedAt = day;
}

/** Longest line. A file without line ends would otherwise fill the memory. */
const LONGEST_LINE = 4 * 1024 * 1024;

async function* linesOf(file: Bytes): AsyncGenerator<{ line: number; text: string }> {
  let [rest, line] = ['', 0];
  for await (const piece of textOf(file, 'utf-8')) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    if (rest.length > LONGEST_LINE)
      throw new SourceFileError(`line ${line + lines.length + 1} is longer than that of any entity`);
    for (const text of lines) if (++line && text.trim() !== '') yield { line, text };
  }
  if (rest.trim() !== '') yield { line: line + 1, text: rest };
}

/**
 * Reads `targets.simple.csv` of OpenSanctions: one line per entity, several values of a column joined by semicolons.
 */
export const readTargetsCsv: SourceReader = async function* (file, facts) {
  let count = 0;
  for await (const { line, get } of csvRows(file, {
    encoding: 'utf-8',
    delimiter: ',',
    columns: ['id', 'schema', 'name', 'aliases', 'birth_date', 'countries', 'identifiers'],
  })) {
    const type = TYPES[get('schema')];
    if (type === undefined) continue;
    count++;
    const all = (column: string): string[] =>
      get(column)
        .split(';')
        .map((text) => text.trim())
        .filter((text) => text !== '');
    if (get('id') === '') throw new SourceFileError(`line ${line} has no id`);
    const names = namesOf(
      [[get('name'), 'primary'], ...all('aliases').map((name): RawName => [name, 'alias'])],
      { key: get('id'), where: `line ${line}` },
      facts,
    );
    seenOn(facts, get('last_seen'));
    yield {
      ...NOTHING_KNOWN,
      key: get('id'),
      type,
      names,
      birthDates: distinctDates(
        all('birth_date').map((date) => (/^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(date) ? date : writtenDate(date))),
      ),
      countries: countryCodes(all('countries')),
      identifiers: all('identifiers').map((value) => ({ kind: 'other', country: null, value: identifierValue(value) })),
      programmes: all('program_ids'),
      remarks: get('sanctions') || null,
    };
  }
  if (count === 0) throw new SourceFileError('the file has no entities');
};
