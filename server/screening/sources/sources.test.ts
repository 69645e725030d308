import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { downloadZip } from 'client-zip';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entitiesOf, namesOf, piecesOf, read, SDN, UN } from '../../../test/support/list-files.ts';
import type { ListedEntity } from '../listed-entity.ts';
import { readCguCepim, readCguPenalties, readCguPep } from './cgu-csv.ts';
import { uncompressed } from './compressed.ts';
import { readEuXml } from './eu-xml.ts';
import { readOfacCsv } from './ofac-csv.ts';
import { readOfacXml } from './ofac-xml.ts';
import { readFtmJson, readTargetsCsv } from './opensanctions.ts';
import { type Bytes, dayInName, SourceFileError, type SourceReader } from './source-file.ts';
import { readTenantCsv } from './tenant-csv.ts';
import { readUkCsv } from './uk-csv.ts';
import { readUnXml } from './un-xml.ts';
import { readUsCslCsv } from './us-csl-csv.ts';

describe('The list of OFAC as CSV', () => {
  it('reads names in spoken order, and the data in the remarks', async () => {
    const [person, company, vessel] = await entitiesOf(readOfacCsv, SDN, {
      alt: '101,1,"aka","MONTALVAO, H.",-0- \r\n101,2,"fka","REIS, Heitor",-0- \r\n',
      comments: '101,"; DOB 1968."\r\n',
    });
    expect(person).toMatchObject({
      key: '101',
      type: 'person',
      gender: 'male',
      countries: ['BR', 'PT'],
      programmes: ['SDGT', 'NPWMD'],
      position: { title: 'Director' },
      birthDates: ['1967-02-17', { from: 1965, to: 1967 }, '1968'],
      identifiers: [{ kind: 'passport', country: 'BR', value: 'A123456' }],
    });
    expect([namesOf(person!).slice(0, 1), namesOf(person!).at(-1)]).toEqual([['Heitor MONTALVAO'], 'O NAVEGADOR~']);
    expect(person!.names.find(({ name }) => name === 'Heitor REIS')?.kind).toBe('former');
    expect(company).toMatchObject({
      type: 'organisation',
      names: [{ name: 'AURORA ENCANTADA LTDA' }],
      identifiers: [
        { kind: 'tax_number', country: 'RU', value: '7736640919' },
        { kind: 'registration_number', country: 'HK', value: '2890985' },
      ],
    });
    expect(vessel).toMatchObject({ type: 'vessel', identifiers: [{ kind: 'imo', country: null, value: '9777670' }] });
  });

  it('is read in Windows-1252', async () => {
    expect(
      namesOf((await entitiesOf(readOfacCsv, Buffer.from(SDN.replace('MONTALVAO', 'MONTALVÃO'), 'latin1')))[0]!)[0],
    ).toBe('Heitor MONTALVÃO');
  });
});

describe('The list of OFAC as XML', () => {
  it('reads its date of publication and which aliases are weak', async () => {
    const {
      entities: [person],
      facts,
    } = await read(
      readOfacXml,
      `<?xml version="1.0"?><sdnList xmlns="urn:x"><publshInformation><Publish_Date>04/22/2020</Publish_Date></publshInformation><sdnEntry><uid>7</uid><firstName>Heitor</firstName><lastName>MONTALVÃO</lastName><sdnType>Individual</sdnType>
      <programList><program>SDGT</program></programList><idList><id><idType>Passport</idType><idNumber>BE 597</idNumber><idCountry>Brazil</idCountry></id><id><idType>Gender</idType><idNumber>Male</idNumber></id></idList>
      <akaList><aka><type>a.k.a.</type><category>weak</category><lastName>O NAVEGADOR</lastName></aka></akaList><dateOfBirthList><dateOfBirthItem><dateOfBirth>01 Jan 1976 to 31 Dec 1978</dateOfBirth></dateOfBirthItem></dateOfBirthList></sdnEntry></sdnList>`,
    );
    expect([facts.publishedAt, namesOf(person!)]).toEqual(['2020-04-22', ['Heitor MONTALVÃO', 'O NAVEGADOR~']]);
    expect(person).toMatchObject({
      gender: 'male',
      birthDates: [{ from: 1976, to: 1978 }],
      identifiers: [{ kind: 'passport', country: 'BR', value: 'BE597' }],
    });
  });
});

