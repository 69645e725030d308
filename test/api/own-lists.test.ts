/** API tests of uploading and removing a tenant's own list, which no other tenant may find. */
import { gzipSync } from 'node:zlib';
import { downloadZip } from 'client-zip';
import { beforeEach, describe, expect, it } from 'vitest';
import { knex, sql } from '../../server/database/index.ts';
import { type Credential, shared } from '../support/service.ts';
import { ownListCsv, sha256Of } from '../support/watch-lists.ts';
import { startOwnListWorld } from './own-lists-world.ts';

const world = await shared(startOwnListWorld());
const { acme, sandboxed, other, replace, remove, listed, person } = world;
const NAME = 'Ubirajara Quintanilha Sorocaba';

const ROWS = [
  `a-1,person,${NAME},,1961-04-02,BR,529.982.247-25,,refused in 2024`,
  'a-2,organisation,Aurora Fictícia Comércio Ltda,,,BR,,adverse,',
  'a-3,person,Genoveva Taquarembó,,,,,,',
];

const ofOther = (): Promise<Credential> => other.key(['read', 'screening']);

beforeEach(async () => {
  await remove();
  await world.settle();
});

describe('the own list', () => {
  it('is answered with its changes, and shown among the lists of its tenant', async () => {
    expect((await replace(ROWS, { version: `first-${world.running.services.clock().getTime()}` })).status).toBe(200);
    const file = ownListCsv([
      ROWS[0]!.replace('Sorocaba', 'Itu'),
      `${ROWS[1]!}called twice`,
      'a-4,person,Outra Pessoa,,,,,,',
    ]);
    const answer = await replace(file, { sha256: sha256Of(file) });
    const version = `${answer.body.ingestedAt!.slice(0, 10)}.${sha256Of(file).slice(0, 8)}`;
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id: 'own',
        title: 'Own list',
        publisher: 'Test tenant',
        jurisdiction: null,
        category: 'watchlist',
        mandatory: false,
        version,
        publishedOn: null,
        ingestedAt: expect.any(String),
        checkedAt: answer.body.ingestedAt,
        entryCount: 3,
        sha256: sha256Of(file),
        staleAfterHours: null,
        isStale: false,
        usualDays: null,
        isPublicationOld: false,
        quarantinedNames: 0,
        lastChange: {
          added: 1,
          changed: 2,
          matchChanged: 1,
          removed: 1,
        },
      },
    ]);
    expect(await listed()).toEqual(answer.body);
    const [event] = await world.database.sql<{ changes: { path: string; value: unknown }[] }>(
      `SELECT changes FROM audit_event WHERE tenant_id = $1 AND action = 'list.own_replaced' ORDER BY sequence DESC
        LIMIT 1`,
      [acme.id],
    );
    expect(Object.fromEntries(event!.changes.map(({ path, value }) => [path.slice(1), value]))).toEqual({
      version,
      sha256: sha256Of(file),
      entryCount: 3,
      added: 1,
      changed: 2,
      matchChanged: 1,
      removed: 1,
    });
  });

  it('stays as it is if the same file is sent again, and a former one may return', async () => {
    const first = await replace(ROWS);
    world.advance(60_000);
    const again = await replace(ROWS);
    expect([
      again.status,
      again.body.version,
      again.body.ingestedAt,
      again.body.checkedAt! > first.body.checkedAt!,
    ]).toEqual([200, first.body.version, first.body.ingestedAt, true]);
    await replace(ROWS.slice(1));
    expect((await replace(ROWS)).body).toMatchObject({
      version: expect.stringMatching(`^${first.body.version!}\\.\\d+$`),
      lastChange: { added: 1, removed: 0 },
    });
  });

  it.each([
    ['gzip', () => gzipSync(ownListCsv(ROWS))],
    [
      'ZIP',
      async () => new Uint8Array(await downloadZip([{ name: 'list.csv', input: ownListCsv(ROWS) }]).arrayBuffer()),
    ],
  ])('may be a %s archive of one file', async (_, pack) => {
    expect((await replace(await pack())).body).toMatchObject({ entryCount: 3 });
  });

  it('is never out of date, however long ago it was sent', async () => {
    await replace(ROWS);
    await world.database.sql(
      `UPDATE own_list_version SET checked_at = '2020-01-01' WHERE tenant_id = $1 AND ended_at IS NULL`,
      [acme.id],
    );
    expect(await listed()).toMatchObject({ checkedAt: '2020-01-01T00:00:00.000Z', isStale: false });
    expect((await person(NAME)).body.staleLists).toEqual([]);
  });

  it('is separate in the sandbox, and is removed with the content of the sandbox', async () => {
    await replace(['s-1,person,Pessoa da Areia Movediça,,,,,,'], {}, sandboxed);
    expect((await person('Pessoa da Areia Movediça', {}, world.test)).body.hits.map(({ listId }) => listId)).toEqual([
      'own',
    ]);
    const live = await sandboxed.key(['read', 'screening'], { environment: 'live', pinEnvironment: true });
    expect((await person('Pessoa da Areia Movediça', {}, live)).body).toMatchObject({ environment: 'live', hits: [] });
    expect(
      (await world.request('DELETE', '/v1/sandbox/data', { as: await sandboxed.user('admin', { secondFactor: true }) }))
        .status,
    ).toBe(200);
    expect(
      await world.database.sql(
        'SELECT tenant_id FROM own_list_version WHERE tenant_id = $1 UNION ALL SELECT tenant_id FROM ' +
          'own_list_part WHERE tenant_id = $1',
        [sandboxed.id],
      ),
    ).toEqual([]);
    await world.settle();
    expect((await person('Pessoa da Areia Movediça', {}, world.test)).body.hits).toEqual([]);
  });
});

