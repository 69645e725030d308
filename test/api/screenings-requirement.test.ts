/** API tests of the requirement of a clear screening: when it is met, and when no more. */
import { beforeAll, describe, expect, it } from 'vitest';
import { refused } from '../support/api.ts';
import { type Answer, shared } from '../support/service.ts';
import { ownListCsv } from '../support/watch-lists.ts';
import type { Application, Refusal, Schemas } from './applications-world.ts';
import { startDecisionWorld } from './decisions-world.ts';
import type { Screening } from './screenings-world.ts';

const world = await shared(startDecisionWorld());
beforeAll(() => world.setPolicy(world.acme, { requiredChecks: { basic: ['screening_clear'] } }));

const application = (fullName: string, more: object = {}): Promise<Application> =>
  world.submitted({ applicant: { fullName, socialName: null, ...more } });
async function screen({ id }: Application, body: object = {}): Promise<Screening> {
  const {
    status,
    text,
    body: screening,
  } = await world.request<Screening>('POST', '/v1/screenings', {
    as: world.analyst,
    body: { applicationId: id, ...body },
  });
  if (status !== 201) throw new Error(text);
  return screening;
}
const adjudicate = (
  { id, hits }: Screening,
  verdict: string,
  as = world.analyst,
): Promise<Answer<Schemas['ScreeningHit']>> =>
  world.request('POST', `/v1/screenings/${id}/hits/${hits[0]!.id}/adjudicate`, {
    as,
    body: { status: verdict, reasonCode: 'other', note: 'Compared with the passport.' },
  });
const now = async ({ id }: Application): Promise<Application> => (await world.get(id)).body;
const requirement = async (of: Application) =>
  (await now(of)).requirements.items.find(({ key }) => key === 'screening_clear');
const approve = async (of: Application): Promise<Answer<Refusal>> =>
  world.decide(await now(of)) as Promise<Answer<Refusal>>;
/** Name slightly similar to a person of the lists. */
const ALIKE = 'Yussuf Haddad';

