/** API tests of own lists that are refused; the former list must stay. */
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { downloadZip } from 'client-zip';
import { beforeEach, describe, expect, it } from 'vitest';
import { lockUntilCommit } from '../../server/database/advisory-lock.ts';
import { refused } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { ownListCsv } from '../support/watch-lists.ts';
import { startOwnListWorld } from './own-lists-world.ts';

const world = await shared(startOwnListWorld());
const { acme, replace, remove, everyRow } = world;
const NAME = 'Ubirajara Quintanilha Sorocaba';

const ROWS = [
  `a-1,person,${NAME},,1961-04-02,BR,529.982.247-25,,refused in 2024`,
  'a-2,organisation,Aurora Fictícia Comércio Ltda,,,BR,,adverse,',
  'a-3,person,Genoveva Taquarembó,,,,,,',
];

beforeEach(async () => {
  await remove();
  await world.settle();
});

describe('a file is refused, and the former list stays, if', () => {
  const HEADER = 'key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks';
  const file = (...lines: string[]): Buffer => Buffer.from([HEADER, ...lines].join('\n'));
  const zipOfTwo = async (): Promise<Uint8Array> =>
    new Uint8Array(
      await downloadZip([
        { name: 'a.csv', input: file(ROWS[0]!) },
        { name: 'b.csv', input: file(ROWS[0]!) },
      ]).arrayBuffer(),
    );

  it.each<[string, () => Uint8Array | Promise<Uint8Array>, string]>([
    ['it is empty', () => Buffer.alloc(0), 'unreadable: the file is empty'],
    ['it has a header alone', () => file(), 'unreadable: the file has no entities'],
    [
      'a cell begins like a formula',
      () => file('1,person,=cmd(),,,,,,'),
      'unreadable: line 2, name: must not begin like a formula',
    ],
    ['columns are missing', () => Buffer.from('key,type,name\n1,person,Ana'), 'unreadable: '],
    [
      'a type is unknown',
      () => file('1,robot,Ana,,,,,,'),
      'unreadable: line 2, type: must be one of person, organisation, vessel, aircraft',
    ],
    [
      'a key is there twice',
      () => file('1,person,Ana,,,,,,', '1,person,Eva,,,,,,'),
      'unreadable: line 3, key: is there twice',
    ],
    [
      'a CPF has another length',
      () => file('1,person,Ana,,,,5299822472,,'),
      'unreadable: line 2, tax_id: must have 11 signs',
    ],
    ['a category is unknown', () => file('1,person,Ana,,,,,friend,'), 'unreadable: line 2, category: must be one of'],
    [
      'a date is none',
      () => file('1,person,Ana,,02/04/1961,,,,'),
      'unreadable: line 2, date_of_birth: must be a day, a month or a year',
    ],
    ['it is an archive of two files', zipOfTwo, 'unreadable: the archive holds 2 files instead of one'],
    [
      'it is an archive that is cut off',
      () => gzipSync(ownListCsv(ROWS)).subarray(0, 40),
      'unreadable: the archive cannot be read: ',
    ],
    [
      'it is not UTF-8',
      () => Buffer.from(`${HEADER}\n1,person,Jos\u00e9,,,,,,`, 'latin1'),
      'unreadable: the file is not encoded in UTF-8',
    ],
    [
      'it has too many names',
      () =>
        file(
          ...Array.from(
            { length: 10_000 },
            (_, index) => `${index},person,Ana Reis ${index},A ${index}; B ${index}; C ${index},,,,,`,
          ),
        ),
      'too_many_names: the file has more than 30000 names',
    ],
    [
      'its names are too long together',
      () =>
        file(
          ...Array.from({ length: 1_700 }, (_, index) => `${index},person,${'Ana Reis '.repeat(100)}${index},,,,,,`),
        ),
      'too_much_text: the names in the file have more than 1500000 characters together',
    ],
    [
      'it is unpacked to more than a list has',
      () =>
        gzipSync(
          file(
            ...Array.from(
              { length: 9_000 },
              (_, index) => `${index},person,Ana Reis,,,,,,${randomBytes(1_000).toString('hex')}${'x'.repeat(2_000)}`,
            ),
          ),
        ),
      'too_large: the file has more than 32 MiB when it is unpacked',
    ],
    [
      'an entry has more names than an answer shows',
      () => file(`1,person,Ana Reis,${Array.from({ length: 501 }, (_, index) => `Ana ${index}`).join(';')},,,,,`),
      'unreadable: line 2, aliases: there are more than 501 names',
    ],
    [
      'a name is longer than an answer shows',
      () => file(`1,person,${'A'.repeat(1001)},,,,,,`),
      'unreadable: line 2, name: a name has more than 1000 characters',
    ],
    [
      'remarks are longer than an answer shows',
      () => file(`1,person,Ana Reis,,,,,,${'r'.repeat(20_001)}`),
      'unreadable: entry 1 does not fit what a screening shows: /remarks has more than 20000 characters',
    ],
    [
      'an entry has more dates than an answer shows',
      () => file(`1,person,Ana Reis,,${Array.from({ length: 51 }, (_, index) => 1900 + index).join(';')},,,,`),
      'unreadable: entry 1 does not fit what a screening shows: /datesOfBirth has 51 items, and 50 can be shown',
    ],
    [
      'a name is damaged',
      () => file('1,person,Jos� Reis,Zeca Reis,,,,,'),
      'unreadable: line 2, name: a name has signs that no name has',
    ],
    [
      'it has too many entries',
      () => file(...Array.from({ length: 10_001 }, (_, index) => `${index},person,Ana Reis,,,,,,`)),
      'too_many_entries: the file has more than 10000 entries',
    ],
  ])('%s', async (_, made, message) => {
    await replace(ROWS);
    const before = await everyRow();
    const answer = await replace(await made());
    expect([
      refused(answer).slice(0, 2),
      answer.body.errors?.map((error) => `${error.pointer} ${error.code}: ${error.message}`),
    ]).toEqual([[422, 'list_file_refused'], [expect.stringContaining(`/file ${message}`)]]);
    expect(await everyRow()).toEqual(before);
  });

  it('its checksum differs, or a version has that name already', async () => {
    const version = `twice-${world.running.services.clock().getTime()}`;
    await replace(ROWS, { version });
    const before = await everyRow();
    const wrong = await replace(ROWS.slice(1), { sha256: '0'.repeat(64) });
    expect([wrong.status, wrong.body.code, wrong.body.errors?.[0]?.pointer]).toEqual([
      422,
      'checksum_mismatch',
      '/sha256',
    ]);
    const twice = await replace(ROWS.slice(1), { version });
    expect([twice.status, twice.body.code, twice.body.errors?.[0]?.message]).toEqual([
      409,
      'version_exists',
      `there is a version ${version} of own already`,
    ]);
    const unnamed = await replace(ROWS.slice(1), { version: 'two words' });
    expect([unnamed.status, unnamed.body.code, unnamed.body.errors?.[0]?.pointer]).toEqual([
      422,
      'validation_failed',
      '/version',
    ]);
    expect(await everyRow()).toEqual(before);
  });

  it('it is larger than 15 MiB, there is none, there are more, or the body is incomplete', async () => {
    const before = await everyRow();
    expect(refused(await replace(Buffer.alloc(15 * 1024 * 1024 + 1)))).toEqual([413, 'file_too_large']);
    const as = await world.officerOf(acme);
    expect(
      refused(await world.request('PUT', '/v1/screenings/lists/own', { as, body: new FormData() })).slice(0, 2),
    ).toEqual([400, 'file_part_missing']);
    expect(refused(await replace(ROWS, { more: file(ROWS[0]!) })).slice(0, 2)).toEqual([400, 'too_many_parts']);
    const torn = await world.request('PUT', '/v1/screenings/lists/own', {
      as,
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    });
    expect(refused(torn as Awaited<ReturnType<typeof replace>>).slice(0, 2)).toEqual([400, 'multipart_malformed']);
    expect(await everyRow()).toEqual(before);
  });

  it('another one is being imported', async () => {
    const answer = await world.database.database.platform({ tenantId: null }, async (tx) => {
      await lockUntilCommit(tx, 'own list', `live ${acme.id}`);
      return replace(ROWS);
    });
    expect(refused(answer)).toEqual([409, 'import_running']);
  });

  it('there is none to remove', async () => {
    expect(refused(await remove())).toEqual([404, 'not_found']);
  });
});
