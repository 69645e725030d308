import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { downloadZip } from 'client-zip';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { each } from '../../../test/support/each.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { OFAC_ALT } from '../../../test/support/watch-lists.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import type { ListedEntity } from '../../screening/listed-entity.ts';
import { PUBLISHED_BOUNDS } from '../../screening/sources/list-bounds.ts';
import { readList } from '../../screening/sources/reading.ts';
import {
  activeVersions,
  type Delta,
  deltaOf,
  documentsOf,
  type Imported,
  importList,
  type ImportOrder,
  type ListVersion,
  rollBack,
} from './index.ts';

const DAY = new Date('2026-11-20T12:00:00.000Z');
const BY = { type: 'system', id: 'test', display: 'Test' } as const;
const SANDBOX = { environment: 'sandbox', listId: 'ofac-sdn' } as const;
const HEADER = 'key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks';
type Row = Readonly<{
  key: string;
  name: string;
  born?: string;
  remarks?: string;
}>;

const csvOf = (rows: readonly Row[]): string =>
  [
    HEADER,
    ...rows.map(({ key, name, born = '', remarks = '' }) => `${key},person,${name},,${born},,,,${remarks}`),
  ].join('\n');
const many = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ key: `k${index}`, name: `Nome ${'abcdefghij'[index % 10]}${index}` }));
/** Rows with the same keys, of which the first are other entities. */
const renamed = (count: number, others: number): Row[] =>
  many(count).map(({ key, name }, index) => ({ key, name: index < others ? `Ninguem Outro ${name}` : name }));

let test: TestDatabase;
let folder: string;
let files = 0;
beforeAll(async () => {
  [folder, test] = [await mkdtemp(join(tmpdir(), 'watch-lists-')), await createTestDatabase()];
});
afterAll(() => Promise.all([test.close(), rm(folder, { recursive: true })]));
/** Empties the database of all imported lists. */
async function removeLists({ sql }: TestDatabase = test): Promise<void> {
  await sql('TRUNCATE watch_list_version, watch_list_file, watch_list_entity');
}
beforeEach(() => removeLists());

async function fileOf(content: string | Uint8Array): Promise<string> {
  const path = join(folder, String(files++));
  await writeFile(path, content);
  return path;
}

type Given = Partial<Omit<ImportOrder, 'files'>>;
async function take(content: string | Uint8Array | readonly Row[], given: Given = {}): Promise<Imported> {
  const main = await fileOf(typeof content === 'string' || content instanceof Uint8Array ? content : csvOf(content));
  return importList(test.database, {
    ...SANDBOX,
    format: 'own',
    files: { main },
    by: BY,
    now: DAY,
    ...given,
  });
}

async function all<T>(list: (tx: Parameters<typeof documentsOf>[0]) => AsyncGenerator<T>): Promise<T[]> {
  return test.database.transaction({ tenantId: PLATFORM_TENANT_ID, readOnly: true }, async (tx) => {
    const found: T[] = [];
    for await (const one of list(tx)) found.push(one);
    return found;
  });
}
const entitiesIn = (sequence: number): Promise<ListedEntity[]> =>
  all((tx) => documentsOf(tx, SANDBOX, sequence)).then((pages) =>
    pages.flat().map((text) => JSON.parse(text) as ListedEntity),
  );
const namesIn = async (sequence: number): Promise<string[]> =>
  (await entitiesIn(sequence)).map(({ names }) => names[0]!.name);
const changesOf = (sequence: number): Promise<Delta[]> => all((tx) => deltaOf(tx, SANDBOX, sequence));
const active = async (): Promise<ListVersion | undefined> =>
  (await test.database.transaction({ tenantId: PLATFORM_TENANT_ID }, (tx) => activeVersions(tx, 'sandbox')))[0];

