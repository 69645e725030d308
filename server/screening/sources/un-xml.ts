/**
 * Reads the list of the United Nations. Used by the list of formats (index.ts). The list is mandatory by law, so a file
 * without entities is refused.
 */
import type { ListedDate, ListedEntity, ListedIdentifier } from '../listed-entity.ts';
import { countryCode, countryCodes } from './country-names.ts';
import { distinctDates, writtenDate } from './dates.ts';
import { further, identifierValue, namesOf, type RawName } from './listed-names.ts';
import { numbersInText } from './ofac-remarks.ts';
import { NOTHING_KNOWN, type SourceFacts, SourceFileError, type SourceReader } from './source-file.ts';
import { childrenOf, itemsOf, textIn, type XmlElement, xmlRecords } from './xml-records.ts';

const PARTS = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'];

/** Reads the consolidated list of the United Nations Security Council. */
export const readUnXml: SourceReader = async function* (file, facts) {
  let count = 0;
  const onElement = ({ name, attributes }: XmlElement): void => {
    if (name === 'CONSOLIDATED_LIST' && attributes['dateGenerated'] !== undefined)
      facts.publishedAt = attributes['dateGenerated'].slice(0, 10);
  };
  for await (const record of xmlRecords(file, {
    root: 'CONSOLIDATED_LIST',
    records: ['INDIVIDUAL', 'ENTITY'],
    onElement,
  })) {
    count++;
    yield entityOf(record, facts);
  }
  if (count === 0) throw new SourceFileError('the file has no entities');
};

function entityOf(record: XmlElement, facts: SourceFacts): ListedEntity {
  const key = textIn(record, 'DATAID');
  const reference = textIn(record, 'REFERENCE_NUMBER');
  const where = `entry ${reference || key}`;
  if (key === '') throw new SourceFileError(`${where} has no number`);
  const names = namesOf(
    [
      [
        PARTS.map((part) => textIn(record, part))
          .filter((part) => part !== '')
          .join(' '),
        'primary',
      ],
      [textIn(record, 'NAME_ORIGINAL_SCRIPT'), 'original_script'],
      ...childrenOf(record, `${record.name}_ALIAS`).flatMap(aliasesOf),
    ],
    { key, where },
    facts,
  );
  const gender = (
    textIn(record, 'GENDER') ||
    /Gender \[(\w+)\]/.exec(textIn(record, 'COMMENTS1'))?.[1] ||
    ''
  ).toLowerCase();
  const designation = itemsOf(record, 'DESIGNATION')
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join('; ');
  return {
    ...NOTHING_KNOWN,
    key,
    type: record.name === 'INDIVIDUAL' ? 'person' : 'organisation',
    category: 'sanction',
    names,
    birthDates: distinctDates(childrenOf(record, 'INDIVIDUAL_DATE_OF_BIRTH').map(dateIn)),
    gender: gender === 'male' || gender === 'female' ? gender : null,
    countries: countryCodes(itemsOf(record, 'NATIONALITY').map(({ text }) => text)),
    identifiers: childrenOf(record, 'INDIVIDUAL_DOCUMENT')
      .map(documentIn)
      .filter((document) => document !== null),
    ...further(numbersInText(textIn(record, 'COMMENTS1'), [])),
    programmes: [textIn(record, 'UN_LIST_TYPE')].filter((programme) => programme !== ''),
    position: designation === '' ? null : { title: designation, from: null, to: null },
    references: [reference].filter((text) => text !== ''),
    remarks: textIn(record, 'COMMENTS1') || null,
  };
}

/** Returns the aliases of an element, which may contain several. */
function aliasesOf(alias: XmlElement): RawName[] {
  const quality = textIn(alias, 'QUALITY');
  return textIn(alias, 'ALIAS_NAME')
    .split(';')
    .map((name) => [name, quality === 'f.k.a.' ? 'former' : 'alias', quality === 'Low' ? 'weak' : 'strong']);
}

function dateIn(element: XmlElement): ListedDate | null {
  const [from, to] = [textIn(element, 'FROM_YEAR'), textIn(element, 'TO_YEAR')];
  if (from !== '' && to !== '') return { from: Number(from), to: Number(to) };
  const date = textIn(element, 'DATE').slice(0, 10) || textIn(element, 'YEAR');
  if (/^\d{4}-\d\d-\d\d$/.test(date)) return date;
  return writtenDate(textIn(element, 'TYPE_OF_DATE') === 'APPROXIMATELY' ? `circa ${date}` : date);
}

function documentIn(element: XmlElement): ListedIdentifier | null {
  const [type, value] = [textIn(element, 'TYPE_OF_DOCUMENT'), identifierValue(textIn(element, 'NUMBER'))];
  if (!/\d/.test(value)) return null;
  return {
    kind: /pas+a?port/i.test(type) ? 'passport' : 'national_id',
    country: countryCode(textIn(element, 'ISSUING_COUNTRY') || textIn(element, 'COUNTRY_OF_ISSUE')),
    value,
  };
}