describe('a person on the own list', () => {
  it('is known to no other tenant, which may have a list of its own', async () => {
    await replace(ROWS);
    await replace(['b-1,person,Genoveva Taquarembó,,,,,,'], {}, other);
    expect((await person(NAME)).body.hits.map(({ listId, entityId }) => [listId, entityId])).toEqual([['own', 'a-1']]);
    expect((await person(NAME, {}, await ofOther())).body.hits).toEqual([]);
    const [own, theirs] = [
      (await person('Genoveva Taquarembó')).body,
      (await person('Genoveva Taquarembó', {}, await ofOther())).body,
    ];
    expect([own.hits.map(({ entityId }) => entityId), theirs.hits.map(({ entityId }) => entityId)]).toEqual([
      ['a-3'],
      ['b-1'],
    ]);
    expect((await world.get(own.id, await ofOther())).status).toBe(404);
    expect([(await listed(other))!.entryCount, (await listed())!.entryCount]).toEqual([1, 3]);
    expect((await remove(other)).status).toBe(204);
    expect(await listed(other)).toBeUndefined();
    expect((await person(NAME, { dateOfBirth: '1961-04-02' })).body.hits).toHaveLength(1);
  });

  it('is hidden from other tenants by the database itself', async () => {
    await replace(ROWS);
    const seen = (tenantId: string) =>
      world.database.database.transaction({ tenantId, readOnly: true }, async (tx) =>
        Promise.all(
          ['own_list_version', 'own_list_part'].map((table) =>
            tx.query<{ tenant_id: string }>(sql`SELECT DISTINCT tenant_id FROM ${knex.raw(table)}`),
          ),
        ),
      );
    expect(await seen(acme.id)).toEqual([[{ tenant_id: acme.id }], [{ tenant_id: acme.id }]]);
    for (const rows of await seen(other.id)) expect(rows.filter(({ tenant_id: of }) => of !== other.id)).toEqual([]);
  });

  it('is sealed, and cannot be found out by trying', async () => {
    await replace(ROWS);
    await person(NAME);
    const rows = await world.database.sql<{ row: string }>(
      `SELECT v::text AS row FROM own_list_version v UNION ALL SELECT p::text FROM own_list_part p
        UNION ALL SELECT h::text FROM screening_hit h WHERE list_id = 'own'`,
    );
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.map(({ row }) => row).join()).not.toMatch(/Ubirajara|Quintanilha|1961-04-02|52998224725/);
  });
});
