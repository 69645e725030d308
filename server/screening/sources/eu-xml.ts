/** Reads the list of the European Union. Used by the list of formats (index.ts). A file without entities is refused. */
import type { EntityType, ListedDate, ListedEntity } from '../listed-entity.ts';
import { countryCodes } from './country-names.ts';
import { dateOf, distinctDates } from './dates.ts';
import { further, identifierValue, namesOf } from './listed-names.ts';
import { lettersOnly } from './ofac-remarks.ts';
import { NOTHING_KNOWN, type SourceFacts, SourceFileError, type SourceReader } from './source-file.ts';
import { childrenOf, textIn, type XmlElement, xmlRecords } from './xml-records.ts';

const TYPES: Readonly<Record<string, EntityType>> = {
  person: 'person',
  enterprise: 'organisation',
  vessel: 'vessel',
  aircraft: 'aircraft',
};

/** Reads the consolidated list of financial sanctions of the European Union, schema 1.1. */
export const readEuXml: SourceReader = async function* (file, facts) {
  let count = 0;
  const onElement = ({ name, attributes }: XmlElement): void => {
    if (name === 'export' && attributes['generationDate'] !== undefined)
      facts.publishedAt = attributes['generationDate'].slice(0, 10);
  };
  for await (const record of xmlRecords(file, { root: 'export', records: ['sanctionEntity'], onElement })) {
    count++;
    yield entityOf(record, facts);
  }
  if (count === 0) throw new SourceFileError('the file has no entities');
};

function genderOf(aliases: readonly XmlElement['attributes'][]): ListedEntity['gender'] {
  const genders = new Set(aliases.map(({ gender }) => gender).filter((gender) => gender === 'M' || gender === 'F'));
  if (genders.size !== 1) return null;
  return genders.has('M') ? 'male' : 'female';
}

function entityOf(record: XmlElement, facts: SourceFacts): ListedEntity {
  const { logicalId: key = '', unitedNationId = '', euReferenceNumber = '' } = record.attributes;
  const where = `entity ${euReferenceNumber || key}`;
  const type = TYPES[childrenOf(record, 'subjectType')[0]?.attributes['code'] ?? ''];
  const aliases = childrenOf(record, 'nameAlias').map(({ attributes }) => attributes);
  if (key === '' || type === undefined) throw new SourceFileError(`${where} has no number or no known type`);
  const names = namesOf(
    aliases.map(({ wholeName = '', firstName = '', middleName = '', lastName = '', strong }, index) => [
      wholeName || [firstName, middleName, lastName].join(' '),
      index === 0 ? 'primary' : 'alias',
      strong === 'false' ? 'weak' : 'strong',
    ]),
    { key, where },
    facts,
  );
  const functions = aliases.map((alias) => alias['function']?.trim() ?? '').filter((text) => text !== '');
  const country = ({ attributes: { countryIso2Code = '' } }: XmlElement): string => countryIso2Code;
  const remarks = childrenOf(record, 'remark')
    .map(({ text }) => text.trim())
    .join('\n');
  return {
    ...NOTHING_KNOWN,
    key,
    type,
    category: 'sanction',
    names,
    birthDates: distinctDates(childrenOf(record, 'birthdate').map(dateIn)),
    gender: genderOf(aliases),
    countries: countryCodes(childrenOf(record, 'citizenship').map(country)),
    identifiers: childrenOf(record, 'identification')
      .filter(({ attributes }) => /\d/.test(attributes['number'] ?? ''))
      .map((element) => ({
        kind: KINDS[element.attributes['identificationTypeCode'] ?? ''] ?? 'other',
        country: countryCodes([country(element)])[0] ?? null,
        value: identifierValue(element.attributes['number']!),
      })),
    ...further(
      lettersOnly(
        childrenOf(record, 'identification').map(({ attributes }) => [
          attributes['identificationTypeCode'] ?? '',
          attributes['number'] ?? '',
        ]),
      ),
    ),
    programmes: [
      ...new Set(
        childrenOf(record, 'regulation')
          .map(({ attributes }) => attributes['programme'] ?? '')
          .filter((programme) => programme !== ''),
      ),
    ],
    position: functions.length === 0 ? null : { title: [...new Set(functions)].join('; '), from: null, to: null },
    references: [unitedNationId, euReferenceNumber].filter((reference) => reference !== ''),
    sourceUrl: textIn(childrenOf(record, 'regulation')[0] ?? record, 'publicationUrl') || null,
    remarks: remarks || null,
  };
}

const KINDS = {
  passport: 'passport',
  id: 'national_id',
  regnumber: 'registration_number',
  fiscalcode: 'tax_number',
  imo: 'imo',
} as Readonly<Record<string, ListedEntity['identifiers'][number]['kind'] | undefined>>;

function dateIn({
  attributes: { birthdate = '', year = '', monthOfYear, dayOfMonth, circa, yearRangeFrom, yearRangeTo, calendarType },
}: XmlElement): ListedDate | null {
  if (calendarType !== undefined && calendarType !== 'GREGORIAN') return null;
  if (yearRangeFrom && yearRangeTo) return { from: Number(yearRangeFrom), to: Number(yearRangeTo) };
  if (year === '') return null;
  if (circa === 'true') return { from: Number(year) - 1, to: Number(year) + 1 };
  return birthdate === '' ? dateOf(year, monthOfYear, dayOfMonth) : birthdate;
}
