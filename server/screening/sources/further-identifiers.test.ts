/** Tests that readers keep the numbers that they left out before, apart from the others. */
import { describe, expect, it } from 'vitest';
import { entitiesOf } from '../../../test/support/list-files.ts';
import { readEuXml } from './eu-xml.ts';
import { remarksOf } from './ofac-remarks.ts';
import { readOfacXml } from './ofac-xml.ts';
import { readFtmJson } from './opensanctions.ts';
import { readUkCsv } from './uk-csv.ts';
import { readUsCslCsv } from './us-csl-csv.ts';

const further = ({ furtherIdentifiers = [] }: Pick<ReturnType<typeof remarksOf>, 'furtherIdentifiers'>): string[] =>
  furtherIdentifiers.map(({ kind, value, country }) => `${kind} ${value} ${country}`);

describe('A number that was left out before', () => {
  it('is read from the remarks of OFAC, beside the numbers that were always read', () => {
    const remarks = remarksOf(
      'SWIFT/BIC KDBKKPPY; MMSI 572469210; Aircraft Tail Number EP-GOM; V.A.T. Number BE 0454.419.759 (Belgium); ' +
        'RIF # J-31136071-9 (Venezuela); C.R. No. 478351 (Bahrain); Tax ID No. 8000189280 (Colombia); ' +
        'Chinese Code (USCC) 91420112711981060J (China).',
    );
    expect(further(remarks)).toEqual([
      'bic KDBKKPPY null',
      'mmsi 572469210 null',
      'aircraft_registration EPGOM null',
      'tax_number BE0454419759 BE',
      'tax_number J311360719 VE',
      'registration_number 478351 BH',
      'registration_number 91420112711981060J CN',
    ]);
    expect(remarks.identifiers).toEqual([{ kind: 'tax_number', country: 'CO', value: '8000189280' }]);
    expect(remarksOf('DOB 17 Feb 1967.')).not.toHaveProperty('furtherIdentifiers');
  });

  it('is a code of a bank in the lists that name the kinds of numbers', async () => {
    const [ofOfac] = await entitiesOf(
      readOfacXml,
      `<sdnList><sdnEntry><uid>1</uid><lastName>BANCO AURORA</lastName><sdnType>Entity</sdnType><idList>
      <id><idType>SWIFT/BIC</idType><idNumber>KDBKKPPY</idNumber></id></idList></sdnEntry></sdnList>`,
    );
    const [ofEurope] = await entitiesOf(
      readEuXml,
      `<export generationDate="2020-04-15T15:29:22"><sanctionEntity euReferenceNumber="EU.1.1" logicalId="5">
      <subjectType code="enterprise"/><nameAlias wholeName="Banco Aurora" strong="true"/>
      <identification number="KDBKKPPY" identificationTypeCode="swiftbic"/></sanctionEntity></export>`,
    );
    const [ofTheStates] = await entitiesOf(
      readUsCslCsv,
      '_id,source,type,programs,name,title,alt_names,dates_of_birth,nationalities,ids\n' +
        '21,Specially Designated Nationals (SDN) - Treasury Department,Entity,SDGT,BANCO AURORA,,,,,' +
        '"KDBKKPPY, SWIFT/BIC"\n',
    );
    for (const entity of [ofOfac, ofEurope, ofTheStates]) expect(further(entity!)).toEqual(['bic KDBKKPPY null']);
  });

  it('is read from the text of the United Kingdom, and from the properties of OpenSanctions', async () => {
    const [ship] = await entitiesOf(
      readUkCsv,
      `Last Updated,27/04/2020,,,,,,,,,
Name 6,Name 1,Name 2,Alias Quality,DOB,Nationality,Other Information,Group Type,Alias Type,Regime,Group ID
MAR AZUL,,,,,,(IMO number):9074729 (Flag of Ship):Panama. MMSI: 445539000.,Ship,Prime Alias,Aurora,13349\n`,
    );
    expect(further(ship!)).toEqual(['imo 9074729 null', 'mmsi 445539000 null']);
    const [company] = await entitiesOf(
      readFtmJson,
      `${JSON.stringify({
        id: 'a',
        schema: 'Company',
        properties: {
          name: ['Aurora'],
          swiftBic: ['KDBKKPPY'],
          uscCode: ['91420112711981060J'],
          innCode: ['7707083893'],
        },
      })}\n`,
    );
    expect(further(company!)).toEqual(['bic KDBKKPPY null', 'registration_number 91420112711981060J null']);
    expect(company!.identifiers).toMatchObject([{ kind: 'tax_number', value: '7707083893' }]);
  });
});
