/** Tests with files as publishers have published them. They run only where those files lie next to the project. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ListedEntity } from '../listed-entity.ts';
import { uncompressed } from './compressed.ts';
import { readOfacCsv } from './ofac-csv.ts';
import { readOfacXml } from './ofac-xml.ts';
import type { Bytes, SourceReader } from './source-file.ts';
import { readUkCsv } from './uk-csv.ts';
import { readUnXml } from './un-xml.ts';
import { readUsCslCsv } from './us-csl-csv.ts';

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

    it.each<[string, Parameters<typeof published>, count: number, distinct?: number]>([
      ['of OFAC', [readOfacCsv, 'ofac/sdn-2023-12-28.csv.gz', { alt: 'ofac/alt-2023-12-28.csv.gz' }], 13_821],
      [
        'of OFAC with its overflow',
        [
          readOfacCsv,
          'ofac/s2021/sdn.csv.gz',
          { alt: 'ofac/s2021/alt.csv.gz', comments: 'ofac/s2021/sdn_comments.csv.gz' },
        ],
        8976,
      ],
      ['of OFAC beside the nationals', [readOfacXml, 'ofac/ofac_consolidated_nonsdn-2020-04-22.xml.gz', {}], 375],
      ['of the United Nations', [readUnXml, 'un/un_consolidated-2020-12-01.xml.gz', {}], 1006],
      ['of the United Kingdom', [readUkCsv, 'uk/hmt_conlist-2020-04-27.csv.gz', {}], 2114],
      ['of the United States', [readUsCslCsv, 'us-csl/us_csl_consolidated.csv.gz', {}], 14_160, 14_159],
    ])('%s is read completely, and every entity has a name', async (_, files, count, distinct = count) => {
      const entities = await published(...files);
      expect([entities.length, new Set(entities.map(({ key }) => key)).size]).toEqual([count, distinct]);
      expect(
        entities.filter(({ names }) => names.length === 0 || names.some(({ name: text }) => text.trim() === '')),
      ).toEqual([]);
    });

    it.each([
      ['un/un_consolidated-2024-10-16.xml.gz', 'not well-formed XML'],
      ['un/un_consolidated-2025-08-16.xml.gz', 'entry CDi.005: a name has signs that no name has'],
    ])('that was damaged by its publisher is rejected: %s', async (name, message) => {
      await expect(published(readUnXml, name)).rejects.toThrow(message);
    });
  });
