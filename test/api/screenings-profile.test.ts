/** API tests of the thresholds of a tenant. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { setSection } from '../support/onboarding.ts';
import { type Answer, type Credential, shared, type Tenant } from '../support/service.ts';
import { LISTED, type Refusal, type Screening, startScreeningWorld } from './screenings-world.ts';

const world = await shared(startScreeningWorld());
const CPF = '52998224725';

/** Returns a tenant of its own, whose settings no other test changes. */
async function newTenant() {
  const tenant: Tenant = await world.tenant();
  await world.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
    tenant.id,
  ]);
  const [key, owner, analyst] = [
    await tenant.key(['read', 'write', 'screening'], { environment: 'test' }),
    await tenant.user('owner'),
    await tenant.user('analyst'),
  ];
  return {
    analyst,
    key,
    set: (settings: components['schemas']['TenantSettingsUpdate']) => setSection(world, owner, settings),
    screen: async (body: object): Promise<Screening> =>
      (
        await world.screen(
          {
            subject: { type: 'person', names: ['Anton Absente Volkof'] },
            lists: ['un-csnu', 'eu-fsf', 'opensanctions'],
            ...body,
          },
          key,
        )
      ).body,
    rerun: (id: string, body: object = {}): Promise<Answer<Screening & Refusal>> =>
      world.request('POST', `/v1/screenings/${id}/rerun`, { as: key, body }),
  };
}

await world.publish('eu-fsf', [
  '1,person,Anton Ausente Volkov,,,,,sanction,',
  `2,person,Clarice Vidigal Montenegro,,,,${CPF},sanction,`,
]);
await world.publish('opensanctions', [
  '1,person,Anton Ausente Volkov,,,,,pep,',
  '2,person,Anton Ausente Volkov,,,,,watchlist,',
]);

const found = ({ hits }: Screening) => Object.fromEntries(hits.map(({ category, band }) => [category, band]));
const readBack = async ({ id }: Pick<Screening, 'id'>, as: Credential): Promise<Screening> =>
  (await world.get(id, as)).body;

/** Returns the similarity of the pair, independent of the thresholds. */
async function scoreIn(screening: Screening): Promise<number> {
  const [first, ...others] = screening.hits;
  for (const { score } of others) expect(score).toBeCloseTo(first!.score, 9);
  return first!.score;
}
const below = (score: number): number => Math.floor(score * 100) / 100 - 0.01;
const above = (score: number): number => Math.ceil(score * 100) / 100 + 0.01;

