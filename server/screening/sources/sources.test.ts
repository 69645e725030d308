/** Tests of the readers of each public list. */
import { describe, expect, it } from 'vitest';
import { entitiesOf, namesOf, read, SDN, UN } from '../../../test/support/list-files.ts';
import { readCguCepim, readCguPenalties, readCguPep } from './cgu-csv.ts';
import { readEuXml } from './eu-xml.ts';
import { readOfacCsv } from './ofac-csv.ts';
import { readOfacXml } from './ofac-xml.ts';
import { readFtmJson, readTargetsCsv } from './opensanctions.ts';
import { type Bytes, dayInName } from './source-file.ts';
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
      `<?xml version="1.0"?><sdnList xmlns="urn:x">
      <publshInformation><Publish_Date>04/22/2020</Publish_Date></publshInformation>
      <sdnEntry><uid>7</uid><firstName>Heitor</firstName><lastName>MONTALVÃO</lastName><sdnType>Individual</sdnType>
      <programList><program>SDGT</program></programList>
      <idList><id><idType>Passport</idType><idNumber>BE 597</idNumber><idCountry>Brazil</idCountry></id>
      <id><idType>Gender</idType><idNumber>Male</idNumber></id></idList>
      <akaList><aka><type>a.k.a.</type><category>weak</category><lastName>O NAVEGADOR</lastName></aka></akaList>
      <dateOfBirthList><dateOfBirthItem><dateOfBirth>01 Jan 1976 to 31 Dec 1978</dateOfBirth></dateOfBirthItem>
      </dateOfBirthList></sdnEntry></sdnList>`,
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
      `<export xmlns="urn:x" generationDate="2020-04-15T15:29:22">
      <sanctionEntity unitedNationId="QDi.999" euReferenceNumber="EU.1.1" logicalId="5">
      <regulation programme="TAQA"><publicationUrl>https://example.org/a</publicationUrl></regulation>
      <subjectType code="person"/>
      <nameAlias wholeName="Heitor Montalvão" gender="M" strong="true"/>
      <nameAlias wholeName="O Navegador" strong="false"/><citizenship countryIso2Code="DZ"/>
      <birthdate circa="true" calendarType="GREGORIAN" year="1958"/>
      <birthdate calendarType="GREGORIAN" birthdate="1965-12-12" year="1965"/>
      <identification number="L191609" identificationTypeCode="passport" countryIso2Code="TN"/>
      </sanctionEntity></export>`,
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
      '"CADASTRO";"TIPO DE PESSOA";"CPF OU CNPJ DO SANCIONADO";"NOME DO SANCIONADO";' +
        '"NOME FANTASIA - CADASTRO RECEITA";"CATEGORIA DA SANÇÃO";"DATA FINAL SANÇÃO"' +
        `
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