describe('A file of a watch list', () => {
  it('becomes the active version of its list, and is stored byte by byte', async () => {
    const { outcome, version } = await take(many(3), { version: 'one', publishedOn: '2026-11-19' });
    expect([outcome, version]).toMatchObject([
      'activated',
      {
        version: 'one',
        sequence: 1,
        publishedOn: '2026-11-19',
        entryCount: 3,
        added: 3,
        changed: 0,
        removed: 0,
        restores: null,
        ingestedBy: BY,
      },
    ]);
    expect(await namesIn(1)).toEqual(['Nome a0', 'Nome b1', 'Nome c2']);
    const [kept] = await test.sql<{ text: string }>(
      `SELECT string_agg(convert_from(bytes, 'UTF8'), '' ORDER BY part) AS text FROM watch_list_file`,
    );
    expect(kept!.text).toBe(csvOf(many(3)));
  });

  it('is named by its day and its checksum by default', async () => {
    const { version } = await take(many(3));
    expect(version.version).toBe(`2026-11-20.${version.sha256.slice(0, 8)}`);
  });

  it('may be imported again on the day on which another one replaced it', async () => {
    const [first, , again] = [await take(many(3)), await take(many(4)), await take(many(3), { mayShrink: true })];
    expect([again.outcome, again.version.sequence, again.version.version]).toEqual([
      'activated',
      3,
      `${first.version.version}.3`,
    ]);
    expect(await namesIn(3)).toEqual(await namesIn(1));
  });

  it('may repeat an entry, word for word', async () => {
    const lines = many(3).map(({ key, name }) => ({ uid: key, name }));
    const file = `_id,source,type,programs,name,title,alt_names,dates_of_birth,nationalities,citizenships,ids\n${[...lines, lines[0]!].map(({ uid, name }) => `${uid},SDN,Individual,SDGT,${name},,,,,,`).join('\n')}`;
    expect((await take(file, { listId: 'us-csl', format: 'us-csl' })).version).toMatchObject({
      entryCount: 3,
      added: 3,
    });
    await expect(
      take(`${file}\nk0,SDN,Individual,SDGT,Outro Nome,,,,,,`, { listId: 'us-csl', format: 'us-csl' }),
    ).rejects.toThrow('twice, and says something else');
  });

  it('that is active already changes nothing but the time of the last check', async () => {
    await take(many(3));
    const { outcome, version } = await take(many(3), { now: new Date('2026-11-21T12:00:00.000Z') });
    expect([outcome, version.sequence, version.checkedAt, (await active())!.checkedAt]).toEqual([
      'unchanged',
      1,
      '2026-11-21T12:00:00.000Z',
      '2026-11-21T12:00:00.000Z',
    ]);
  });

  it('is recorded in the audit log of the platform, unless it belongs to the sandbox', async () => {
    const logged = () =>
      test.sql<{ action: string; resource_id: string; changes: { path: string; value: unknown }[] }>(
        'SELECT action, resource_id, changes FROM audit_event WHERE tenant_id = $1 ORDER BY sequence',
        [PLATFORM_TENANT_ID],
      );
    const before = await logged();
    await take(many(3));
    await take(many(3000), { environment: 'live' });
    const events = (await logged()).slice(before.length);
    expect(events).toMatchObject([{ action: 'list.version_ingested', resource_id: 'ofac-sdn' }]);
    expect(events[0]!.changes).toContainEqual({ op: 'add', path: '/entryCount', value: 3000 });
  });

  it('is read once if it is imported twice at the same time', async () => {
    const outcomes = await Promise.all([take(many(30)), take(many(30))]);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['activated', 'unchanged']);
  });
});