describe('The list of the United Nations', () => {
  it('reads names of several parts and scripts, low aliases as weak ones, and ranges of years', async () => {
    const {
      entities: [person, organisation],
      facts,
    } = await read(readUnXml, UN);
    expect([facts.publishedAt, namesOf(person!)]).toEqual([
      '2020-12-01',
      ['Heitor MONTALVÃO', 'Монталван', 'O Navegador~', 'O Piloto~'],
    ]);
    expect(person).toMatchObject({
      references: ['KPi.999'],
      countries: ['KP'],
      birthDates: [{ from: 1958, to: 1963 }],
      identifiers: [{ kind: 'passport', value: '381310' }],
    });
    expect(organisation).toMatchObject({ type: 'organisation', references: ['KPe.999'] });
  });
});

describe('The list of the European Union', () => {
  it('reads one entity per logical id, with its number at the United Nations', async () => {
    const [person] = await entitiesOf(
      readEuXml,
      `<export xmlns="urn:x" generationDate="2020-04-15T15:29:22"><sanctionEntity unitedNationId="QDi.999" euReferenceNumber="EU.1.1" logicalId="5"><regulation programme="TAQA"><publicationUrl>https://example.org/a</publicationUrl></regulation><subjectType code="person"/>
      <nameAlias wholeName="Heitor Montalvão" gender="M" strong="true"/><nameAlias wholeName="O Navegador" strong="false"/><citizenship countryIso2Code="DZ"/><birthdate circa="true" calendarType="GREGORIAN" year="1958"/><birthdate calendarType="GREGORIAN" birthdate="1965-12-12" year="1965"/>
      <identification number="L191609" identificationTypeCode="passport" countryIso2Code="TN"/></sanctionEntity></export>`,
    );
    expect(namesOf(person!)).toEqual(['Heitor Montalvão', 'O Navegador~']);
    expect(person).toMatchObject({
      gender: 'male',
      countries: ['DZ'],
      birthDates: [{ from: 1957, to: 1959 }, '1965-12-12'],
      references: ['QDi.999', 'EU.1.1'],
      identifiers: [{ kind: 'passport', country: 'TN', value: 'L191609' }],
      sourceUrl: 'https://example.org/a',
    });
  });
});

describe('The list of the United Kingdom', () => {
  it('reads one entity from the rows of a group, and dates with only a year', async () => {
    const {
      entities: [person],
      facts,
    } = await read(
      readUkCsv,
      `Last Updated,27/04/2020,,,,,,,,,
Name 6,Name 1,Name 2,Alias Quality,DOB,Nationality,Other Information,Group Type,Alias Type,Regime,Group ID
REIS,Heitor,,Low,00/00/1980,1) Saudi Arabia 2) Qatar,UN Ref QDe.004. Navigator.,Individual,AKA,Aurora,13349
MONTALVÃO,Heitor,José,,28/09/1955,,,Individual,Prime Alias,Aurora,13349\n`,
    );
    expect([facts.publishedAt, namesOf(person!)]).toEqual(['2020-04-27', ['Heitor José MONTALVÃO', 'Heitor REIS~']]);
    expect(person).toMatchObject({
      key: '13349',
      birthDates: ['1980', '1955-09-28'],
      countries: ['SA', 'QA'],
      references: ['QDe.004'],
      programmes: ['Aurora'],
    });
  });
});

