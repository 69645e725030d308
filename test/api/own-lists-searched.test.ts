/** API tests of screening against a tenant's own list, beside the public ones. */
import type { Uuid } from '../../server/base/uuid.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { withClient } from '../../server/database/pool.ts';
import { OwnIndexes } from '../../server/modules/screenings/own-indexes.ts';
import { NotReady } from '../../server/request/handler.ts';
import { type Answer, shared, type Tenant } from '../support/service.ts';
import { CLEAN } from './monitoring-world.ts';
import { startOwnListWorld } from './own-lists-world.ts';
import { LISTED, type Refusal, type Screening } from './screenings-world.ts';

const world = await shared(startOwnListWorld());
const { acme, replace, remove, person, screen } = world;
const NAME = 'Ubirajara Quintanilha Sorocaba';
const ROW = `a-1,person,${NAME},Bira Sorocaba,1961-04-02,BR,529.982.247-25,,refused in 2024`;
const rerun = (id: string, body: object = {}): Promise<Answer<Screening & Refusal>> =>
  world.request('POST', `/v1/screenings/${id}/rerun`, { as: world.key, body });
const found = ({ body }: Answer<Screening>): unknown => body.hits.map(({ listId, entityId }) => [listId, entityId]);
const searched = ({ body }: Answer<Screening>): string[] => body.lists.map(({ listId }) => listId);

/** Returns the reasons that are not about the name. */
const reasonsIn = (features: Screening['hits'][number]['features']): string[] =>
  features.flatMap(({ name, reason }) => (name === 'modifier' || name === 'identifier' ? [reason] : []));

beforeEach(async () => {
  await remove();
  await world.settle();
});

describe('a screening', () => {
  it('searches the own list beside the public ones, and reports the entry like any other', async () => {
    const { version } = (await replace([ROW])).body;
    const answer = await person(NAME, { dateOfBirth: '1961-04-02', taxId: '52998224725' });
    expect(answer.body.lists.at(-1)).toEqual({ listId: 'own', version, publishedOn: null });
    expect(answer.body.hits).toEqual([
      expect.objectContaining({
        listId: 'own',
        listVersion: version,
        entityId: 'a-1',
        category: 'watchlist',
        status: 'open',
        score: 1,
        matchedName: NAME,
        entity: {
          type: 'person',
          name: NAME,
          aliases: ['Bira Sorocaba'],
          datesOfBirth: ['1961-04-02'],
          countries: ['BR'],
          programmes: [],
          position: null,
          positionFrom: null,
          positionTo: null,
          remarks: 'refused in 2024',
          sourceUrl: null,
        },
      }),
    ]);
    expect((await world.get(answer.body.id)).body).toEqual(answer.body);
    expect((await world.list('listId=own')).body.items.map(({ id }) => id)).toContain(answer.body.id);
  });

  it('finds a person who is on both kinds of lists on both, and uses the category of the row', async () => {
    await replace([`s-1,person,${LISTED.names[0]},,,,,sanction,`]);
    const hits = (await screen({ subject: LISTED })).body.hits;
    expect(hits.map(({ listId, category }) => `${listId} ${category}`)).toEqual(
      expect.arrayContaining(['own sanction', 'un-csnu sanction']),
    );
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
  });

  it('weighs words as the public lists do, however few are on the own one', async () => {
    await replace(['w-1,person,Maria Teodolinda,,,,,,']);
    expect((await person('Maria Gervásia')).body.hits.filter(({ listId }) => listId === 'own')).toEqual([]);
  });

  it('names the month of birth that agrees, and the root of a CNPJ', async () => {
    await replace([
      `m-1,person,${NAME},,1961-04,,,,`,
      'b-1,organisation,Marcenaria Jacaranda Ltda,,,,11.222.333/0001-81,,',
    ]);
    const reasonsOf = ({ body }: Answer<Screening>): unknown =>
      body.hits.map(({ band, features }) => [band, reasonsIn(features)]);
    expect(reasonsOf(await person(NAME, { dateOfBirth: '1961-04-02' }))).toEqual([
      ['strong', ['date_of_birth_month_equal']],
    ]);
    const branch = { type: 'organisation', names: ['Jacaranda Móveis'], taxId: '11.222.333/0002-62' };
    expect(reasonsOf(await screen({ subject: branch }))).toEqual([['identifier', ['cnpj_root']]]);
  });

  it('that names its lists searches the own one only if it is among them', async () => {
    await replace([ROW]);
    expect(found(await person(NAME, {}))).toEqual([['own', 'a-1']]);
    expect(searched(await screen({ subject: { type: 'person', names: [NAME] }, lists: ['un-csnu'] }))).toEqual([
      'un-csnu',
    ]);
    expect(searched(await screen({ subject: { type: 'person', names: [NAME] }, lists: ['own', 'un-csnu'] }))).toEqual([
      'un-csnu',
      'own',
    ]);
  });

  it('that requests the own list is refused if there is none', async () => {
    const answer = await screen({ subject: { type: 'person', names: [NAME] }, lists: ['own', 'un-csnu'] });
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
      409,
      'provider_not_configured',
      'No version of these lists was imported: own.',
    ]);
  });

  it('that is repeated uses the present own list', async () => {
    const before = await person(NAME);
    expect(found(before)).toEqual([]);
    await replace([ROW]);
    const after = await rerun(before.body.id);
    expect(found(after)).toEqual([['own', 'a-1']]);
    await remove();
    const last = await rerun(after.body.id);
    expect([found(last), searched(last).includes('own')]).toEqual([[], false]);
  });
});

