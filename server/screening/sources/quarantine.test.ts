/** Tests of single names that are unusable: each is left out and reported, its entry stays. */
import { describe, expect, it } from 'vitest';
import { entitiesOf, namesOf, read, SDN, UN } from '../../../test/support/list-files.ts';
import { recordBounds } from '../../contract/generated/record-bounds.ts';
import { recordFaults } from '../../contract/record-faults.ts';
import type { ListedEntity } from '../listed-entity.ts';
import { shownEntity } from '../shown-entity.ts';
import { readCguPenalties } from './cgu-csv.ts';
import { readOfacCsv } from './ofac-csv.ts';
import { readFtmJson, readTargetsCsv } from './opensanctions.ts';
import { NOTHING_KNOWN, type QuarantinedName, SourceFileError } from './source-file.ts';
import { storable } from './storable.ts';
import { readUnXml } from './un-xml.ts';

describe('An unusable name is omitted and reported, and its entry keeps the others:', () => {
  const inBytes = (before: string, bytes: readonly number[], after: string): Uint8Array =>
    Buffer.concat([
      Buffer.from(UN.slice(0, UN.indexOf(before) + before.length)),
      Buffer.from(bytes),
      Buffer.from(UN.slice(UN.indexOf(after))),
    ]);
  const other = ['Монталван', 'O Navegador~', 'O Piloto~'];

  it.each<[string, Parameters<typeof read>, QuarantinedName, readonly string[]]>([
    [
      'bytes that are no UTF-8',
      [readUnXml, inBytes('MONTALV', [0xc3, 0x28], 'O</SECOND_NAME>'), {}],
      {
        entityId: '9',
        record: 'entry KPi.999',
        reason: 'damaged',
        name: 'Heitor MONTALV\uFFFD(O',
      },
      other,
    ],
    [
      'UTF-8 read as Windows-1252',
      [readUnXml, UN.replace('MONTALVÃO', 'MONTALVÃ£O'), {}],
      {
        entityId: '9',
        record: 'entry KPi.999',
        reason: 'damaged',
        name: 'Heitor MONTALVÃ£O',
      },
      other,
    ],
    [
      'what replaces undecodable bytes',
      [readUnXml, UN.replace('O Piloto', 'O P\uFFFDloto'), {}],
      {
        entityId: '9',
        record: 'entry KPi.999',
        reason: 'damaged',
        name: 'O P\uFFFDloto',
      },
      ['Heitor MONTALVÃO', 'Монталван', 'O Navegador~'],
    ],
    [
      'a control character that no XML has',
      [readUnXml, UN.replace('MONTALVÃO', 'MONT\u0019LVÃO'), {}],
      {
        entityId: '9',
        record: 'entry KPi.999',
        reason: 'damaged',
        name: 'Heitor MONT\uFFFDLVÃO',
      },
      other,
    ],
    [
      'more characters than an answer shows',
      [readUnXml, UN.replace('O Piloto', 'P'.repeat(1001)), {}],
      {
        entityId: '9',
        record: 'entry KPi.999',
        reason: 'too_long',
        name: 'P'.repeat(120),
      },
      ['Heitor MONTALVÃO', 'Монталван', 'O Navegador~'],
    ],
    [
      'an alias of OFAC in a file of its own',
      [readOfacCsv, SDN, { alt: '101,1,"aka","MONTALVÃ£O, H.",-0- \r\n' }],
      {
        entityId: '101',
        record: 'line 1',
        reason: 'damaged',
        name: 'H. MONTALVÃƒÂ£O',
      },
      ['Heitor MONTALVAO', 'O NAVEGADOR~'],
    ],
    [
      'a name of OpenSanctions',
      [
        readFtmJson,
        JSON.stringify({
          id: 'Q1',
          schema: 'Person',
          properties: { name: ['Heitor Montalv\uFFFDo', 'Heitor Montalvão'] },
        }),
        {},
      ],
      {
        entityId: 'Q1',
        record: 'line 1',
        reason: 'damaged',
        name: 'Heitor Montalv\uFFFDo',
      },
      ['Heitor Montalvão'],
    ],
    [
      'a name in the register of the CGU',
      [
        readCguPenalties,
        '"TIPO DE PESSOA";"CPF OU CNPJ DO SANCIONADO";"NOME DO SANCIONADO";"NOME FANTASIA - CADASTRO ' +
          'RECEITA";"CATEGORIA DA SANCAO"\n' +
          '"J";"11222333000181";"AURORA LTDA";"AUR\u0001RA";"Impedimento"\n',
        {},
      ],
      {
        entityId: '11222333000181 AURORA LTDA',
        record: 'line 2',
        reason: 'damaged',
        name: 'AUR\uFFFDRA',
      },
      ['AURORA LTDA'],
    ],
  ])('%s', async (_, input, told, names) => {
    const {
      entities: [entity],
      facts,
    } = await read(...input);
    expect([facts.quarantined, namesOf(entity!)]).toEqual([[told], names]);
  });

  it('more names than an answer shows', async () => {
    const {
      entities: [entity],
      facts,
    } = await read(
      readTargetsCsv,
      `id,schema,name,aliases,birth_date,countries,identifiers,last_seen\nQ2,Person,Ana Reis,${Array.from({ length: 502 }, (_, index) => `Ana ${index}`).join(';')},,,,2026-11-20\n`,
    );
    expect([entity!.names.length, facts]).toEqual([
      501,
      {
        publishedAt: '2026-11-20',
        quarantined: [500, 501].map((index) => ({
          entityId: 'Q2',
          record: 'line 2',
          reason: 'too_many',
          name: `Ana ${index}`,
        })),
      },
    ]);
  });

  it('a damaged number is dropped, because without the damaged sign it would be another one', async () => {
    const [person] = await entitiesOf(readUnXml, UN.replace('381-310', '381-\uFFFD10'));
    expect(person!.identifiers).toEqual([]);
  });
});