describe('The lists of the United States', () => {
  it('have several values in one column, which are separated', async () => {
    const [person] = await entitiesOf(
      readUsCslCsv,
      '_id,source,type,programs,name,title,alt_names,dates_of_birth,nationalities,ids\n' +
        '21,Specially Designated Nationals (SDN) - Treasury Department,Individual,SDGT; NPWMD,"MONTALVAO, ' +
        'Heitor",,"REIS, Heitor; O NAVEGADOR",1967-03-25; 1968,BR,"JO, 2014-08-30, 2009-08-31, K475336, ' +
        'Passport; Male, Gender"\n',
    );
    expect(namesOf(person!)).toEqual(['Heitor MONTALVAO', 'Heitor REIS', 'O NAVEGADOR']);
    expect(person).toMatchObject({
      category: 'sanction',
      programmes: ['SDGT', 'NPWMD'],
      birthDates: ['1967-03-25', '1968'],
      identifiers: [{ kind: 'passport', country: 'JO', value: 'K475336' }],
    });
  });
});

describe('OpenSanctions', () => {
  it('reads the FollowTheMoney records that are entities, with their former ids', async () => {
    const lines = [
      {
        id: 'Q1',
        schema: 'Person',
        referents: ['old-1'],
        properties: {
          name: ['Heitor Montalvão'],
          weakAlias: ['O Navegador'],
          birthDate: ['1967-02'],
          nationality: ['br'],
          topics: ['role.pep', 'sanction'],
        },
      },
      { id: 'A1', schema: 'Address', properties: {} },
    ];
    const [person, ...others] = await entitiesOf(readFtmJson, lines.map((line) => JSON.stringify(line)).join('\n'));
    expect([person, others]).toMatchObject([
      {
        key: 'Q1',
        category: 'sanction',
        references: ['old-1'],
        birthDates: ['1967-02'],
        countries: ['BR'],
      },
      [],
    ]);
    expect(namesOf(person!)).toEqual(['Heitor Montalvão', 'O Navegador~']);
  });

  it('is rejected if a line never ends', async () => {
    async function* endless(): Bytes & AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"id": "A1", "schema": "Address", "properties": {}}\n');
      while (true) yield Buffer.alloc(1024 ** 2, 'a');
    }
    await expect(readFtmJson(endless(), {}, {}).next()).rejects.toThrow('line 2 is longer than that of any entity');
  });

  it('is read from the simple table too', async () => {
    const [company] = await entitiesOf(
      readTargetsCsv,
      'id,schema,name,aliases,birth_date,countries,identifiers,sanctions\nQ2,Company,Aurora Ltda,"Aurora; Aurora SA",,br,"77-36",frozen\n',
    );
    expect(company).toMatchObject({
      key: 'Q2',
      type: 'organisation',
      countries: ['BR'],
      identifiers: [{ kind: 'other', value: '7736' }],
      remarks: 'frozen',
    });
  });
});

describe('The name of a file', () => {
  it.each([
    ['20261124_CEIS.csv', '2026-11-24'],
    ['202611_PEP.csv', '2026-11-01'],
    ['sdn-2023-12-28.csv.gz', '2023-12-28'],
    ['sdn.csv', undefined],
    ['20261399_x.csv', undefined],
    ['1234567890123', undefined],
    ['20260230.csv', undefined],
  ])('%s contains the day %s', (name, day) => {
    expect(dayInName(name)).toBe(day);
  });
});

