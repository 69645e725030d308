/** Tests of the import of watch lists: versions, differences, and the plausibility checks. */
import { gzipSync } from 'node:zlib';
import { downloadZip } from 'client-zip';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { each } from '../../../test/support/each.ts';
import {
  BY,
  csvOf,
  type ImportOptions,
  ListImports,
  many,
  removeLists,
  type Row,
} from '../../../test/support/list-imports.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import { PUBLISHED_BOUNDS } from '../../screening/sources/list-bounds.ts';

const lists = new ListImports();

/** Rows with the same keys, of which the first are other entities. */
const renamed = (count: number, others: number): Row[] =>
  many(count).map(({ key, name }, index) => ({ key, name: index < others ? `Ninguem Outro ${name}` : name }));

describe('A file of a watch list', () => {
  it('becomes the active version of its list, and is stored byte by byte', async () => {
    const { outcome, version } = await lists.take(many(3), { version: 'one', publishedOn: '2026-11-19' });
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
    expect(await lists.namesIn(1)).toEqual(['Nome a0', 'Nome b1', 'Nome c2']);
    const [kept] = await lists.test.sql<{ text: string }>(
      `SELECT string_agg(convert_from(bytes, 'UTF8'), '' ORDER BY part) AS text FROM watch_list_file`,
    );
    expect(kept!.text).toBe(csvOf(many(3)));
  });

  it('is named by its day and its checksum by default', async () => {
    const { version } = await lists.take(many(3));
    expect(version.version).toBe(`2026-11-20.${version.sha256.slice(0, 8)}`);
  });

  it('may be imported again on the day on which another one replaced it', async () => {
    const [first, , again] = [
      await lists.take(many(3)),
      await lists.take(many(4)),
      await lists.take(many(3), { mayShrink: true }),
    ];
    expect([again.outcome, again.version.sequence, again.version.version]).toEqual([
      'activated',
      3,
      `${first.version.version}.3`,
    ]);
    expect(await lists.namesIn(3)).toEqual(await lists.namesIn(1));
  });

  it('may repeat an entry, word for word', async () => {
    const lines = many(3).map(({ key, name }) => ({ uid: key, name }));
    const file = `_id,source,type,programs,name,title,alt_names,dates_of_birth,nationalities,citizenships,ids\n${[...lines, lines[0]!].map(({ uid, name }) => `${uid},SDN,Individual,SDGT,${name},,,,,,`).join('\n')}`;
    expect((await lists.take(file, { listId: 'us-csl', format: 'us-csl' })).version).toMatchObject({
      entryCount: 3,
      added: 3,
    });
    await expect(
      lists.take(`${file}\nk0,SDN,Individual,SDGT,Outro Nome,,,,,,`, { listId: 'us-csl', format: 'us-csl' }),
    ).rejects.toThrow('twice, and says something else');
  });

  it('that is active already changes nothing but the time of the last check', async () => {
    await lists.take(many(3));
    const { outcome, version } = await lists.take(many(3), { now: new Date('2026-11-21T12:00:00.000Z') });
    expect([outcome, version.sequence, version.checkedAt, (await lists.active())!.checkedAt]).toEqual([
      'unchanged',
      1,
      '2026-11-21T12:00:00.000Z',
      '2026-11-21T12:00:00.000Z',
    ]);
  });

  it('is recorded in the audit log of the platform, unless it belongs to the sandbox', async () => {
    const logged = () =>
      lists.test.sql<{ action: string; resource_id: string; changes: { path: string; value: unknown }[] }>(
        'SELECT action, resource_id, changes FROM audit_event WHERE tenant_id = $1 ORDER BY sequence',
        [PLATFORM_TENANT_ID],
      );
    const before = await logged();
    await lists.take(many(3));
    await lists.take(many(3000), { environment: 'live' });
    const events = (await logged()).slice(before.length);
    expect(events).toMatchObject([{ action: 'list.version_ingested', resource_id: 'ofac-sdn' }]);
    expect(events[0]!.changes).toContainEqual({ op: 'add', path: '/entryCount', value: 3000 });
  });

  it('is read once if it is imported twice at the same time', async () => {
    const outcomes = await Promise.all([lists.take(many(30)), lists.take(many(30))]);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['activated', 'unchanged']);
  });
});

describe('The next version', () => {
  it('reports added, removed and changed entries', async () => {
    await lists.take([
      ...many(30),
      { key: 'x', name: 'Ana Reis' },
      { key: 'y', name: 'Bento Reis' },
      { key: 'z', name: 'Caio Reis' },
    ]);
    const { version } = await lists.take([
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
      (await lists.changesOf(2)).map(({ key, before, after, isMatchRelevant }) => [
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
        await removeLists(lists.test);
        const expected = new Map<number, Row[]>();
        for (const [index, list] of each(versions.entries())) {
          const { version } = await lists.take(list, { mayShrink: true, version: `v${index}` });
          expected.set(version.sequence, list);
        }
        for (const [sequence, list] of each(expected)) {
          expect(
            (await lists.entitiesIn(sequence)).map(({ key, names, birthDates, remarks }) => ({
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

describe('The plausibility check keeps the active version and refuses a file', () => {
  const damaged =
    'key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks\nk0,person,JosÃ© Silva,,,,,,\n';
  const cases: Readonly<Record<string, () => Promise<[string | Uint8Array | readonly Row[], ImportOptions]>>> = {
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
    await lists.take(many(100), { version: 'one', publishedOn: '2026-11-19' });
    const [content, given] = await cases[name]!();
    await expect(lists.take(content, given)).rejects.toThrow(said[name]);
    expect(await lists.active()).toMatchObject({ version: 'one', sequence: 1, entryCount: 100 });
    expect(await lists.namesIn(1)).toHaveLength(100);
    expect(
      await lists.test.sql('SELECT 1 FROM watch_list_entity WHERE from_sequence > 1 OR to_sequence IS NOT NULL'),
    ).toEqual([]);
  });

  it('that is older than the active version', async () => {
    const live = { environment: 'live', listId: 'cgu-cnep' } as const;
    await lists.take(many(100), { ...live, publishedOn: '2026-11-19' });
    await expect(lists.take(many(101), { ...live, publishedOn: '2026-11-18' })).rejects.toThrow(
      'before the active version (2026-11-19)',
    );
  });

  it('only above its limits: it accepts a tenth removed or renamed, new remarks, and any changes that need no confirmation', async () => {
    await lists.take(many(100));
    const asked = { doubtsChanges: true };
    expect((await lists.take(renamed(98, 8), asked)).version).toMatchObject({ removed: 2, matchChanged: 8 });
    expect(
      (
        await lists.take(
          renamed(98, 8).map((row) => ({ ...row, remarks: 'Seen in Recife.' })),
          asked,
        )
      ).version,
    ).toMatchObject({ removed: 0, changed: 98, matchChanged: 0 });
    expect((await lists.take(renamed(98, 98))).version).toMatchObject({ removed: 0, matchChanged: 90 });
  });

  it('with many missing entries, unless they were confirmed', async () => {
    await lists.take(many(100));
    expect((await lists.take(many(50), { mayShrink: true })).version).toMatchObject({ entryCount: 50, removed: 50 });
  });

  it('with fewer entries than any earlier version', async () => {
    await expect(lists.take(many(100), { environment: 'live' })).rejects.toThrow('never had fewer than 3000');
  });
});