describe('the requirement of a clear screening', () => {
  it('is established by a screening of the applicant, and is evidence', async () => {
    const one = await application('Quintiliana Zorzetto');
    expect(await requirement(one)).toMatchObject({
      kind: 'established',
      status: 'missing',
      reasonCode: 'not_established',
    });
    expect(refused(await approve(one))).toEqual([409, 'checks_incomplete']);
    const before = (await now(one)).evidenceDigest;
    await screen(one);
    expect(await requirement(one)).toMatchObject({ status: 'verified', reasonCode: null });
    expect((await now(one)).evidenceDigest).not.toBe(before);
    expect(refused(await world.decide({ ...one, evidenceDigest: before }))).toEqual([409, 'evidence_changed']);
    expect((await approve(one)).status).toBe(200);
    const [{ manifest }] = (await world.database.sql<{ manifest: { items: { kind: string }[] } }>(
      'SELECT manifest FROM decision WHERE application_id = $1',
      [one.id],
    )) as [{ manifest: { items: { kind: string }[] } }];
    expect(manifest.items.map(({ kind }) => kind)).toContain('screening');
  });

  it('is not established against a mandatory list that was out of date, unless the tenant allows it', async () => {
    const setStale = async (staleBlocksApproval: boolean): Promise<void> => {
      const as = await world.acme.user('owner', { secondFactor: true });
      const { headers } = await world.request('GET', '/v1/settings', { as });
      expect(
        (
          await world.request('PATCH', '/v1/settings', {
            as,
            body: { screening: { staleBlocksApproval } },
            headers: { 'If-Match': headers.get('etag') ?? '' },
          })
        ).status,
      ).toBe(200);
    };
    const lookedAt = (hours: number, list: string) =>
      world.database.sql(
        `UPDATE watch_list_version SET checked_at = now() - $1 * interval '1 hour'
          WHERE environment = 'live' AND list_id = $2`,
        [hours, list],
      );
    const one = await application('Belmira Zorzetto');
    await lookedAt(30, 'un-csnu');
    expect((await screen(one)).staleLists).toEqual(['un-csnu']);
    await lookedAt(0, 'un-csnu');
    expect(await requirement(one)).toMatchObject({ status: 'missing', reasonCode: 'list_stale' });
    expect(refused(await approve(one))).toEqual([409, 'checks_incomplete']);
    await setStale(false);
    expect(await requirement(one)).toMatchObject({ status: 'verified' });
    await setStale(true);
    await screen(one);
    expect((await approve(one)).status).toBe(200);
    const other = await application('Clotilde Zorzetto');
    await lookedAt(30, 'ofac-sdn');
    await screen(other);
    await lookedAt(0, 'ofac-sdn');
    expect(await requirement(other)).toMatchObject({ status: 'verified' });
  });

  it('is shown in lists too', async () => {
    const one = await application('Hermengarda Zorzetto');
    await screen(one);
    const {
      body: { items },
    } = await world.request<{ items: Application[] }>('GET', '/v1/applications?limit=100', { as: world.key });
    expect(
      items.find(({ id }) => id === one.id)?.requirements.items.find(({ key }) => key === 'screening_clear')?.status,
    ).toBe('verified');
  });

  it('waits for decisions about the hits', async () => {
    const one = await application(ALIKE);
    const screening = await screen(one, { criteria: { threshold: 0.6 } });
    expect(await requirement(one)).toMatchObject({ status: 'missing', reasonCode: 'hits_open' });
    await adjudicate(screening, 'inconclusive');
    expect(await requirement(one)).toMatchObject({ status: 'missing', reasonCode: 'hits_open' });
    await adjudicate(screening, 'false_positive', world.officer);
    expect(await requirement(one)).toMatchObject({ status: 'verified' });
    expect((await approve(one)).status).toBe(200);
  });

  it('concerns the applicant’s present data, and nobody else', async () => {
    const { body: draft } = await world.create({
      purpose: 'account_opening',
      level: 'basic',
      applicant: { fullName: 'Ludmila Zorzetto', dateOfBirth: '1990-04-12' },
    });
    await screen(draft, { subject: { type: 'person', names: ['Somebody Else Entirely'] } });
    expect(await requirement(draft)).toMatchObject({ status: 'missing', reasonCode: 'screening_outdated' });
    await screen(draft);
    expect(await requirement(draft)).toMatchObject({ status: 'verified' });
    await world.request('PATCH', `/v1/applications/${draft.id}`, {
      as: world.key,
      body: { applicant: { dateOfBirth: '1990-04-13' } },
    });
    expect(await requirement(draft)).toMatchObject({ status: 'missing', reasonCode: 'screening_outdated' });
  });
});

describe('a screening with less than the settings require', () => {
  it.each([
    ['of fewer lists', { lists: ['un-csnu'] }],
    ['by a higher threshold', { criteria: { threshold: 0.95 } }],
    ['without relatives and associates', { criteria: { includeRca: false } }],
    ['without former office holders', { criteria: { includeFormerPep: false } }],
  ])('%s establishes nothing', async (_, body) => {
    const one = await application('Wilhelmina Zorzetto');
    await screen(one, body);
    expect(await requirement(one)).toMatchObject({ status: 'missing', reasonCode: 'screening_partial' });
    expect(refused(await approve(one))).toEqual([409, 'checks_incomplete']);
    await screen(one);
    expect(await requirement(one)).toMatchObject({ status: 'verified' });
  });

  it('without the own list establishes nothing while the tenant has one', async () => {
    const one = await application('Zenaide Zorzetto');
    await screen(one);
    expect(await requirement(one)).toMatchObject({ status: 'verified' });
    const as = await world.acme.user('compliance_officer', { secondFactor: true });
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(ownListCsv(['1,person,Heitor Montalvão,,,,,,']))]));
    expect((await world.request('PUT', '/v1/screenings/lists/own', { as, body })).status).toBe(200);
    expect(await requirement(one)).toMatchObject({ status: 'missing', reasonCode: 'screening_partial' });
    expect(refused(await approve(one))).toEqual([409, 'checks_incomplete']);
    await screen(one);
    expect(await requirement(one)).toMatchObject({ status: 'verified' });
    expect((await world.request('DELETE', '/v1/screenings/lists/own', { as })).status).toBe(204);
    expect((await approve(one)).status).toBe(200);
  });

  it('revokes no confirmed hit, until a person decides otherwise about the entity', async () => {
    const one = await application(ALIKE);
    const found = await screen(one, { criteria: { threshold: 0.6 } });
    await adjudicate(found, 'true_positive');
    for (const body of [{}, { lists: ['un-csnu'] }, { criteria: { threshold: 1 } }]) {
      expect((await screen(one, body)).hits).toEqual([]);
      expect(await requirement(one)).toMatchObject({ status: 'failed', reasonCode: 'confirmed_match' });
    }
    await adjudicate(await screen(one, { criteria: { threshold: 0.6 } }), 'false_positive', world.officer);
    expect(await requirement(one)).toMatchObject({ status: 'verified', reasonCode: null });
  });
});