describe('The registers of the CGU', () => {
  it('contain one person for several functions, by masked number and name, in both shapes of the mask', async () => {
    const people = await entitiesOf(
      readCguPep,
      Buffer.from(
        `"CPF";"Nome_PEP";"Descrição_Função";"Nome_Órgão";"Data_Início_Exercício";"Data_Fim_Exercício";"Data_Fim_Carência"
"***.982.247-**";"HEITOR MONTALVÃO";"VEREADOR";"MUNICÍPIO";"01/01/2017";"31/12/2020";"31/12/2025"
"***982247**";"HEITOR MONTALVÃO";"PREFEITO";"MUNICÍPIO";"01/01/2021";"";""\n`,
        'latin1',
      ),
    );
    expect(people).toMatchObject([
      {
        category: 'pep',
        countries: ['BR'],
        identifiers: [{ kind: 'cpf_masked', value: '***982247**' }],
        position: { title: 'VEREADOR; PREFEITO', from: '2017-01-01', to: '2020-12-31' },
      },
    ]);
  });

  it('contain companies and people that may not contract, with line breaks within a value', async () => {
    const entities = await entitiesOf(
      readCguPenalties,
      `"CADASTRO";"TIPO DE PESSOA";"CPF OU CNPJ DO SANCIONADO";"NOME DO SANCIONADO";"NOME FANTASIA - CADASTRO RECEITA";"CATEGORIA DA SANÇÃO";"DATA FINAL SANÇÃO"
"CEIS";"J";"12.ABC.345/01DE-35";"AURORA LTDA";"AURORA\nENCANTADA";"Impedimento";"31/12/2030"
"CEIS";"F";"***.982.247-**";"HEITOR MONTALVÃO";"";"Suspensão";""\n`,
    );
    expect(entities).toMatchObject([
      {
        type: 'organisation',
        category: 'disqualified',
        identifiers: [{ kind: 'cnpj', value: '12ABC34501DE35' }],
        names: [{ name: 'AURORA LTDA' }, { name: 'AURORA ENCANTADA' }],
        programmes: ['Impedimento'],
      },
      { type: 'person', identifiers: [{ kind: 'cpf_masked' }] },
    ]);
    expect(
      await entitiesOf(
        readCguCepim,
        '"CNPJ ENTIDADE";"NOME ENTIDADE";"MOTIVO DO IMPEDIMENTO"\n"11222333000181";"ASSOCIAÇÃO AURORA";"CONTAS"\n',
      ),
    ).toMatchObject([{ type: 'organisation', identifiers: [{ value: '11222333000181' }] }]);
  });
});

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

  it.each([
    ['1,person,=HYPERLINK(1),,,,,,', 'line 2, name: must not begin like a formula'],
    ['1,person,@SUM(1),,,,,,', 'line 2, name: must not begin like a formula'],
    ['1,person,-1+HYPERLINK(2),,,,,,', 'line 2, name: must not begin like a formula'],
    ['1,person,-cmd,,,,,,', 'line 2, name: must not begin like a formula'],
    ['1,dog,Rex,,,,,,', 'line 2, type: must be one of person, organisation, vessel, aircraft'],
    ['1,person,,,,,,,', 'line 2, name: is missing'],
    [',person,Ana,,,,,,', 'line 2, key: is missing'],
    ['1,person,Ana,,,,,,\n1,person,Eva,,,,,,', 'line 3, key: is there twice'],
    ['1,person,Ana,,17/02/1967,,,,', 'line 2, date_of_birth: must be a day or a year of ISO 8601'],
    ['1,person,Ana,,,Atlantis,,,', 'line 2, countries: must be codes of ISO 3166-1'],
    ['1,person,Ana,,,,123,,', 'line 2, tax_id: must have 11 signs'],
    ['1,person,Ana,,,,,good,', 'line 2, category: must be one of sanction, pep, rca, adverse, watchlist, disqualified'],
  ])('that has %j says what is wrong: %s', async (rows, message) => {
    await expect(read(readTenantCsv, `${OWN}${rows}\n`)).rejects.toThrow(message);
  });
});