describe('a hit on the own list', () => {
  const adjudicate = ({ body }: Answer<Screening>, status: string) =>
    world.request<Screening['hits'][number]>('POST', `/v1/screenings/${body.id}/hits/${body.hits[0]!.id}/adjudicate`, {
      as: world.analyst,
      body: { status, reasonCode: 'other', note: 'Compared with the passport.' },
    });

  it('is decided, and the decision holds until the entry changes', async () => {
    await replace([ROW]);
    const first = await person(NAME);
    expect((await adjudicate(first, 'false_positive')).status).toBe(200);
    await replace([ROW, 'a-2,person,Outra Pessoa,,,,,,']);
    expect((await rerun(first.body.id)).body.hits).toMatchObject([{ status: 'false_positive', reopened: null }]);
    await replace([ROW.replace('1961-04-02', '1962-05-03')]);
    const again = await rerun(first.body.id);
    expect(again.body.hits).toMatchObject([
      {
        status: 'open',
        reopened: { changes: [{ path: '/entity/birthDates', before: '["1961-04-02"]', after: '["1962-05-03"]' }] },
      },
    ]);
  });

  it('preserves what it shows if the list is removed', async () => {
    await replace([ROW]);
    const { body: before } = await person(NAME);
    expect((await remove()).status).toBe(204);
    expect((await world.get(before.id)).body).toEqual(before);
    expect(await world.database.sql('SELECT part FROM own_list_part WHERE tenant_id = $1', [acme.id])).toEqual([]);
    expect(
      await world.database.sql(
        `SELECT subject_id FROM subject_key WHERE tenant_id = $1 AND subject_type = 'own_list' AND wrapped IS NOT NULL`,
        [acme.id],
      ),
    ).toEqual([]);
  });
});

describe('monitoring', () => {
  it('screens every person of the tenant again if its list changes, and nobody of another tenant', async () => {
    const customer = await world.approve({ ...CLEAN, fullName: NAME }, acme);
    const theirs = await world.approve({ ...CLEAN, fullName: NAME }, world.other);
    const alerts = async () =>
      (await world.alerts(`applicationId=${customer}`, await world.officerOf(acme))).map(({ status, kind, hit }) => [
        status,
        kind,
        hit!.listId,
      ]);
    expect(await alerts()).toEqual([]);
    await replace([`m-1,person,${NAME},,,,,,`]);
    await world.settle();
    expect(await alerts()).toEqual([['open', 'sanctions', 'own']]);
    expect(await world.alerts(`applicationId=${theirs}`, await world.officerOf(world.other))).toEqual([]);
    await remove();
    await world.settle();
    expect((await alerts()).map(([status]) => status)).toEqual(['resolved']);
  });
});

