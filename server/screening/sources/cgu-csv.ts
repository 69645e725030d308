/**
 * Reads the registers of Brazil's Office of the Comptroller General. Used by the list of formats (index.ts). A damaged
 * file is refused as a whole.
 */
import type { ListedEntity, ListedIdentifier, ListCategory } from '../listed-entity.ts';
import { type CsvRow, csvRows } from './csv-rows.ts';
import { slashedDate } from './dates.ts';
import { namesOf } from './listed-names.ts';
import { NOTHING_KNOWN, type SourceFacts, SourceFileError, type SourceReader } from './source-file.ts';

/**
 * Format of the registers of Brazil's Office of the Comptroller General: semicolons, Windows-1252, quoted line breaks,
 * one row per function or penalty of an entity.
 */
interface Register {
  readonly number: string;
  readonly names: readonly string[];
  readonly category: ListCategory;
  /** Column with the basis of the entry. */
  readonly programme: string;
  readonly remarks: readonly string[];
  readonly from: string | null;
  readonly to: string | null;
}

const PENALTIES: Register = {
  number: 'CPF OU CNPJ DO SANCIONADO',
  category: 'disqualified',
  programme: 'CATEGORIA DA SANCAO',
  from: 'DATA INICIO SANCAO',
  to: 'DATA FINAL SANCAO',
  names: [
    'NOME DO SANCIONADO',
    'NOME INFORMADO PELO ORGAO SANCIONADOR',
    'RAZAO SOCIAL - CADASTRO RECEITA',
    'NOME FANTASIA - CADASTRO RECEITA',
  ],
  remarks: ['NUMERO DO PROCESSO', 'ORGAO SANCIONADOR', 'FUNDAMENTACAO LEGAL'],
};

/** Reads politically exposed persons. A function counts until its period of grace ends, five years after its end. */
export const readCguPep = readRegister({
  number: 'CPF',
  names: ['NOME PEP'],
  category: 'pep',
  programme: 'DESCRICAO FUNCAO',
  remarks: ['NOME ORGAO', 'DATA FIM CARENCIA'],
  from: 'DATA INICIO EXERCICIO',
  to: 'DATA FIM EXERCICIO',
});
/**
 * Reads companies and persons that may not contract with the state (CEIS), were punished under the anti-corruption law
 * (CNEP), or are expelled officials (CEAF).
 */
export const readCguPenalties = readRegister(PENALTIES);
/** Reads private non-profit organisations that may not receive public money. */
export const readCguCepim = readRegister({
  number: 'CNPJ ENTIDADE',
  names: ['NOME ENTIDADE'],
  category: 'disqualified',
  programme: 'MOTIVO DO IMPEDIMENTO',
  remarks: ['NUMERO CONVENIO', 'ORGAO CONCEDENTE'],
  from: null,
  to: null,
});

const plainColumn = (written: string): string =>
  written.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('_', ' ').replace(/\s+/g, ' ').trim().toUpperCase();

function readRegister(register: Register): SourceReader {
  return async function* (file, facts) {
    const entities = new Map<string, CsvRow[]>();
    for await (const row of csvRows(file, {
      encoding: 'either',
      delimiter: ';',
      columns: [register.number, register.names[0]!, register.programme],
      columnName: plainColumn,
    })) {
      // Number and name together are unique. Many people share a masked number alone.
      const number = numberIn(row.get(register.number), row.line);
      const key = `${number?.value ?? ''} ${plainColumn(row.get(register.names[0]!))}`;
      (entities.get(key) ?? entities.set(key, []).get(key)!).push(row);
    }
    if (entities.size === 0) throw new SourceFileError('the file has no entities');
    for (const [key, rows] of entities) yield entityOf(register, key, rows, facts);
  };
}

function entityOf(register: Register, key: string, rows: readonly CsvRow[], facts: SourceFacts): ListedEntity {
  const [first] = rows as [CsvRow];
  const number = numberIn(first.get(register.number), first.line);
  const all = (column: string | null): string[] =>
    column === null ? [] : [...new Set(rows.map(({ get }) => get(column)).filter((text) => text !== ''))];
  const names = namesOf(
    register.names.flatMap((column, index) =>
      all(column).map((name) => [name, index === 0 ? 'primary' : 'alias'] as const),
    ),
    { key, where: `line ${first.line}` },
    facts,
  );
  const type = number?.kind === 'cnpj' || first.get('TIPO DE PESSOA') === 'J' ? 'organisation' : 'person';
  const dates = (column: string | null): string[] =>
    all(column)
      .map(slashedDate)
      .filter((date) => date !== null)
      .sort();
  const title = all(register.programme).join('; ');
  return {
    ...NOTHING_KNOWN,
    key,
    type,
    category: register.category,
    names,
    countries: ['BR'],
    identifiers: number === null ? [] : [number],
    programmes: register.category === 'pep' ? [] : all(register.programme),
    position:
      register.category !== 'pep'
        ? null
        : { title, from: dates(register.from)[0] ?? null, to: dates(register.to).at(-1) ?? null },
    remarks:
      [...register.remarks, ...(register.category === 'pep' ? [] : [register.from, register.to])]
        .flatMap((column) => all(column).map((text) => `${column}: ${text}`))
        .join('\n') || null,
  };
}

/** Reads a number. `***.456.789-**` and `***456789**` are masked; a number of another length is damaged. */
function numberIn(text: string, line: number): ListedIdentifier | null {
  const value = text.replace(/[^\dA-Z*]/gi, '').toUpperCase();
  if (value === '') return null;
  if (value.length === 14) return { kind: 'cnpj', country: 'BR', value };
  if (value.length !== 11) throw new SourceFileError(`line ${line}: the number is neither a CPF nor a CNPJ`);
  return { kind: value.includes('*') ? 'cpf_masked' : 'cpf', country: 'BR', value };
}