describe('A broken file is rejected with a reason:', () => {
  const readers = {
    readOfacCsv,
    readOfacXml,
    readUnXml,
    readEuXml,
    readUkCsv,
    readUsCslCsv,
    readFtmJson,
    readTargetsCsv,
    readCguPep,
    readTenantCsv,
  };
  it.each(Object.entries(readers))('%s, of an empty file and of another format', async (_, reader) => {
    for (const file of ['', '\n', 'Dear Sir,\nplease find enclosed', '{"a":1}', '<html></html>', '<a>'])
      await expect(read(reader, file), file).rejects.toThrow(SourceFileError);
  });

  it.each([
    ['an ampersand that begins no entity', UN.replace('AURORA TRADING', 'AURORA & TRADING'), 'not well-formed XML'],
    ['the end is missing', UN.slice(0, -40), 'not well-formed XML'],
    ['an entity of its own', `<!DOCTYPE a [<!ENTITY x "y">]>${UN.replace('AURORA', '&x;')}`, 'not well-formed XML'],
    [
      'another encoding',
      Buffer.concat([Buffer.from(UN.slice(0, 180)), Buffer.alloc(100, 0xe9), Buffer.from(UN.slice(180))]),
      'not encoded in UTF-8',
    ],
    [
      'an entry of which no name can be read',
      UN.replace('AURORA TRADING', 'AURORA TRADINGÃ£'),
      'entry KPe.999: a name has signs that no name has, so the file was damaged, and the entry has no other name',
    ],
    ['an entry without a name', UN.replace('AURORA TRADING', ' '), 'entry KPe.999 has no name'],
  ])('%s', async (_, file, message) => {
    await expect(read(readUnXml, file)).rejects.toThrow(message);
  });

  it('a row that lacks a column, and a header that lacks one', async () => {
    await expect(read(readOfacCsv, '101,"MONTALVAO, Heitor",individual\n')).rejects.toThrow(
      'line 1 has 3 columns instead of 12',
    );
    await expect(read(readUsCslCsv, '_id,name\n1,Ana\n')).rejects.toThrow(
      'line 1 should name the columns, and lacks: source, type',
    );
  });
});

