/** API tests of which hits are masked: those that describe the applicant or stand on an own list. */
import { describe, expect, it } from 'vitest';
import { masks } from '../../server/contract/generated/masks.ts';
import { each } from '../support/each.ts';
import { type Credential, shared } from '../support/service.ts';
import { CLEAN } from './monitoring-world.ts';
import { startOwnListWorld } from './own-lists-world.ts';
import type { Screening } from './screenings-world.ts';

const world = await shared(startOwnListWorld());
const { sandboxed, acme } = world;
const OWN =
  'c-52998224725,person,Heitor Montalvão,Tito Montalvão;Heitorzinho,1969-02-01,BR,52998224725,watchlist,Was ' +
  'dismissed for theft in 2019';
/** Content of the own list, in every form in which an answer might reveal it. */
const SECRETS = ['c-52998224725', 'Heitor', 'Tito', 'Montalvão', '1969-02-01', '52998224725', 'dismissed for theft'];

const readers = async (tenant: typeof acme): Promise<readonly (readonly [string, Credential])[]> => {
  const environment = tenant === sandboxed ? ('test' as const) : ('live' as const);
  return [
    ['key', await tenant.key(['read', 'screening'], { personalData: 'masked', environment })],
    ...(await Promise.all(
      (['admin', 'developer', 'viewer'] as const).map(async (role) => [role, await tenant.user(role)] as const),
    )),
  ];
};
const hitOf = ({ hits: [hit] }: Screening): Screening['hits'][number] => hit!;

describe('an entry of an own list', () => {
  it('is masked for readers who see persons masked, in every answer, and shown in full to others', async () => {
    expect((await world.replace([OWN])).status).toBe(200);
    const { body: whole } = await world.person('Heitor Montalvão', { dateOfBirth: '1969-02-01' });
    expect(hitOf(whole)).toMatchObject({
      listId: 'own',
      entityId: 'c-52998224725',
      matchedName: 'Heitor Montalvão',
      entity: { datesOfBirth: ['1969-02-01'], remarks: 'Was dismissed for theft in 2019' },
    });
    const decided = await world.request('POST', `/v1/screenings/${whole.id}/hits/${hitOf(whole).id}/adjudicate`, {
      as: await world.officerOf(acme),
      body: {
        status: 'false_positive',
        reasonCode: 'other',
        note: 'Compared with the passport, somebody else.',
        allowlist: { expiresAt: new Date(world.running.services.clock().getTime() + 86_400_000).toISOString() },
      },
    });
    expect([decided.status, decided.text]).toEqual([200, expect.stringContaining('Montalvão')]);
    for (const [who, as] of await readers(acme)) {
      for (const path of [
        `/v1/screenings/${whole.id}`,
        '/v1/screenings',
        '/v1/screenings/lists',
        '/v1/screenings/allowlist',
        '/v1/monitoring/alerts',
        `/v1/audit/events?resourceId=${hitOf(whole).id}`,
      ]) {
        const { status, text } = await world.request('GET', path, { as });
        if (status === 403) continue;
        expect([who, path, status, SECRETS.filter((secret) => text.includes(secret))]).toEqual([who, path, 200, []]);
      }
      const hit = hitOf((await world.get(whole.id, as)).body);
      expect(hit).toMatchObject({
        listId: 'own',
        entityId: '***',
        matchedName: 'H*** M***',
        score: hitOf(whole).score,
        features: [],
        entity: {
          type: 'person',
          name: 'H*** M***',
          aliases: [],
          datesOfBirth: [],
          countries: ['BR'],
          position: null,
          positionFrom: null,
          positionTo: null,
          remarks: '***',
          sourceUrl: null,
        },
      });
      const {
        body: { items },
      } = await world.request<{ items: { listId: string; entityId: string }[] }>('GET', '/v1/screenings/allowlist', {
        as,
      });
      expect(items.map(({ listId, entityId }) => [listId, entityId])).toEqual([['own', '***']]);
    }
    const {
      body: {
        items: [own],
      },
    } = await world
      .request<{ items: { id: string; sha256: string | null }[] }>('GET', '/v1/screenings/lists', {
        as: await acme.user('viewer'),
      })
      .then((answer) => ({ body: { items: answer.body.items.filter(({ id }) => id === 'own') } }));
    expect([own?.sha256, (await world.listed())?.sha256]).toEqual([null, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });
});

describe('an entry that was simulated', () => {
  it('describes the applicant, so it is masked for readers who see persons masked', async () => {
    const id = await world.approve();
    const simulated = await world.request<{ effects: { resource: { type: string; id: string } }[] }>(
      'POST',
      '/v1/sandbox/simulations',
      {
        as: await sandboxed.key(['admin'], { environment: 'test' }),
        body: { type: 'list_update_hit', target: { type: 'application', id } },
      },
    );
    const screeningId = simulated.body.effects.find(({ resource }) => resource.type === 'screening')!.resource.id;
    expect((await world.get(screeningId, world.test)).text).toContain(CLEAN.fullName);
    for (const [who, as] of await readers(sandboxed)) {
      const { status, text, body } = await world.get(screeningId, as);
      expect([
        who,
        status,
        [CLEAN.fullName, CLEAN.dateOfBirth, ...CLEAN.fullName.split(' ')].filter((secret) => text.includes(secret)),
      ]).toEqual([who, 200, []]);
      expect(hitOf(body)).toMatchObject({
        listId: 'un-csnu',
        matchedName: 'Q*** Z*** T***',
        entity: { name: 'Q*** Z*** T***', datesOfBirth: [], remarks: '***' },
      });
    }
  });
});

describe('an entry of a public list', () => {
  it('is shown in full to everybody, because everybody can read the list', async () => {
    const { body: whole } = await world.person('Sergei Listado Petrov', { dateOfBirth: '1961-04-02' });
    const { matchedName, entity, entityId } = hitOf(whole);
    for (const [, as] of each(await readers(acme)))
      expect(hitOf((await world.get(whole.id, as)).body)).toMatchObject({ matchedName, entity, entityId });
  });
});

it('the generated table masks every member of an entry that may describe a private person', () => {
  expect(Object.keys(masks.HitEntity).sort()).toEqual([
    'aliases',
    'datesOfBirth',
    'name',
    'position',
    'positionFrom',
    'positionTo',
    'remarks',
    'sourceUrl',
  ]);
  expect(masks.ScreeningHit).toMatchObject({
    entity: 'HitEntity',
    matchedName: 'initials',
    entityId: 'hidden',
    features: 'removed',
  });
  expect(masks.AllowlistEntry).toEqual({ entityId: 'hidden' });
});
