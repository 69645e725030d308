/** API tests of screening a name, of many screenings at once, and of their list. */
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { withClient } from '../../server/database/pool.ts';
import { findScreening } from '../../server/modules/screenings/store.ts';
import { finalScore } from '../../server/screening/engine/judgement.ts';
import { newApplication } from '../operations/application-records.ts';
import { newCpf } from '../support/cpf.ts';
import { shared } from '../support/service.ts';
import { entriesOf } from './evidence-pack-world.ts';
import { LISTED, type Screening, startScreeningWorld } from './screenings-world.ts';

/** Number of simultaneous screenings. The pool has further connections beside them on a machine of any size. */
const TURNS = Math.max(2, availableParallelism());

const world = await shared(startScreeningWorld({ env: { DATABASE_POOL_SIZE: String(TURNS + 4) } }));

const hitsOf = ({ hits }: Screening): [string, string][] =>
  hits.map(({ listId, entity }): [string, string] => [listId, entity.name]);

describe('a screening', () => {
  it('finds a listed person, and says why', async () => {
    const { status, headers, body } = await world.screen({ subject: { ...LISTED, countries: ['RU'] } });
    expect([status, headers.get('location')]).toEqual([201, `/v1/screenings/${body.id}`]);
    expect(body).toMatchObject({
      environment: 'live',
      result: 'open_hits',
      hitCount: 2,
      openHitCount: 2,
      truncated: false,
      staleLists: [],
      applicationId: null,
      algorithmVersion: 'm7',
      profileVersion: 1,
      criteria: {
        threshold: 0.8,
        dobToleranceYears: 0,
        includeRca: true,
        includeFormerPep: true,
      },
    });
    expect(body.lists.map(({ listId }) => listId)).toEqual(['cgu-pep', 'ofac-sdn', 'un-csnu']);
    expect(hitsOf(body)).toContainEqual(['un-csnu', 'Sergei Listado Petrov']);
    expect(body.hits.find(({ listId }) => listId === 'un-csnu')).toMatchObject({
      category: 'sanction',
      score: 1,
      band: 'strong',
      matchedName: 'Sergei Listado Petrov',
      entity: {
        type: 'person',
        aliases: ['Сергей Петров', 'O Contador'],
        datesOfBirth: ['1961-04-02'],
        countries: ['RU'],
        remarks: 'Persona of the sandbox',
      },
    });
    expect((await world.get(body.id)).body).toEqual(body);
  });

  it('is clear when nobody on the lists is like the subject', async () => {
    expect((await world.person('Quintiliana Zorzetto')).body).toMatchObject({
      result: 'clear',
      hits: [],
      hitCount: 0,
      openHitCount: 0,
    });
  });

  it('has scores that are the sum of their features, and follow from the stored data, to 1e-9', async () => {
    const names = [
      'Sergei Petrov Listado',
      'Serguei Listado Petrow',
      'Сергей Петров',
      'Maria da Silva',
      'Yousef Haddad',
      'Anton Volkov',
    ];
    for (const name of names) {
      const { body } = await world.screen({
        subject: {
          type: 'person',
          names: [name],
          yearOfBirth: 1961,
          countries: ['RU'],
        },
        lists: ['un-csnu', 'ofac-sdn', 'eu-fsf'],
        criteria: { threshold: 0.5 },
      });
      expect(body.hits.length, name).toBeGreaterThan(0);
      for (const { score, features } of body.hits)
        expect(
          features.reduce((sum, { contribution }) => sum + contribution, 0),
          name,
        ).toBeCloseTo(score, 9);
      const stored = await world.database.database.transaction({ tenantId: world.acme.id }, (tx) =>
        findScreening(tx, body.id),
      );
      if (stored === null || stored === 'erased') throw new Error('the screening is not stored');
      for (const { score, judgement } of stored.hits)
        expect(Math.abs(finalScore(judgement) - score)).toBeLessThan(1e-9);
    }
  });

  it('searches the requested lists, with the requested threshold', async () => {
    const request = {
      subject: { type: 'organisation', names: ['Northern Imaginary Front'] },
      lists: ['un-csnu'],
      criteria: { threshold: 0.99 },
    };
    const { body } = await world.screen(request);
    expect([body.lists.map(({ listId }) => listId), body.criteria.threshold, hitsOf(body)]).toEqual([
      ['un-csnu'],
      0.99,
      [['un-csnu', 'Frente Imaginária do Norte']],
    ]);
    const { body: other } = await world.screen({
      ...request,
      lists: ['un-csnu', 'eu-fsf'],
      subject: { type: 'person', names: ['Anton Volkov'] },
      criteria: { threshold: 0.6 },
    });
    expect(hitsOf(other)).toEqual([['eu-fsf', 'Anton Ausente Volkov']]);
  });

  it('omits relatives of exposed persons on request', async () => {
    const kovac = (criteria: object) =>
      world.screen({
        subject: { type: 'person', names: ['Marko Inventado Kovac'] },
        lists: ['un-csnu', 'opensanctions'],
        criteria,
      });
    expect((await kovac({})).body.hits.map(({ category }) => category)).toEqual(['rca']);
    expect((await kovac({ includeRca: false })).body.result).toBe('clear');
  });

  it('identifies a listed person by the visible digits of the CPF, and other people of that name by theirs', async () => {
    const pep = (taxId: string) => world.person('Paulo Exposto Lima', { taxId }, world.test);
    expect((await pep('222.222.222-22')).body).toMatchObject({
      result: 'open_hits',
      hits: [{ listId: 'cgu-pep', category: 'pep' }],
    });
    expect((await pep(newCpf())).body.result).toBe('clear');
  });

  it('of an application screens its applicant', async () => {
    const applicationId = await newApplication(world, world.acme);
    const { body } = await world.screen({ applicationId });
    expect(body).toMatchObject({
      applicationId,
      environment: 'live',
      hitCount: 12,
      subject: { type: 'person', names: ['Maria da Silva', 'Mariana Silva'] },
    });
    expect((await world.list(`applicationId=${applicationId}`)).body.items.map(({ id }) => id)).toEqual([body.id]);
  });

  it('of an application is explained in sentences, which its evidence pack has in both languages', async () => {
    const applicationId = await newApplication(world, world.acme);
    const { body } = await world.screen({ applicationId });
    world.advance(11_000);
    const pack = await fetch(`${world.url}/v1/applications/${applicationId}/evidence-pack`, { headers: world.key });
    expect(pack.status).toBe(200);
    const text = String(
      entriesOf(Buffer.from(await pack.arrayBuffer())).find(({ name }) => name === 'screening.txt')?.content,
    );
    expect(text).toContain(`(${body.id})\n\n1. Screened: `);
    expect(text).toMatch(/Na lista [a-z-]+: .+\n {3}- As palavras .+\.\n {3}- “.+” .+\. Isso soma [01](?:,\d+)?\./);
    for (const { score, features } of body.hits) {
      expect(text).toContain(`Score: ${score.toFixed(3)} (open)`);
      for (const { text: sentence } of features)
        for (const said of [sentence.en, sentence.pt]) expect(text).toContain(said);
    }
  });

  it('in the sandbox is of the sandbox, and no other tenant sees it', async () => {
    const { body } = await world.screen({ subject: LISTED }, world.test);
    expect([body.environment, (await world.list('', world.test)).body.items[0]?.id]).toEqual(['sandbox', body.id]);
    expect((await world.get(body.id, await world.other.key(['read']))).status).toBe(404);
    expect((await world.list('limit=100', await world.other.key(['read']))).body.items).toEqual([]);
  });

  it('shows readers of masked data neither the subject nor the reasons', async () => {
    const identifiers = [{ kind: 'passport', value: 'YA 123.456', country: 'BR' }];
    const { body } = await world.screen({ subject: { ...LISTED, taxId: newCpf(), identifiers } });
    expect(body.subject.identifiers).toEqual([{ kind: 'passport', value: 'YA123456', country: 'BR' }]);
    const viewer = await world.acme.user('viewer');
    const { body: masked, text } = await world.get(body.id, viewer);
    expect(masked).toMatchObject({
      personalDataMasked: true,
      subject: {
        names: [],
        dateOfBirth: null,
        taxId: expect.stringMatching(/^\*\*\*\d{6}\*\*$/),
        identifiers: [],
      },
      hitCount: body.hitCount,
    });
    expect(masked.hits.map(({ features }) => features)).toEqual(body.hits.map(() => []));
    expect(text).not.toContain(body.subject.taxId);
    expect(text).not.toContain('YA123456');
    expect((await world.list('limit=1', viewer)).body.items[0]).toMatchObject({
      personalDataMasked: true,
      subject: { names: [] },
    });
  });

  it('says that there are more if more than 200 entities are similar', async () => {
    await world.publish(
      'uk-ofsi',
      Array.from(
        { length: 230 },
        (_, index) => `${index},person,Joaquim Comum Duarte,,${1900 + (index % 100)},,,sanction,`,
      ),
    );
    const { body } = await world.screen(
      { subject: { type: 'person', names: ['Joaquim Comum Duarte'] }, lists: ['un-csnu', 'uk-ofsi'] },
      world.test,
    );
    expect([body.hits.length, body.hitCount, body.truncated]).toEqual([200, 200, true]);
  });
});