describe('the largest accepted entry', () => {
  it('is shown by every answer of a screening that finds it', async () => {
    const long = (text: string, length: number): string => `${text} ${'a'.repeat(length - text.length - 1)}`;
    const row = [
      `l-1,person,${NAME},${Array.from({ length: 500 }, (_, index) => long(`Bira ${index}`, 100)).join(';')}`,
      Array.from({ length: 50 }, (_, index) => 1900 + index).join(';'),
      'BR',
      '',
      'sanction',
      '😀'.repeat(20_000),
    ].join();
    const { status, body } = await replace([row, `l-2,person,${long('Ubirajara Quintanilha', 1000)},,,,,,`]);
    expect([status, body.entryCount]).toEqual([200, 2]);
    const answer = await person(NAME);
    expect([
      answer.status,
      answer.body.hits.map(({ entityId, entity }) => [entityId, entity.aliases.length, entity.datesOfBirth.length]),
    ]).toEqual([201, [['l-1', 500, 50]]]);
    expect((await person(long('Ubirajara Quintanilha', 200))).status).toBe(201);
    expect((await world.get(answer.body.id)).status).toBe(200);
  });
});

describe('while the index of an own list is built', () => {
  it('screenings that need it hold neither a slot nor a connection, and those of other tenants do not wait', async () => {
    await replace([ROW]);
    const others = await world.other.key(['screening']);
    await withClient(world.database.superuser, async (client) => {
      await client.query('BEGIN; LOCK TABLE own_list_part');
      const waiting = Array.from({ length: 12 }, () => person(NAME));
      // There are more screenings than slots, so waiting in a slot would block others.
      await expect
        .poll(
          async () =>
            (
              await world.database.sql(
                `SELECT FROM pg_locks WHERE NOT granted AND relation = 'own_list_part'::regclass`,
              )
            ).length,
        )
        .toBe(1);
      const answers = await Promise.all([1, 2, 3].map(() => person(NAME, {}, others)));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      const [{ busy }] = (await world.database.sql<{ busy: number }>(
        `SELECT count(*)::integer AS busy FROM pg_stat_activity WHERE datname = current_database()
          AND usename <> current_user AND state IN ('active', 'idle in transaction')
          AND backend_type = 'client backend'`,
      )) as [{ busy: number }];
      expect(busy).toBeLessThanOrEqual(2);
      await client.query('COMMIT');
      for (const answer of await Promise.all(waiting))
        expect([answer.status, found(answer)]).toEqual([201, [['own', 'a-1']]]);
    });
  });

  it('a run of monitoring is postponed and not counted as a failure', async () => {
    const customer = await world.approve({ ...CLEAN, fullName: NAME }, acme);
    await replace([`a-1,person,${NAME},,,,,,`]);
    await withClient(world.database.superuser, async (client) => {
      await client.query('BEGIN; LOCK TABLE own_list_part');
      await world.running.runTasks();
      expect(await world.database.sql(`SELECT DISTINCT attempts FROM task WHERE kind = 'monitoring.rescreen'`)).toEqual(
        [{ attempts: 0 }],
      );
      await client.query('COMMIT');
    });
    await world.settle();
    const alerts = await world.alerts(`applicationId=${customer}`, await acme.user('compliance_officer'));
    expect(alerts.map(({ hit }) => hit!.listId)).toEqual(['own']);
  });

  it('the indexes of the lists that were searched longest ago are evicted, by their bytes', async () => {
    const indexes = new OwnIndexes(world.database.database, world.running.services.fairQueue, 1);
    const ready = async (tenant: Tenant): Promise<string> => {
      const [row] = await world.database.sql<{ id: Uuid }>(
        'SELECT id FROM own_list_version WHERE tenant_id = $1 AND ended_at IS NULL',
        [tenant.id],
      );
      for (;;) {
        try {
          return indexes.ready(tenant.id, row!);
        } catch (error) {
          if (!(error instanceof NotReady)) throw error;
          await error.ready;
        }
      }
    };
    for (const tenant of [acme, world.other]) await replace([ROW], {}, tenant);
    const names = [await ready(acme), await ready(world.other)];
    expect(names.map((name) => indexes.engine.has(name))).toEqual([false, true]);
    expect(await ready(acme)).toBe(names[0]);
    await indexes.stop();
  });
});
