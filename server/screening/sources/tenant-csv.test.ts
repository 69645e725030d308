/** Tests of the file of a tenant's own list. */
import { describe, expect, it } from 'vitest';
import { entitiesOf, read } from '../../../test/support/list-files.ts';
import { readTenantCsv } from './tenant-csv.ts';

const OWN = 'key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks\n';

describe('A tenant’s own list', () => {
  it('is read by its columns', async () => {
    expect(
      await entitiesOf(
        readTenantCsv,
        `${OWN}1,person,Heitor Montalvão,O Navegador; Heitor Reis,1967-02-17,BR; ` +
          'PT,529.982.247-25,watchlist,"said\n' +
          'twice"\n',
      ),
    ).toMatchObject([
      {
        key: '1',
        countries: ['BR', 'PT'],
        birthDates: ['1967-02-17'],
        identifiers: [{ kind: 'cpf', value: '52998224725' }],
        category: 'watchlist',
        remarks: 'said\ntwice',
      },
    ]);
  });

  it('may have numbers of any kind, with and without a country', async () => {
    expect(
      await entitiesOf(
        readTenantCsv,
        `${OWN.trim()},identifiers\n1,person,Heitor Montalvão,,,,529.982.247-25,,,` +
          'passport BR ya 123.456; wallet 0x098b716b; passport br YA123457; national_id UK 12345678; ' +
          'aircraft_registration PR GTD; aircraft_registration BR PR-GTE; aircraft_registration EP-GOM; ' +
          'aircraft_registration RA 12345\n',
      ),
    ).toMatchObject([
      {
        identifiers: [
          { kind: 'cpf', country: 'BR', value: '52998224725' },
          { kind: 'passport', country: 'BR', value: 'YA123456' },
          { kind: 'wallet', country: null, value: '0X098B716B' },
          { kind: 'passport', country: 'BR', value: 'YA123457' },
          { kind: 'national_id', country: 'GB', value: '12345678' },
          { kind: 'aircraft_registration', country: null, value: 'PRGTD' },
          { kind: 'aircraft_registration', country: 'BR', value: 'PRGTE' },
          { kind: 'aircraft_registration', country: null, value: 'EPGOM' },
          { kind: 'aircraft_registration', country: null, value: 'RA12345' },
        ],
      },
    ]);
    for (const [wrong, message] of [
      ['passport', 'line 2, identifiers: must be a kind (passport, national_id,'],
      ['cpf 52998224725', 'line 2, identifiers: must be a kind'],
      ['passport BR YA***56', 'a country if known, and a number of at least 5 letters or digits'],
      ['passport BR 1234', 'a country if known, and a number of at least 5 letters or digits'],
      ['passport XX 123456', 'line 2, identifiers: must have a country of ISO 3166-1'],
    ] as const)
      await expect(read(readTenantCsv, `${OWN.trim()},identifiers\n1,person,Ana,,,,,,,${wrong}\n`)).rejects.toThrow(
        message,
      );
  });

  it.each([
    ['1,person,=HYPERLINK(1),,,,,,', 'line 2, name: must not begin like a formula'],
    ['1,person,@SUM(1),,,,,,', 'line 2, name: must not begin like a formula'],
    ['1,person,-1+HYPERLINK(2),,,,,,', 'line 2, name: must not begin like a formula'],
    ['1,person,-cmd,,,,,,', 'line 2, name: must not begin like a formula'],
    ['1,dog,Rex,,,,,,', 'line 2, type: must be one of person, organisation, vessel, aircraft'],
    ['1,person,,,,,,,', 'line 2, name: is missing'],
    [',person,Ana,,,,,,', 'line 2, key: is missing'],
    ['1,person,Ana,,,,,,\n1,person,Eva,,,,,,', 'line 3, key: is there twice'],
    ['1,person,Ana,,17/02/1967,,,,', 'line 2, date_of_birth: must be a day, a month or a year of ISO 8601'],
    ['1,person,Ana,,,Atlantis,,,', 'line 2, countries: must be codes of ISO 3166-1'],
    ['1,person,Ana,,,,123,,', 'line 2, tax_id: must have 11 signs'],
    ['1,person,Ana,,,,,good,', 'line 2, category: must be one of sanction, pep, rca, adverse, watchlist, disqualified'],
  ])('that has %j says what is wrong: %s', async (rows, message) => {
    await expect(read(readTenantCsv, `${OWN}${rows}\n`)).rejects.toThrow(message);
  });
});