describe('the profile of a tenant', () => {
  it('sets by the kind of list the score at which a hit begins, and its strength', async () => {
    const { set, screen } = await newTenant();
    const score = await scoreIn(await screen({ criteria: { threshold: 0.5 } }));
    expect(score).toBeLessThan(0.95);
    await set({
      screening: {
        profile: {
          sanctions: { person: { alert: 0.5, review: below(score), strong: above(score) } },
          pep: { person: { alert: 0.5, review: above(score), strong: 0.99 } },
          other: { person: { alert: above(score), review: 1, strong: 1 } },
        },
      },
    });
    const screening = await screen({});
    expect(found(screening)).toEqual({ sanction: 'review', pep: 'low' });
    expect([screening.criteria.threshold, screening.lines.sanctions, screening.lines.other.alert]).toEqual([
      0.5,
      { alert: 0.5, review: below(score), strong: above(score) },
      above(score),
    ]);
    await set({
      screening: { profile: { sanctions: { person: { strong: below(score) } }, other: { person: { alert: 0.6 } } } },
    });
    expect(found(await screen({}))).toEqual({ sanction: 'strong', pep: 'low', watchlist: 'low' });
  });

  it('lets candidates below its thresholds displace no hit, however many there are', async () => {
    const { set, screen } = await newTenant();
    await world.publish('opensanctions', [
      '1,person,Anton Ausente Volkov,,,,,pep,',
      '2,person,Anton Ausente Volkov,,,,,watchlist,',
      ...Array.from(
        { length: 230 },
        (_, index) =>
          `many-${index},person,Joaquim Comum Duarte,,${1900 + (index % 100)},,,${index < 210 ? 'pep' : 'rca'},`,
      ),
    ]);
    await world.publish('uk-ofsi', ['1,person,Joaquin Comun Duart,,,,,sanction,']);
    const subject = {
      subject: { type: 'person', names: ['Joaquim Comum Duarte'] },
      lists: ['un-csnu', 'uk-ofsi', 'opensanctions'],
    };
    expect((await screen({ ...subject, criteria: { threshold: 0.5 } })).truncated).toBe(true);
    await set({
      screening: {
        profile: { sanctions: { person: { alert: 0.5 } }, pep: { person: { alert: 1, review: 1, strong: 1 } } },
      },
    });
    const whole = await screen({ ...subject, subject: { type: 'person', names: ['Joaquim Comun Duarte'] } });
    expect([whole.hits.map(({ listId, category }) => [listId, category]), whole.truncated]).toEqual([
      [['uk-ofsi', 'sanction']],
      false,
    ]);
  });

  it('has thresholds of its own for organisations', async () => {
    const { set, screen } = await newTenant();
    const organisation = { subject: { type: 'organisation', names: ['Northern Imaginary Front'] }, lists: ['un-csnu'] };
    expect((await screen(organisation)).hits.map(({ band }) => band)).toEqual(['strong']);
    await set({
      screening: {
        profile: { sanctions: { organisation: { strong: 1 }, person: { alert: 1, review: 1, strong: 1 } } },
      },
    });
    expect((await screen(organisation)).lines.sanctions).toEqual({ alert: 0.8, review: 0.8, strong: 1 });
  });

  it('lets an equal number identify a person, whatever the thresholds are', async () => {
    const { set, screen } = await newTenant();
    await set({ screening: { profile: { sanctions: { person: { alert: 0.97, review: 0.99, strong: 1 } } } } });
    const { hits } = await screen({ subject: { type: 'person', names: ['Somebody Else Entirely'], taxId: CPF } });
    expect(hits.map(({ category, band }) => [category, band])).toEqual([['sanction', 'identifier']]);
  });

  it('yields to the threshold of a request, which a rerun preserves', async () => {
    const { set, screen, rerun } = await newTenant();
    const loose = await screen({ criteria: { threshold: 0.5 } });
    expect([loose.criteria.threshold, ...Object.values(loose.lines).map(({ alert }) => alert)]).toEqual([
      0.5, 0.5, 0.5, 0.5,
    ]);
    expect(loose.lines.sanctions).toEqual({ alert: 0.5, review: 0.82, strong: 0.9 });
    expect((await screen({ criteria: { threshold: 0.95 } })).lines).toMatchObject({
      sanctions: { alert: 0.95, review: 0.95, strong: 0.95 },
      pep: { alert: 0.95, review: 0.95, strong: 0.95 },
    });
    await set({ screening: { profile: { sanctions: { person: { alert: 0.99, review: 1, strong: 1 } } } } });
    const { body: again } = await rerun(loose.id);
    expect([again.hitCount, again.lines.sanctions]).toEqual([loose.hitCount, { alert: 0.5, review: 1, strong: 1 }]);
  });

  it('has a number that grows with the section of screening alone, and a screening stores its number and thresholds', async () => {
    const { set, screen, key } = await newTenant();
    const first = await screen({});
    await set({ branding: { displayName: 'Aurora' }, decisionPolicy: { minimumAge: 21 } });
    expect([first.profileVersion, (await screen({})).profileVersion]).toEqual([1, 1]);
    await set({ screening: { profile: { sanctions: { person: { strong: 0.95 } } } } });
    await set({ screening: { profile: { sanctions: { person: { strong: 0.95 } } } } });
    const second = await screen({});
    expect([second.profileVersion, second.lines.sanctions.strong]).toEqual([2, 0.95]);
    expect((await readBack(first, key)).lines).toEqual(first.lines);
    await set({ screening: { threshold: 0.85 } });
    expect((await screen({})).profileVersion).toBe(3);
  });

  it('changes no decision when it changes, and a rerun uses the present one', async () => {
    const { set, rerun, screen, analyst, key } = await newTenant();
    const first = await screen({ subject: LISTED, lists: ['un-csnu', 'ofac-sdn'] });
    for (const { id } of first.hits)
      await world.request('POST', `/v1/screenings/${first.id}/hits/${id}/adjudicate`, {
        as: analyst,
        body: { status: 'inconclusive', reasonCode: 'insufficient_data', note: 'The passport does not say it.' },
      });
    const bandsOf = ({ hits }: Screening) => hits.map(({ status, band }) => `${status} ${band}`);
    expect(bandsOf(await readBack(first, key))).toEqual(['inconclusive strong', 'inconclusive strong']);
    await set({ screening: { profile: { sanctions: { person: { alert: 0.5, review: 1, strong: 1 } } } } });
    const { body: looser } = await rerun(first.id);
    expect(bandsOf(looser).slice(0, 2)).toEqual(['inconclusive strong', 'inconclusive strong']);
    expect(looser.diff!.carried).toHaveLength(2);
    expect([looser.profileVersion, looser.lines.sanctions.alert, looser.diff!.removed]).toEqual([2, 0.5, []]);
    expect(bandsOf(await readBack(first, key))).toEqual(['inconclusive strong', 'inconclusive strong']);
  });

  it('shows the former threshold for a screening from before profiles, and a rerun uses the profile', async () => {
    const { screen, rerun, key } = await newTenant();
    const { id, hitCount } = await screen({});
    await world.database.sql(
      `UPDATE screening SET profile_version = NULL, lines = NULL, criteria = criteria || '{"threshold": 0.7}'
        WHERE id = $1`,
      [id],
    );
    const before = await readBack({ id }, key);
    expect([before.profileVersion, before.criteria.threshold, before.lines.sanctions, before.hitCount]).toEqual([
      null,
      0.7,
      { alert: 0.7, review: 0.82, strong: 0.9 },
      hitCount,
    ]);
    expect((await rerun(id)).body).toMatchObject({
      profileVersion: 1,
      lines: { sanctions: { alert: 0.82, review: 0.82, strong: 0.9 } },
    });
  });
});