describe('a confirmed hit', () => {
  it('counts against an approval, whatever the policy requires, and cannot be waived', async () => {
    await world.setPolicy(world.other, { requiredChecks: { basic: [] } });
    const [key, analyst, officer] = [
      await world.other.key(['read', 'write']),
      await world.other.user('analyst'),
      await world.other.user('compliance_officer'),
    ];
    const one = await world.submitted({ applicant: { fullName: ALIKE, socialName: null } }, key);
    const { body: screening } = await world.request<Screening>('POST', '/v1/screenings', {
      as: analyst,
      body: { applicationId: one.id, criteria: { threshold: 0.6 } },
    });
    await adjudicate(screening, 'true_positive', analyst);
    const { body: after } = await world.get(one.id, key);
    expect(after.requirements.items.find(({ key: name }) => name === 'screening_clear')).toMatchObject({
      status: 'failed',
      reasonCode: 'confirmed_match',
    });
    expect(refused(await world.decide(after, {}, analyst))).toEqual([409, 'checks_incomplete']);
    const waive = await world.request('POST', `/v1/applications/${one.id}/waivers`, {
      as: officer,
      body: {
        action: 'granted',
        requirementKey: 'screening_clear',
        reasonCode: 'other',
        note: 'He says that it is not him.',
      },
    });
    expect(refused(waive)).toEqual([422, 'validation_failed']);
    expect(
      (await world.decide(after, { outcome: 'reject', rejectType: 'final', reasonCodes: ['sanctions_match'] }, analyst))
        .body,
    ).toMatchObject({ outcome: 'reject', status: 'effective' });
  });

  it('of a politically exposed person takes two people, and no program decides about it', async () => {
    const one = await application('Ivana Inventada Kovac', { dateOfBirth: '1975-01-30', nationality: 'HR' });
    const screening = await screen(one, { lists: ['un-csnu', 'ofac-sdn', 'cgu-pep', 'opensanctions'] });
    const [hit, ...others] = screening.hits;
    expect([hit?.category, others]).toEqual(['pep', []]);
    await adjudicate(screening, 'true_positive');
    expect(await requirement(one)).toMatchObject({ status: 'verified', reasonCode: null });
    const current = await now(one);
    expect(refused(await world.decide(current, {}, world.key))).toEqual([403, 'human_required']);
    const proposed = await world.decide(current, {}, world.analyst);
    expect([proposed.status, proposed.body.fourEyesReasons]).toEqual([202, ['hit_confirmed']]);
    expect(refused(await world.review(await now(one), proposed.body, {}, world.analyst))).toEqual([
      403,
      'role_forbidden',
    ]);
    expect((await world.review(await now(one), proposed.body, {}, world.officer)).body).toMatchObject({
      status: 'effective',
      outcome: 'approve',
    });
  });
});