describe('The next version', () => {
  it('reports added, removed and changed entries', async () => {
    await take([
      ...many(30),
      { key: 'x', name: 'Ana Reis' },
      { key: 'y', name: 'Bento Reis' },
      { key: 'z', name: 'Caio Reis' },
    ]);
    const { version } = await take([
      ...many(30),
      { key: 'w', name: 'Dora Reis' },
      { key: 'x', name: 'Ana Reis', born: '1961' },
      { key: 'y', name: 'Bento Reis', remarks: 'Procurado' },
    ]);
    expect(version).toMatchObject({
      sequence: 2,
      added: 1,
      changed: 2,
      matchChanged: 1,
      removed: 1,
    });
    expect(
      (await changesOf(2)).map(({ key, before, after, isMatchRelevant }) => [
        key,
        before?.names[0]?.name,
        after?.names[0]?.name,
        isMatchRelevant,
      ]),
    ).toEqual([
      ['w', undefined, 'Dora Reis', true],
      ['x', 'Ana Reis', 'Ana Reis', true],
      ['y', 'Bento Reis', 'Bento Reis', false],
      ['z', 'Caio Reis', undefined, true],
    ]);
  });

  it('has exactly the content of its file, whatever came before, and leaves earlier versions unchanged', async () => {
    const rows = fc.uniqueArray(
      fc.record({
        key: fc.constantFrom(...'abcdefgh'),
        name: fc.constantFrom('Ana Reis', 'Bento Lima', 'Caio Melo'),
        born: fc.constantFrom('', '1961'),
        remarks: fc.constantFrom('', 'x'),
      }),
      { selector: ({ key }) => key, minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { minLength: 2, maxLength: 5 }), async (versions) => {
        await removeLists();
        const expected = new Map<number, Row[]>();
        for (const [index, list] of each(versions.entries())) {
          const { version } = await take(list, { mayShrink: true, version: `v${index}` });
          expected.set(version.sequence, list);
        }
        for (const [sequence, list] of each(expected)) {
          expect(
            (await entitiesIn(sequence)).map(({ key, names, birthDates, remarks }) => ({
              key,
              name: names[0]!.name,
              born: birthDates.join(),
              remarks: remarks ?? '',
            })),
          ).toEqual([...list].sort((a, b) => (a.key < b.key ? -1 : 1)));
        }
      }),
      { numRuns: 6, seed: 20261124 },
    );
  });
});