describe('A record of XML', () => {
  const un = (inside: string): string =>
    `<CONSOLIDATED_LIST dateGenerated="2026-01-01"><INDIVIDUALS><INDIVIDUAL>${inside}</INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>`;
  const read = async (file: string): Promise<string> => {
    try {
      for await (const _ of readUnXml(piecesOf(file, 65_536), {}, {}));
      return 'read';
    } catch (error) {
      return error instanceof SourceFileError ? error.message : String(error);
    }
  };

  it.each([
    ['levels', un('<A>'.repeat(40) + '</A>'.repeat(40)), /more than 32 levels \(line 1\)/],
    ['levels outside of it', '<CONSOLIDATED_LIST>' + '<A>'.repeat(5_000_000), /more than 32 levels/],
    ['elements', un('<A/>'.repeat(5_000_000)), /more than 20000 elements/],
    ['characters', un('x'.repeat(3_000_000)), /more than 2000000 characters/],
    [
      'characters in many texts',
      un('<A>xxxxxxxxxxxxxxxxxxxx</A>y'.repeat(19_000) + '<![CDATA[' + 'x'.repeat(2_000_000) + ']]>'),
      /more than 2000000 characters/,
    ],
    [
      'attributes',
      un(`<A ${Array.from({ length: 1_000_000 }, (_, at) => `a${at}=""`).join(' ')}/>`),
      /more than 100 attributes/,
    ],
  ])('is rejected if it has too many %s, before it is read to its end', async (_, file, message) => {
    const started = performance.now();
    expect(await read(file)).toMatch(message);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('may be followed by any number of others, and by any white space', async () => {
    const file = `<CONSOLIDATED_LIST><INDIVIDUALS>${`<INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>Heitor</FIRST_NAME></INDIVIDUAL>${' '.repeat(200)}\n`.repeat(12_000)}</INDIVIDUALS></CONSOLIDATED_LIST>`;
    expect(await read(file)).not.toMatch(/more than/);
  });
});

describe('An archive', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watch-list-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const stored = async (bytes: Uint8Array): Promise<string> => {
    const path = join(folder, 'file');
    await writeFile(path, bytes);
    return path;
  };
  const zip = async (...files: string[]): Promise<Uint8Array> =>
    new Uint8Array(await downloadZip(files.map((input, index) => ({ name: `${index}.xml`, input }))).arrayBuffer());
  const textIn = async (bytes: Uint8Array): Promise<string> => {
    const parts: Uint8Array[] = [];
    for await (const part of await uncompressed(await stored(bytes))) parts.push(part);
    return Buffer.concat(parts).toString();
  };

  it('of one file is read as that file, like a file without an archive', async () => {
    for (const bytes of [await zip(UN), gzipSync(UN), Buffer.from(UN)]) expect(await textIn(bytes)).toBe(UN);
  });

  it('of two files, of none, truncated, damaged, or far larger than it looks is rejected', async () => {
    const broken: Readonly<Record<string, [Uint8Array, string]>> = {
      two: [await zip(UN, UN), 'holds 2 files'],
      none: [await zip(), 'holds 0 files'],
      cut: [(await zip(UN)).subarray(0, 60), 'cannot be read'],
      damaged: [gzipSync(UN).subarray(0, 80), 'cannot be read'],
      bomb: [gzipSync(Buffer.alloc(64 * 1024 ** 2)), 'far more than a list has'],
    };
    for (const [name, [bytes, message]] of Object.entries(broken))
      await expect(textIn(bytes), name).rejects.toThrow(message);
  });
});

/** Published lists are next to the project on development machines only. Elsewhere the files above replace them. */
const LISTS = new URL('../../../../shared/data/screening/', import.meta.url);

if (existsSync(LISTS))
  describe('A published list', () => {
    const published = async (
      reader: SourceReader,
      name: string,
      others: Readonly<Record<string, string>> = {},
    ): Promise<ListedEntity[]> => {
      const open = (file: string): Promise<Bytes> => uncompressed(new URL(file, LISTS).pathname);
      const more = Object.fromEntries(
        await Promise.all(Object.entries(others).map(async ([role, file]) => [role, await open(file)] as const)),
      );
      const entities: ListedEntity[] = [];
      for await (const entity of reader(await open(name), {}, more)) entities.push(entity);
      return entities;
    };

    it.each<[string, SourceReader, string, Readonly<Record<string, string>>, number, number?]>([
      ['of OFAC', readOfacCsv, 'ofac/sdn-2023-12-28.csv.gz', { alt: 'ofac/alt-2023-12-28.csv.gz' }, 13_821],
      [
        'of OFAC with its overflow',
        readOfacCsv,
        'ofac/s2021/sdn.csv.gz',
        { alt: 'ofac/s2021/alt.csv.gz', comments: 'ofac/s2021/sdn_comments.csv.gz' },
        8976,
      ],
      ['of OFAC beside the nationals', readOfacXml, 'ofac/ofac_consolidated_nonsdn-2020-04-22.xml.gz', {}, 375],
      ['of the United Nations', readUnXml, 'un/un_consolidated-2020-12-01.xml.gz', {}, 1006],
      ['of the United Kingdom', readUkCsv, 'uk/hmt_conlist-2020-04-27.csv.gz', {}, 2114],
      ['of the United States', readUsCslCsv, 'us-csl/us_csl_consolidated.csv.gz', {}, 14_160, 14_159],
    ])(
      '%s is read completely, and every entity has a name',
      async (_, reader, name, others, count, distinct = count) => {
        const entities = await published(reader, name, others);
        expect([entities.length, new Set(entities.map(({ key }) => key)).size]).toEqual([count, distinct]);
        expect(
          entities.filter(({ names }) => names.length === 0 || names.some(({ name: text }) => text.trim() === '')),
        ).toEqual([]);
      },
    );

    it.each([
      ['un/un_consolidated-2024-10-16.xml.gz', 'not well-formed XML'],
      ['un/un_consolidated-2025-08-16.xml.gz', 'entry CDi.005: a name has signs that no name has'],
    ])('that was damaged by its publisher is rejected: %s', async (name, message) => {
      await expect(published(readUnXml, name)).rejects.toThrow(message);
    });
  });