describe('many screenings at once', () => {
  it('are limited: waiting ones hold no connection, and readiness waits for none of them', async () => {
    const waiting = async (): Promise<number> =>
      (
        await world.database.sql(
          `SELECT FROM pg_locks WHERE NOT granted AND relation = 'screening'::regclass AND database = (SELECT oid
            FROM pg_database WHERE datname = current_database())`,
        )
      ).length;
    const statuses = await withClient(world.database.superuser, async (client) => {
      await client.query('BEGIN; LOCK TABLE screening');
      const answers = Promise.all(Array.from({ length: TURNS + 6 }, () => world.person('Quintiliana Zorzetto')));
      await expect.poll(waiting).toBe(TURNS);
      expect((await world.request('GET', '/readyz')).status).toBe(200);
      expect((await world.request('GET', '/v1/sandbox', { as: world.key })).status).toBe(200);
      expect(await waiting()).toBe(TURNS);
      await client.query('COMMIT');
      return (await answers).map(({ status }) => status);
    });
    expect(statuses).toEqual(Array.from({ length: TURNS + 6 }, () => 201));
  });
});

describe('the list of screenings', () => {
  it('is searched by result, list, kind, age of lists and time', async () => {
    const tenant = await world.tenant();
    const as = await tenant.key(['read', 'screening']);
    const clear = (await world.person('Quintiliana Zorzetto', {}, as)).body.id;
    const sanctioned = (await world.screen({ subject: LISTED }, as)).body.id;
    const exposed = (
      await world.screen(
        { subject: { type: 'person', names: ['Ivana Inventada Kovac'] }, lists: ['un-csnu', 'opensanctions'] },
        as,
      )
    ).body.id;
    const found = async (query: string) => (await world.list(query, as)).body.items.map(({ id }) => id);
    expect(await found('')).toEqual([exposed, sanctioned, clear]);
    expect(await found('sort=createdAt&limit=2')).toEqual([clear, sanctioned]);
    expect(await found('result=clear')).toEqual([clear]);
    expect(await found('listId=un-csnu')).toEqual([sanctioned]);
    expect(await found('category=pep&category=rca')).toEqual([exposed]);
    expect(await found('hasStaleLists=true')).toEqual([]);
    expect(await found('hasStaleLists=false&result=open_hits')).toEqual([exposed, sanctioned]);
    expect(await found(`createdBefore=2020-01-01T00:00:00Z`)).toEqual([]);
    const {
      body: { cursor },
    } = await world.list('limit=1', as);
    expect(await found(`limit=1&cursor=${cursor ?? ''}`)).toEqual([sanctioned]);
  });
});
