/** API tests of people who have exactly the name of somebody on a list of sanctions: none may be missed. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { type Answer, shared } from '../support/service.ts';
import { CLEAN, startMonitoringWorld } from './monitoring-world.ts';
import { LISTED, type Screening } from './screenings-world.ts';

const world = await shared(startMonitoringWorld());
const analyst = await world.sandboxed.user('analyst');
await world.follow();

const screened = async (more: object): Promise<Screening> =>
  (await world.screen({ subject: { ...LISTED, ...more }, lists: ['un-csnu'] }, world.test)).body;

describe('the exact name of a person on a list of sanctions', () => {
  it.each<[string, object]>([
    ['another date of birth', { dateOfBirth: '1979-11-30' }],
    ['another date of birth and another country', { dateOfBirth: '1979-11-30', countries: ['BR'] }],
    ['another date of birth, gender and country', { dateOfBirth: '1979-11-30', gender: 'female', countries: ['BR'] }],
    [
      'another name beside it',
      { names: ['Sergio Petronio Bastos', 'Petrov, Sergei LISTADO'], dateOfBirth: '1979-11-30' },
    ],
  ])('is found in spite of %s, in the band namesake', async (_, more) => {
    const {
      result,
      hits: [hit, ...others],
      lines,
    } = await screened(more);
    expect([result, hit!.band, hit!.score < lines.sanctions.alert, hit!.entity.name, others]).toEqual([
      'open_hits',
      'namesake',
      true,
      'Sergei Listado Petrov',
      [],
    ]);
  });

  it.each(['1916-04-02', '1961-02-04', '1961-04-03', '1962-04-02', '1967-04-02'])(
    'is a strong hit with %s, which is the date of the list but for a slip',
    async (dateOfBirth) => {
      expect((await screened({ dateOfBirth })).hits.map(({ band, score }) => [band, score])).toEqual([
        ['strong', expect.closeTo(0.95, 9)],
      ]);
    },
  );

  it('is found at every threshold that a request may ask for', async () => {
    for (const threshold of [0.5, 0.9, 1]) {
      const { body } = await world.screen(
        { subject: { ...LISTED, dateOfBirth: '1979-11-30' }, lists: ['un-csnu'], criteria: { threshold } },
        world.test,
      );
      expect(body.hits.map(({ band }) => band)).toEqual([threshold === 0.5 ? 'low' : 'namesake']);
    }
  });

  it('is decided by one person, and leaves nothing open', async () => {
    const screening = await screened({ dateOfBirth: '1979-11-30' });
    const { status, body }: Answer<components['schemas']['ScreeningHit']> = await world.request(
      'POST',
      `/v1/screenings/${screening.id}/hits/${screening.hits[0]!.id}/adjudicate`,
      {
        as: analyst,
        body: {
          status: 'false_positive',
          reasonCode: 'different_dob',
          note: 'The identity card that we hold says 1979.',
        },
      },
    );
    expect([status, body.status, body.decision?.reviewedBy]).toEqual([200, 'false_positive', null]);
    expect((await world.get(screening.id, world.test)).body.result).toBe('cleared');
  });

  it('is no hit if the tax number differs on both sides', async () => {
    const row = (taxId: string) => `71,person,Tertuliano Guaicuru Sampaio,,1950-01-01,BR,${taxId},sanction,`;
    const search = async (): Promise<string[]> =>
      (
        await world.screen(
          {
            subject: {
              type: 'person',
              names: ['Tertuliano Guaicuru Sampaio'],
              dateOfBirth: '1990-02-03',
              taxId: '111.444.777-35',
            },
            lists: ['un-csnu', 'ofac-sdn'],
          },
          world.test,
        )
      ).body.hits.map(({ band }) => band);
    for (const [taxId, bands] of [
      ['', ['namesake']],
      ['529.982.247-25', []],
      ['***.982.247-**', []],
      ['***.444.777-**', ['namesake']],
    ] as const) {
      await world.publish('ofac-sdn', [row(taxId)]);
      await world.follow();
      expect([taxId, await search()]).toEqual([taxId, bands]);
    }
  });
});

describe('a namesake of a monitored applicant', () => {
  it.each(['ofac-sdn', 'un-csnu'] as const)(
    'on the list %s raises an alert of medium severity, which a decision resolves',
    async (listId) => {
      const name = listId === 'un-csnu' ? 'Anacleto Piratininga Boaventura' : 'Bartira Itapuca Vasconcelos';
      const id = await world.approve({ ...CLEAN, fullName: name });
      await world.publish(listId, [`72,person,${name.toUpperCase()},,1931-01-15,SY,,sanction,`]);
      expect(await world.follow()).toBeGreaterThan(0);
      const [alert] = await world.alerts(`applicationId=${id}`);
      expect(alert).toMatchObject({
        kind: 'sanctions',
        severity: 'medium',
        status: 'open',
        hit: { listId },
      });
      const body = {
        status: 'false_positive',
        reasonCode: 'different_dob',
        note: 'Born forty years later, by the identity card.',
      };
      expect(
        (
          await world.request(
            'POST',
            `/v1/screenings/${alert!.hit!.screeningId}/hits/${alert!.hit!.hitId}/adjudicate`,
            { as: analyst, body },
          )
        ).status,
      ).toBe(200);
      expect((await world.alerts(`applicationId=${id}`)).map(({ status }) => status)).toEqual(['resolved']);
    },
  );
});
