import { gzipSync } from 'node:zlib';
import { downloadZip } from 'client-zip';
import { beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { withClient } from '../../server/database/pool.ts';
import type { WatchListId } from '../../server/modules/watch-lists/index.ts';
import { shared } from '../support/service.ts';
import { activate, ofacAliases, ofacCsv } from '../support/watch-lists.ts';
import { startMonitoringWorld } from './monitoring-world.ts';
import { startUploadWorld } from './watch-list-uploads-world.ts';

type Schemas = components['schemas'];
const world = await shared(startMonitoringWorld());
const { admin, upload, everyRow } = await startUploadWorld(world);
const LIST: WatchListId = 'ofac-consolidated';
const BASE = ofacCsv(150);

const ofac = (bytes: Uint8Array, more: Record<string, string | Uint8Array> = {}) =>
  upload({ file: bytes, format: 'ofac-csv', ...more });

beforeEach(() => activate(world.database.database, LIST, BASE, { now: world.running.services.clock() }));

type Upload = () => Promise<Parameters<typeof upload>[0]> | Parameters<typeof upload>[0];
/** The refusal of a file; `error` is what the one error says. */
type Refusal = { readonly status: number; readonly code: string; readonly error: RegExp };

describe('an upload is refused, and nothing changes, if', () => {
  const zipOfTwo = async (): Promise<Uint8Array> =>
    new Uint8Array(
      await downloadZip([
        { name: 'a.csv', input: BASE },
        { name: 'b.csv', input: BASE },
      ]).arrayBuffer(),
    );
  const renamedTo = (name: string): Uint8Array => Buffer.from(String(BASE).replaceAll('REIS', name));
  const bomb = (): Uint8Array => gzipSync(Buffer.alloc(64 * 1024 * 1024, '\n'));
  const refused = async (answer: Awaited<ReturnType<typeof upload>>): Promise<unknown> => [
    answer.status,
    answer.body.code,
    answer.body.errors?.map(({ pointer, code, message }) => `${pointer} ${code}: ${message}`),
  ];

  it.each<[string, Upload, Refusal]>([
    [
      'it is empty',
      () => ({ file: Buffer.alloc(0), format: 'ofac-csv' }),
      { status: 422, code: 'list_file_refused', error: /^\/file unreadable: the file is empty$/ },
    ],
    [
      'its XML is broken',
      () => ({
        list: 'un-csnu',
        file: Buffer.from('<CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL></CONSOLIDATED_LIST>'),
        format: 'un-xml',
      }),
      { status: 422, code: 'list_file_refused', error: /^\/file unreadable: the file is not well-formed XML: 1:/ },
    ],
    [
      'it is of another format',
      () => ({ file: Buffer.from('{"id": 1}\n'), format: 'ofac-csv' }),
      { status: 422, code: 'list_file_refused', error: /^\/file unreadable: line 1 has 1 columns instead of 12$/ },
    ],
    [
      'it is cut off',
      () => ({ file: BASE.subarray(0, BASE.length - 30), format: 'ofac-csv' }),
      {
        status: 422,
        code: 'list_file_refused',
        error: /^\/file unreadable: Invalid Record Length: expect 12, got 6 on line 150$/,
      },
    ],
    [
      'it was read in the wrong encoding',
      () => ({ file: Buffer.from(String(BASE).replace('Pessoa 2', 'Pessoa JosÃ© 2')), format: 'ofac-csv' }),
      {
        status: 422,
        code: 'list_file_refused',
        error: /^\/file unreadable: line 2: a name has signs that no name has/,
      },
    ],
    [
      'the file with the aliases is damaged',
      () => ({ file: BASE, alt: Buffer.from('1,2,aka'), format: 'ofac-csv' }),
      { status: 422, code: 'list_file_refused', error: /^\/alt unreadable: line 1 has 3 columns instead of 5$/ },
    ],
    [
      'the file with the remarks is an archive that cannot be read',
      () => ({ file: BASE, comments: Buffer.from('PK\u0003\u0004 and nothing'), format: 'ofac-csv' }),
      { status: 422, code: 'list_file_refused', error: /^\/comments unreadable: the archive cannot be read/ },
    ],
    [
      'its file with the aliases is missing',
      () => ({ file: BASE, alt: undefined, format: 'ofac-csv' }),
      {
        status: 422,
        code: 'list_file_refused',
        error: /^\/alt missing: alt is missing: a list of ofac-csv is whole only with it$/,
      },
    ],
    [
      'it is an archive of two files',
      async () => ({ file: await zipOfTwo(), format: 'ofac-csv' }),
      {
        status: 422,
        code: 'list_file_refused',
        error: /^\/file unreadable: the archive holds 2 files instead of one$/,
      },
    ],
    [
      'it is an archive of far more than a list',
      () => ({ file: bomb(), format: 'ofac-csv' }),
      {
        status: 422,
        code: 'list_file_refused',
        error: /^\/file unreadable: the archive holds far more than a list has$/,
      },
    ],
    [
      'it has too few entries',
      () => ({ file: ofacCsv(99), format: 'ofac-csv', force: 'true' }),
      {
        status: 422,
        code: 'list_file_refused',
        error: /^\/file too_few_entries: the file has 99 entries, and ofac-consolidated never had fewer than 100$/,
      },
    ],
    [
      'it lacks many entries and nobody has found out why',
      () => ({ file: ofacCsv(120), format: 'ofac-csv' }),
      {
        status: 422,
        code: 'suspicious_shrink',
        error:
          /^\/file suspicious_shrink: the file lacks 30 of the 150 entries of the active version, which is more than 5 %$/,
      },
    ],
    [
      'everybody on it has another name under the same key',
      () => ({ file: renamedTo('SOUZA'), format: 'ofac-csv' }),
      {
        status: 422,
        code: 'suspicious_shrink',
        error:
          /lacks 0 of the 150 entries of the active version and changes 150 in what names are compared with, together more than 10 %$/,
      },
    ],
    [
      'its checksum is another one',
      () => ({ file: ofacCsv(151), format: 'ofac-csv', sha256: '0'.repeat(64) }),
      {
        status: 422,
        code: 'checksum_mismatch',
        error: /^\/sha256 checksum_mismatch: the checksum of the file is [0-9a-f]{64}, and not the one that was given$/,
      },
    ],
    [
      'the list is not published in that format',
      () => ({ file: BASE, format: 'un-xml' }),
      { status: 422, code: 'validation_failed', error: /^\/format enum: must be ofac-xml or ofac-csv/ },
    ],
    [
      'nothing of the kind is published in several files',
      () => ({ file: BASE, alt: ofacAliases(1), format: 'ofac-xml' }),
      { status: 422, code: 'validation_failed', error: /^\/alt unexpected: must be left out/ },
    ],
    [
      'no list has such a format',
      () => ({ file: BASE, format: 'own' }),
      { status: 422, code: 'validation_failed', error: /^\/format / },
    ],
    [
      'there is no such list',
      () => ({ list: 'ofac-other', file: BASE, format: 'ofac-csv' }),
      { status: 404, code: 'not_found', error: /^$/ },
    ],
  ])('%s', async (_, given, { status, code, error }) => {
    const before = await everyRow();
    const answer = await upload(await given());
    expect(await refused(answer)).toEqual([status, code, status === 404 ? undefined : [expect.stringMatching(error)]]);
    expect(await everyRow()).toEqual(before);
  });

  it('it was published before the active version', async () => {
    await ofac(ofacCsv(151), { publishedOn: '2026-11-20' });
    const before = await everyRow();
    expect(await refused(await ofac(ofacCsv(152), { publishedOn: '2026-11-19' }))).toEqual([
      422,
      'list_file_refused',
      ['/file older_than_active: the file was published on 2026-11-19, before the active version (2026-11-20)'],
    ]);
    expect(await everyRow()).toEqual(before);
  });

  it('its publication lies in the future', async () => {
    const before = await everyRow();
    expect(await refused(await ofac(ofacCsv(152), { publishedOn: '2062-11-20' }))).toEqual([
      422,
      'list_file_refused',
      ['/file not_yet_published: the file says that it was published on 2062-11-20, which is still to come'],
    ]);
    expect(await everyRow()).toEqual(before);
  });

  it('a version has that name already', async () => {
    await ofac(ofacCsv(151), { version: 'twice' });
    const before = await everyRow();
    expect(await refused(await ofac(ofacCsv(152), { version: 'twice' }))).toEqual([
      409,
      'version_exists',
      ['/version version_exists: there is a version twice of ofac-consolidated already'],
    ]);
    expect(await everyRow()).toEqual(before);
  });

  it.each(['before the import begins', 'before it is read'])('its sender disconnects %s', async (moment) => {
    const before = await everyRow();
    const as = await admin();
    const count = async (locks: string): Promise<number> =>
      (
        await world.database.sql(
          `SELECT FROM pg_locks WHERE database = (SELECT oid FROM pg_database
            WHERE datname = current_database()) AND ${locks}`,
        )
      ).length;
    const imports = () =>
      count(
        "locktype = 'advisory' AND objsubid = 1 AND (classid::bigint << 32 | objid::bigint) = " +
          "(hashtextextended('upload of lists', 0) # hashtextextended('live', 0))",
      );
    const waiting = () => count(`NOT granted AND relation = 'tenant'::regclass`);
    const leaving = new AbortController();
    const body = new FormData();
    body.set('format', 'ofac-csv');
    body.set('file', new Blob([new Uint8Array(ofacCsv(100_000))]));
    // Without its aliases the list would be refused before a line of it is read.
    body.set('alt', new Blob([new Uint8Array(ofacAliases(1))]));
    const send = () =>
      fetch(`${world.url}/v1/admin/screening-lists/${LIST}/versions`, {
        method: 'POST',
        headers: as,
        body,
        signal: leaving.signal,
      });
    const leave = async (sending: Promise<Response>): Promise<void> => {
      leaving.abort();
      await expect(sending).rejects.toThrow('aborted');
    };
    if (moment === 'before it is read') {
      const sending = send();
      await expect.poll(imports).toBe(1);
      await leave(sending);
    } else {
      await world.request('GET', '/v1/admin/screening-lists', { as });
      await withClient(world.database.superuser, async (client) => {
        await client.query('BEGIN; LOCK TABLE tenant');
        const sending = send();
        await expect.poll(waiting).toBe(1);
        await leave(sending);
        await client.query('COMMIT');
      });
    }
    await expect.poll(imports).toBe(0);
    expect(await everyRow()).toEqual(before);
  });

  it('it is larger than 15 MiB, or has no file', async () => {
    const large = await upload({ file: Buffer.alloc(15 * 1024 * 1024 + 1), format: 'ofac-csv' });
    expect([large.status, large.body.code]).toEqual([413, 'file_too_large']);
    const none = await upload({ format: 'ofac-csv', alt: ofacAliases(1) });
    expect([none.status, none.body.code]).toEqual([400, 'file_part_missing']);
    const more = await upload({ file: BASE, other: BASE, format: 'ofac-csv' });
    expect([more.status, more.body.code]).toEqual([400, 'too_many_parts']);
    const torn = await world.request('POST', `/v1/admin/screening-lists/${LIST}/versions`, {
      as: await admin(),
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    });
    expect([torn.status, torn.body.code]).toEqual([400, 'multipart_malformed']);
  });

  it('its sender is no administrator of the platform, or has not just given a second factor', async () => {
    for (const [as, code] of [
      [await world.acme.user('owner', { secondFactor: true }), 'role_forbidden'],
      [await world.acme.key(['admin']), 'human_required'],
    ] as const) {
      const answer = await upload({ file: BASE, format: 'ofac-csv', as });
      expect([answer.status, answer.body.code]).toEqual([403, code]);
    }
    const person = await world.platform.person('platform_admin', { secondFactor: true });
    await world.database.sql('UPDATE session SET step_up_at = NULL WHERE id = $1', [person.sessionId]);
    expect((await upload({ file: BASE, format: 'ofac-csv', as: person.as })).body.code).toBe('step_up_required');
    expect(
      (
        await world.request<{ items: Schemas['WatchList'][] }>('GET', '/v1/admin/screening-lists', {
          as: await admin(),
        })
      ).body.items.length,
    ).toBeGreaterThan(10);
  });
});
