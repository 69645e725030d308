/**
 * Watch lists and labelled names outside of the project, read in place. None of their content enters the project. Used
 * by the measurements of screening.
 */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import type { ListedEntity } from '../../server/screening/listed-entity.ts';
import { NameIndexBuilder } from '../../server/screening/engine/name-index.ts';
import { NameSearch } from '../../server/screening/engine/search.ts';
import type { Subject } from '../../server/screening/engine/subject.ts';
import type { NameOf } from '../../server/screening/names/token.ts';
import { uncompressed } from '../../server/screening/sources/compressed.ts';
import { readOfacCsv } from '../../server/screening/sources/ofac-csv.ts';
import type { Bytes, SourceReader } from '../../server/screening/sources/source-file.ts';
import { readUnXml } from '../../server/screening/sources/un-xml.ts';
import { amount, type Figure } from './figures.ts';

const FOLDER = new URL('../../../shared/data/screening/', import.meta.url);
export const hasData = (): boolean => existsSync(FOLDER);
export const pathOf = (name: string): string => new URL(name, FOLDER).pathname;

export type LabelledRow = Readonly<Record<string, string>>;

/** Returns the rows of a labelled set. */
export function labelled(name: string): LabelledRow[] {
  const bytes = readFileSync(pathOf(`labelled/${name}`));
  return parse(name.endsWith('.gz') ? gunzipSync(bytes) : bytes, { columns: true, relax_quotes: true });
}

export async function entitiesOf(
  read: SourceReader,
  file: Bytes,
  others: Readonly<Record<string, Bytes>> = {},
): Promise<ListedEntity[]> {
  const entities: ListedEntity[] = [];
  for await (const entity of read(file, {}, others)) entities.push(entity);
  return entities;
}

export const ofacOf2023 = async (): Promise<ListedEntity[]> =>
  entitiesOf(readOfacCsv, await uncompressed(pathOf('ofac/sdn-2023-12-28.csv.gz')), {
    alt: await uncompressed(pathOf('ofac/alt-2023-12-28.csv.gz')),
  });

/**
 * Returns the entities of a list of the United Nations. The stored list of 2025 is damaged, and the importer refuses it
 * as a whole, so its undamaged records are read one by one.
 */
export async function unOf(date: '2020-12-01' | '2025-08-16'): Promise<ListedEntity[]> {
  const path = pathOf(`un/un_consolidated-${date}.xml.gz`);
  if (date === '2020-12-01') return entitiesOf(readUnXml, await uncompressed(path));
  const text = gunzipSync(readFileSync(path)).toString('utf8');
  const entities: ListedEntity[] = [];
  for (const [record] of text.matchAll(/<(INDIVIDUAL|ENTITY)>.*?<\/\1>/gs)) {
    const clean = record.replace(/[\uFFFD\p{Cc}]/gu, ' ').replace(/&(?!\w+;|#)/g, '&amp;');
    const document = `<CONSOLIDATED_LIST>${clean}</CONSOLIDATED_LIST>`;
    entities.push(
      ...(await entitiesOf(
        readUnXml,
        (async function* () {
          yield new TextEncoder().encode(document);
        })(),
      ).catch(() => [])),
    );
  }
  return entities;
}

/** Returns an index of some lists, for names of people or of organisations. */
export function searchOf(of: NameOf, ...lists: readonly (readonly ListedEntity[])[]): NameSearch {
  const builder = new NameIndexBuilder(of);
  lists.forEach((entities, list) => {
    for (const entity of entities) builder.add(entity, list);
  });
  return new NameSearch(builder.build());
}

export const percent = (part: number, whole: number): Figure =>
  amount((100 * part) / whole, '%', `${((100 * part) / whole).toFixed(1)} % of ${whole}`);

/** Returns about `count` values, spread evenly over all of them. */
export const sample = <T>(all: readonly T[], count: number): T[] =>
  all.filter((_, index) => index % Math.max(1, Math.floor(all.length / count)) === 0).slice(0, count);

/** Rules without confirmation and tolerance, for two lists. */
export const RULES = [
  { needsConfirmation: false, dobToleranceYears: 0 },
  { needsConfirmation: false, dobToleranceYears: 0 },
];

export const subject = (type: NameOf, name: string, birthDate: string | null = null): Subject => ({
  type,
  names: [name],
  birthDate,
  gender: null,
  countries: [],
  taxId: null,
  identifiers: [],
});
