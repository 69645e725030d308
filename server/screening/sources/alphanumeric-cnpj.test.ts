/** Tests that every reader of a list that has CNPJs takes those with letters. */
import { expect, it } from 'vitest';
import { entitiesOf } from '../../../test/support/list-files.ts';
import { readCguCepim, readCguPenalties } from './cgu-csv.ts';
import { remarksOf } from './ofac-remarks.ts';
import { readFtmJson } from './opensanctions.ts';
import { readTenantCsv } from './tenant-csv.ts';

const CNPJ = { kind: 'cnpj', country: 'BR', value: '12ABC34501DE35' };

it.each(['12ABC34501DE35', '12.ABC.345/01DE-35', '12abc34501de35'])(
  '%s is read from a list of a tenant',
  async (cnpj) => {
    const header = 'key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks\n';
    expect(
      await entitiesOf(readTenantCsv, `${header}1,organisation,Aurora Ltda,,,,${cnpj},watchlist,\n`),
    ).toMatchObject([{ identifiers: [CNPJ] }]);
  },
);

it.each(['12ABC34501DE35', '12.ABC.345/01DE-35'])('%s is read from the lists of the CGU', async (cnpj) => {
  const penalties =
    '"CADASTRO";"TIPO DE PESSOA";"CPF OU CNPJ DO SANCIONADO";"NOME DO SANCIONADO";' +
    '"NOME FANTASIA - CADASTRO RECEITA";"CATEGORIA DA SANÇÃO";"DATA FINAL SANÇÃO"\n';
  const barred = '"CNPJ ENTIDADE";"NOME ENTIDADE";"MOTIVO DO IMPEDIMENTO"\n';
  expect([
    await entitiesOf(readCguPenalties, `${penalties}"CNEP";"J";"${cnpj}";"AURORA LTDA";"";"Multa";""\n`),
    await entitiesOf(readCguCepim, `${barred}"${cnpj}";"ASSOCIAÇÃO AURORA";"CONTAS"\n`),
  ]).toMatchObject([[{ identifiers: [CNPJ] }], [{ identifiers: [CNPJ] }]]);
});

it('is read from the remarks of OFAC', () => {
  expect(remarksOf('C.N.P.J. 12.ABC.345/01DE-35 (Brazil); CNPJ # 12ABC34501DE35.').identifiers).toMatchObject([
    { kind: 'cnpj', value: CNPJ.value },
    { kind: 'cnpj', value: CNPJ.value },
  ]);
});

it('is read as a tax number from data that do not name the register', async () => {
  const line = { id: 'a', schema: 'Company', properties: { name: ['Aurora'], taxNumber: ['12.ABC.345/01DE-35'] } };
  expect(await entitiesOf(readFtmJson, `${JSON.stringify(line)}\n`)).toMatchObject([
    { identifiers: [{ kind: 'tax_number', value: CNPJ.value }] },
  ]);
});
