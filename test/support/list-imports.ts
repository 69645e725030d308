/** Imports of invented watch lists for tests. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { PLATFORM_TENANT_ID } from '../../server/database/roles.ts';
import {
  activeVersions,
  type Delta,
  deltaOf,
  documentsOf,
  type Imported,
  importList,
  type ImportOrder,
  type ListVersion,
} from '../../server/modules/watch-lists/index.ts';
import type { ListedEntity } from '../../server/screening/listed-entity.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';

export const DAY = new Date('2026-11-20T12:00:00.000Z');
export const BY = { type: 'system', id: 'test', display: 'Test' } as const;
export const SANDBOX = { environment: 'sandbox', listId: 'ofac-sdn' } as const;
const HEADER = 'key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks';

export type Row = Readonly<{
  key: string;
  name: string;
  born?: string;
  remarks?: string;
}>;

export const csvOf = (rows: readonly Row[]): string =>
  [
    HEADER,
    ...rows.map(({ key, name, born = '', remarks = '' }) => `${key},person,${name},,${born},,,,${remarks}`),
  ].join('\n');

export const many = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ key: `k${index}`, name: `Nome ${'abcdefghij'[index % 10]}${index}` }));

/** Empties the database of all imported lists. */
export async function removeLists({ sql }: TestDatabase): Promise<void> {
  await sql('TRUNCATE watch_list_version, watch_list_file, watch_list_entity');
}

export type ImportOptions = Partial<Omit<ImportOrder, 'files'>>;

/** Database into which the tests of a file import lists. It has no lists before each test. */
export class ListImports {
  test!: TestDatabase;
  #folder!: string;
  #files = 0;

  constructor() {
    beforeAll(async () => {
      [this.#folder, this.test] = [await mkdtemp(join(tmpdir(), 'watch-lists-')), await createTestDatabase()];
    });
    afterAll(() => Promise.all([this.test.close(), rm(this.#folder, { recursive: true })]));
    beforeEach(() => removeLists(this.test));
  }

  async fileOf(content: string | Uint8Array): Promise<string> {
    const path = join(this.#folder, String(this.#files++));
    await writeFile(path, content);
    return path;
  }

  async take(content: string | Uint8Array | readonly Row[], options: ImportOptions = {}): Promise<Imported> {
    const isFile = typeof content === 'string' || content instanceof Uint8Array;
    const main = await this.fileOf(isFile ? content : csvOf(content));
    return importList(this.test.database, {
      ...SANDBOX,
      format: 'own',
      files: { main },
      by: BY,
      now: DAY,
      ...options,
    });
  }

  async entitiesIn(sequence: number): Promise<ListedEntity[]> {
    const pages = await this.#all((tx) => documentsOf(tx, SANDBOX, sequence));
    return pages.flat().map((text) => JSON.parse(text) as ListedEntity);
  }

  async namesIn(sequence: number): Promise<string[]> {
    return (await this.entitiesIn(sequence)).map(({ names }) => names[0]!.name);
  }

  changesOf(sequence: number): Promise<Delta[]> {
    return this.#all((tx) => deltaOf(tx, SANDBOX, sequence));
  }

  async active(): Promise<ListVersion | undefined> {
    const { database } = this.test;
    return (await database.transaction({ tenantId: PLATFORM_TENANT_ID }, (tx) => activeVersions(tx, 'sandbox')))[0];
  }

  #all<T>(list: (tx: Parameters<typeof documentsOf>[0]) => AsyncGenerator<T>): Promise<T[]> {
    return this.test.database.transaction({ tenantId: PLATFORM_TENANT_ID, readOnly: true }, async (tx) => {
      const found: T[] = [];
      for await (const one of list(tx)) found.push(one);
      return found;
    });
  }
}