describe('A doubtful file is refused, and the active version stays', () => {
  const damaged =
    'key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks\nk0,person,JosÃ© Silva,,,,,,\n';
  const cases: Readonly<Record<string, () => Promise<[string | Uint8Array | readonly Row[], Given]>>> = {
    'of no bytes': async () => ['', {}],
    'of broken XML': async () => ['<CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL>', { format: 'un-xml' }],
    'of misread letters': async () => [damaged, {}],
    'with a NUL': async () => [csvOf([{ key: 'k0', name: 'Nome a0', remarks: 'a\u0000b' }]), {}],
    'with a formula': async () => [csvOf([{ key: 'k0', name: 'Nome a0', remarks: '=HYPERLINK(1)' }]), {}],
    "with an entry twice in a list of one's own": async () => [
      csvOf([...many(100), { key: 'k0', name: 'Nome a0' }]),
      {},
    ],
    'in an archive of two files': async () => [
      new Uint8Array(
        await downloadZip([
          { name: 'a', input: csvOf(many(100)) },
          { name: 'b', input: 'x' },
        ]).arrayBuffer(),
      ),
      {},
    ],
    'that is a compression bomb': async () => [gzipSync(Buffer.alloc(64 * 1024 ** 2, '\n')), {}],
    'that lacks more than 5 % of the entries': async () => [many(94), {}],
    'in which more than a tenth of the entries have another name': async () => [
      renamed(100, 11),
      { doubtsChanges: true },
    ],
    'in which removed and renamed entries together are more than a tenth': async () => [
      renamed(97, 8),
      { doubtsChanges: true },
    ],
    'of more entries than its sender may import': async () => [
      many(101),
      { bounds: { ...PUBLISHED_BOUNDS, entries: 100 } },
    ],
    'with a publication day in the future': async () => [many(101), { publishedOn: '2062-11-20' }],
    'with a key that no list has': async () => [
      csvOf([...many(100), { key: 'k'.repeat(201), name: 'Nome Longo' }]),
      {},
    ],
    'with an unclosed quote': async () => [`${csvOf(many(100))}\nx,person,"${'a'.repeat(2 * 1024 ** 2)}`, {}],
    'of another checksum': async () => [many(101), { sha256: '0'.repeat(64) }],
    'of an existing version': async () => [many(101), { version: 'one' }],
  };
  const said: Readonly<Record<string, RegExp>> = {
    'of no bytes': /empty/,
    'of broken XML': /XML|unclosed|ends/i,
    'of misread letters': /damaged/,
    'with a NUL': /NUL|damaged|formula/,
    'with a formula': /formula/,
    "with an entry twice in a list of one's own": /twice/,
    'in an archive of two files': /2 files/,
    'that is a compression bomb': /far more/,
    'that lacks more than 5 % of the entries': /lacks 6 of the 100/,
    'in which more than a tenth of the entries have another name':
      /lacks 0 of the 100 entries of the active version and changes 11 in what names/,
    'in which removed and renamed entries together are more than a tenth':
      /lacks 3 of the 100 entries of the active version and changes 8 in what names/,
    'of more entries than its sender may import': /more than 100 entries$/,
    'with a publication day in the future': /still to come/,
    'with a key that no list has': /201 characters/,
    'with an unclosed quote': /Max Record Size/,
    'of another checksum': /checksum/,
    'of an existing version': /version one/,
  };

  it.each(Object.keys(cases))('%s', async (name) => {
    await take(many(100), { version: 'one', publishedOn: '2026-11-19' });
    const [content, given] = await cases[name]!();
    await expect(take(content, given)).rejects.toThrow(said[name]);
    expect(await active()).toMatchObject({ version: 'one', sequence: 1, entryCount: 100 });
    expect(await namesIn(1)).toHaveLength(100);
    expect(
      await test.sql('SELECT 1 FROM watch_list_entity WHERE from_sequence > 1 OR to_sequence IS NOT NULL'),
    ).toEqual([]);
  });

  it('that is older than the active version', async () => {
    const live = { environment: 'live', listId: 'cgu-cnep' } as const;
    await take(many(100), { ...live, publishedOn: '2026-11-19' });
    await expect(take(many(101), { ...live, publishedOn: '2026-11-18' })).rejects.toThrow(
      'before the active version (2026-11-19)',
    );
  });

  it('but not one in which exactly a tenth is removed or renamed, or all remarks are new, nor one that renames every entry if changes need no confirmation', async () => {
    await take(many(100));
    const asked = { doubtsChanges: true };
    expect((await take(renamed(98, 8), asked)).version).toMatchObject({ removed: 2, matchChanged: 8 });
    expect(
      (
        await take(
          renamed(98, 8).map((row) => ({ ...row, remarks: 'Seen in Recife.' })),
          asked,
        )
      ).version,
    ).toMatchObject({ removed: 0, changed: 98, matchChanged: 0 });
    expect((await take(renamed(98, 98))).version).toMatchObject({ removed: 0, matchChanged: 90 });
  });

  it('unless the missing entries were confirmed', async () => {
    await take(many(100));
    expect((await take(many(50), { mayShrink: true })).version).toMatchObject({ entryCount: 50, removed: 50 });
  });

  it('if a list has fewer entries than it ever had', async () => {
    await expect(take(many(100), { environment: 'live' })).rejects.toThrow('never had fewer than 3000');
  });
});