describe('A stored entity', () => {
  const entity = async (more: Partial<ListedEntity>): Promise<ListedEntity> => ({
    ...(await entitiesOf(readUnXml, UN))[0]!,
    ...more,
  });
  const tooMuch: Readonly<Record<string, Partial<ListedEntity>>> = {
    'remarks': { remarks: 'r'.repeat(20_001) },
    'a public function': { position: { title: '😀'.repeat(4001), from: null, to: null } },
    'programmes': { programmes: Array.from({ length: 101 }, () => 'p'.repeat(1001)) },
    'an address': { sourceUrl: `https://lists.example/${'a'.repeat(4000)}` },
    'a NUL in what is told': { remarks: 'a\u0000b\uD800' },
  };

  it.each(Object.keys(tooMuch))('has no more in %s than every answer can show', async (member) => {
    const kept = storable(await entity(tooMuch[member]!), false);
    expect(recordFaults('HitEntity', shownEntity(kept))).toEqual([]);
    expect(JSON.stringify(kept)).not.toMatch(/\\u(?:0000|d[89a-f])/);
    expect(kept.names).toEqual((await entity({})).names);
  });

  it.each(Object.keys(tooMuch))('is rejected for too much in %s if its sender can correct it', async (member) => {
    expect(() =>
      storable(
        {
          key: 'a-1',
          ...NOTHING_KNOWN,
          type: 'person',
          names: [{ name: 'Ana', kind: 'primary', quality: 'strong' }],
          ...tooMuch[member]!,
        },
        true,
      ),
    ).toThrow(SourceFileError);
  });

  it('is rejected if its matched data exceeds what an answer shows', async () => {
    const dates = Array.from({ length: 51 }, (_, index) => String(1900 + index));
    const given = await entity({ birthDates: dates });
    expect(() => storable(given, false)).toThrow(
      'entry 9 does not fit what a screening shows: /datesOfBirth has 51 items, and 50 can be shown',
    );
  });

  it('fits into the answer in every member that the contract limits, and in the length of every text', () => {
    const bounds = Object.entries(recordBounds.HitEntity) as [
      string,
      { length?: number; items?: number; each?: { length: number } },
    ][];
    expect(bounds.length).toBeGreaterThan(10);
    for (const [member, { length, items, each }] of bounds) {
      const [fits, not] =
        items === undefined
          ? ['x'.repeat(length!), 'x'.repeat(length! + 1)]
          : [Array.from({ length: items }, () => 'x'), Array.from({ length: items + 1 }, () => 'x')];
      expect(recordFaults('HitEntity', { [member]: fits })).toEqual([]);
      expect(recordFaults('HitEntity', { [member]: not })).toHaveLength(1);
      if (each !== undefined)
        expect(recordFaults('HitEntity', { [member]: ['x'.repeat(each.length + 1)] })).toHaveLength(1);
    }
  });
});
