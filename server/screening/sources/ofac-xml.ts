/** Reads OFAC's lists as XML. Used by the list of formats (index.ts). Unknown types of entries are errors. */
import type { EntityType, ListedEntity } from '../listed-entity.ts';
import { countryCode, countryCodes } from './country-names.ts';
import { distinctDates, writtenDate } from './dates.ts';
import { further, identifierValue, namesOf, type RawName } from './listed-names.ts';
import { identifierKind, lettersOnly } from './ofac-remarks.ts';
import { NOTHING_KNOWN, type SourceFacts, SourceFileError, type SourceReader } from './source-file.ts';
import { itemsOf, textIn, type XmlElement, xmlRecords } from './xml-records.ts';

const TYPES: Readonly<Record<string, EntityType>> = {
  Individual: 'person',
  Entity: 'organisation',
  Vessel: 'vessel',
  Aircraft: 'aircraft',
};

/** Reads OFAC's Specially Designated Nationals and consolidated list as XML (SDN.XML, CONSOLIDATED.XML). */
export const readOfacXml: SourceReader = async function* (file, facts) {
  let count = 0;
  for await (const record of xmlRecords(file, { root: 'sdnList', records: ['publshInformation', 'sdnEntry'] })) {
    if (record.name === 'publshInformation') {
      const [month, day, year] = textIn(record, 'Publish_Date').split('/');
      if (year !== undefined) facts.publishedAt = `${year}-${month}-${day}`;
      continue;
    }
    count++;
    yield entityOf(record, facts);
  }
  if (count === 0) throw new SourceFileError('the file has no entities');
};

function entityOf(entry: XmlElement, facts: SourceFacts): ListedEntity {
  const key = textIn(entry, 'uid');
  const type = TYPES[textIn(entry, 'sdnType')];
  if (key === '' || type === undefined)
    throw new SourceFileError(`entry ${key || 'without a number'} is of no known type`);
  const nameIn = (element: XmlElement): string =>
    [textIn(element, 'firstName'), textIn(element, 'lastName')].filter((part) => part !== '').join(' ');
  const names = namesOf(
    [
      [nameIn(entry), 'primary'],
      ...itemsOf(entry, 'akaList').map(
        (aka): RawName => [
          nameIn(aka),
          textIn(aka, 'type').startsWith('f') ? 'former' : 'alias',
          textIn(aka, 'category') === 'weak' ? 'weak' : 'strong',
        ],
      ),
    ],
    { key, where: `entry ${key}` },
    facts,
  );
  const ids = itemsOf(entry, 'idList');
  const gender = ids.find((id) => textIn(id, 'idType') === 'Gender');
  const genderText = gender === undefined ? '' : textIn(gender, 'idNumber').toLowerCase();
  const title = textIn(entry, 'title');
  return {
    ...NOTHING_KNOWN,
    key,
    type,
    category: 'sanction',
    names,
    birthDates: distinctDates(
      itemsOf(entry, 'dateOfBirthList').map((item) => writtenDate(textIn(item, 'dateOfBirth'))),
    ),
    gender: genderText === 'male' || genderText === 'female' ? genderText : null,
    countries: countryCodes(
      [...itemsOf(entry, 'nationalityList'), ...itemsOf(entry, 'citizenshipList')].map((item) =>
        textIn(item, 'country'),
      ),
    ),
    identifiers: ids
      .filter((id) => /\d/.test(textIn(id, 'idNumber')))
      .map((id) => ({
        kind: identifierKind(textIn(id, 'idType')),
        country: countryCode(textIn(id, 'idCountry')),
        value: identifierValue(textIn(id, 'idNumber')),
      })),
    ...further(lettersOnly(ids.map((id) => [textIn(id, 'idType'), textIn(id, 'idNumber')]))),
    programmes: itemsOf(entry, 'programList').map(({ text }) => text.trim()),
    position: title === '' ? null : { title, from: null, to: null },
    remarks: textIn(entry, 'remarks') || null,
  };
}