describe('Going back to an earlier version', () => {
  const first = many(30);
  const second = [
    ...many(29).map((row) => (row.key === 'k3' ? { key: 'k3', name: 'Outro Nome' } : row)),
    { key: 'new', name: 'Nova Pessoa' },
  ];

  it('restores its entries, as the next version in the sequence, and keeps the versions in between', async () => {
    await take(first, { version: 'one' });
    await take(second, { version: 'two' });
    const restored = await rollBack(test.database, {
      ...SANDBOX,
      version: 'one',
      by: BY,
      now: DAY,
    });
    expect(restored).toMatchObject({
      sequence: 3,
      version: 'one',
      restores: 1,
      entryCount: 30,
      added: 1,
      changed: 1,
      matchChanged: 1,
      removed: 1,
    });
    expect(await entitiesIn(3)).toEqual(await entitiesIn(1));
    expect((await namesIn(2)).includes('Nova Pessoa')).toBe(true);
    expect((await take(first)).outcome).toBe('unchanged');
  });

  it('changes nothing if the version is active, or was restored already', async () => {
    await take(first, { version: 'one' });
    expect(
      (await rollBack(test.database, {
        ...SANDBOX,
        version: 'one',
        by: BY,
        now: DAY,
      }))!.sequence,
    ).toBe(1);
    await take(second, { version: 'two' });
    for (let time = 0; time < 2; time++)
      expect(
        (await rollBack(test.database, {
          ...SANDBOX,
          version: 'one',
          by: BY,
          now: DAY,
        }))!.sequence,
      ).toBe(3);
  });

  it('returns null if the version never existed', async () => {
    await take(first);
    expect(
      await rollBack(test.database, {
        ...SANDBOX,
        version: 'none',
        by: BY,
        now: DAY,
      }),
    ).toBeNull();
  });
});

/** Each day is compared with the content of its file; the long campaigns also import each day alone. */
const EVERY_DAY = process.env['SOAK'] === 'true';
const OFAC = new URL('../../../../shared/data/screening/ofac/', import.meta.url);

if (existsSync(OFAC))
  describe('Published snapshots of a list, one after the other', () => {
    it('give the same result as each of them alone, and almost nothing changes in matching on a day of changed remarks', {
      timeout: 300_000,
    }, async () => {
      const snapshots = readdirSync(OFAC)
        .filter((name) => /^sdn-\d{4}-\d\d-\d\d\.csv\.gz$/.test(name))
        .sort();
      expect(snapshots.length).toBeGreaterThanOrEqual(8);
      const alt = await fileOf(OFAC_ALT);
      const found = new Map<string, ListVersion>();
      for (const name of snapshots) {
        const { version } = await importList(test.database, {
          environment: 'live',
          listId: 'ofac-sdn',
          format: 'ofac-csv',
          files: { main: new URL(name, OFAC).pathname, alt },
          publishedOn: name.slice(4, 14),
          doubtsChanges: true,
          by: BY,
          now: DAY,
        });
        found.set(name.slice(4, 14), version);
      }
      expect(found.get('2022-04-29')!.matchChanged).toBeLessThanOrEqual(2);
      const rowsOf = async ({ sql }: TestDatabase, where: string): Promise<string[]> =>
        (
          await sql<{ row: string }>(
            `SELECT key || ' ' || encode(content_hash, 'hex') AS row FROM watch_list_entity
              WHERE environment = 'live' AND ${where}`,
          )
        )
          .map(({ row }) => row)
          .sort();
      const [first, last] = [[...found.keys()][0], [...found.keys()].at(-1)];
      const alone = await createTestDatabase();
      onTestFinished(() => alone.close());
      for (const [day, { sequence }] of found) {
        const main = new URL(`sdn-${day}.csv.gz`, OFAC).pathname;
        const inSequence = await rowsOf(
          test,
          `from_sequence <= ${sequence} AND (to_sequence IS NULL OR to_sequence > ${sequence})`,
        );
        const inFile = new Map<string, string>();
        for await (const entities of readList(
          { format: 'ofac-csv', files: { main, alt }, bounds: PUBLISHED_BOUNDS },
          {},
        ))
          for (const { key, content } of entities) inFile.set(key, content);
        expect(inSequence).toEqual([...inFile].map(([key, content]) => `${key} ${content}`).sort());
        if (!EVERY_DAY && day !== first && day !== last) continue;
        await removeLists(alone);
        await importList(alone.database, {
          environment: 'live',
          listId: 'ofac-sdn',
          format: 'ofac-csv',
          files: { main, alt },
          publishedOn: day,
          by: BY,
          now: DAY,
        });
        expect(await rowsOf(alone, 'true')).toEqual(inSequence);
      }
    });
  });
