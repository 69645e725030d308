/** API tests of screening the same subject again: which decisions hold, and which hits open. */
import { describe, expect, it } from 'vitest';
import { newApplication } from '../operations/application-records.ts';
import { refused } from '../support/api.ts';
import { type Answer, type Credential } from '../support/service.ts';
import { LISTED, type Refusal, type Screening } from './screenings-world.ts';
import { ELSE, only, startScreeningsDecidedWorld } from './screenings-decided-world.ts';

const { world, adjudicate, alike, exact } = await startScreeningsDecidedWorld();

const rerun = (id: string, body: object = {}, as: Credential = world.key): Promise<Answer<Screening & Refusal>> =>
  world.request('POST', `/v1/screenings/${id}/rerun`, { as, body });

describe('a screening of the same subject', () => {
  it('has the former decisions, whatever the threshold and the lists', async () => {
    const first = await exact();
    await adjudicate(first, only(first), { ...ELSE, status: 'inconclusive' });
    for (const body of [{}, { criteria: { threshold: 0.5 } }, { lists: ['un-csnu', 'ofac-sdn'] }]) {
      const { status, body: again } = await rerun(first.id, body);
      expect(status).toBe(201);
      expect(again.previousScreeningId).not.toBeNull();
      const hit = again.hits.find(({ listId }) => listId === 'un-csnu')!;
      expect([hit.status, hit.decision?.screeningId, hit.reopened]).toEqual(['inconclusive', first.id, null]);
      expect(again.diff!.carried).toEqual([hit.id]);
    }
    const without = await rerun(first.id, { criteria: { threshold: 1 } });
    expect(without.body.criteria.threshold).toBe(1);
  });

  it('preserves a decision about a hit that was not found for a while', async () => {
    const first = await alike();
    await adjudicate(first, only(first));
    const { body: strict } = await rerun(first.id, { criteria: { threshold: 1 } });
    expect([strict.hits, strict.result, strict.diff!.removed]).toEqual([[], 'clear', [only(first).id]]);
    const { body: again } = await rerun(strict.id, { criteria: { threshold: 0.7 } });
    expect([only(again).status, again.result, again.diff!.added, again.diff!.carried]).toEqual([
      'false_positive',
      'cleared',
      [only(again).id],
      [only(again).id],
    ]);
  });

  it('opens a decided hit exactly if compared members have changed on the list, and names them', async () => {
    const ghost = '7,organisation,Aurora de Fumaça Ltda,,,BR,,disqualified';
    await world.publish('cgu-ceis', [`${ghost},first`]);
    const officer = world.test;
    const { body: first } = await world.screen(
      { subject: { type: 'organisation', names: ['Aurora de Fumaça Ltda'] }, lists: ['un-csnu', 'cgu-ceis'] },
      officer,
    );
    const sandboxed = await world.sandboxed.user('compliance_officer');
    expect((await adjudicate(first, only(first), ELSE, sandboxed)).status).toBe(200);
    await world.publish('cgu-ceis', [`${ghost},remarks alone are others`]);
    const { body: second } = await rerun(first.id, {}, world.test);
    expect([only(second).status, only(second).entity.remarks, second.result]).toEqual([
      'false_positive',
      'remarks alone are others',
      'cleared',
    ]);
    await world.publish('cgu-ceis', ['7,organisation,Aurora de Fumaça Ltda,Aurora de Neblina,,BR,,disqualified,x']);
    const { body: third } = await rerun(second.id, {}, world.test);
    expect([only(third).status, third.result, third.diff!.changed, third.diff!.carried]).toEqual([
      'open',
      'open_hits',
      [only(third).id],
      [],
    ]);
    expect(only(third).reopened).toMatchObject({
      decision: { screeningId: first.id, status: 'false_positive' },
      changes: [
        {
          path: '/entity/names',
          before: expect.not.stringContaining('Neblina'),
          after: expect.stringContaining('Neblina'),
        },
      ],
    });
    expect((await world.get(third.id, await world.sandboxed.user('viewer'))).text).not.toContain('Neblina"}');
    expect((await adjudicate(third, only(third), ELSE, sandboxed)).body).toMatchObject({
      status: 'false_positive',
      reopened: null,
    });
    expect(only((await world.get(second.id, world.test)).body).status).toBe('false_positive');
  });

  it('opens a decided hit if the subject has changed, and names what changed', async () => {
    const applicationId = await newApplication(world, world.acme);
    const { body: first } = await world.screen({ applicationId });
    await adjudicate(first, first.hits[0]!, { ...ELSE, status: 'inconclusive' });
    expect(
      (await world.screen({ applicationId })).body.hits.filter(({ status }) => status === 'inconclusive'),
    ).toHaveLength(1);
    await world.request('PATCH', `/v1/applications/${applicationId}`, {
      as: world.key,
      body: { applicant: { dateOfBirth: '1991-04-12' } },
    });
    const { body: third } = await world.screen({ applicationId, criteria: { threshold: 0.5 } });
    const reopened = third.hits.filter((hit) => hit.reopened !== null);
    expect(reopened.map(({ status, reopened: because }) => [status, because!.changes])).toEqual([
      ['open', [{ path: '/subject/dateOfBirth', before: '"1990-04-12"', after: '"1991-04-12"' }]],
    ]);
  });

  it('supersedes the hits of the screening before', async () => {
    const first = await exact();
    const { body: second } = await rerun(first.id);
    const answer = await adjudicate(first, only(first));
    expect(refused(answer)).toEqual([409, 'hit_superseded']);
    expect(answer.text).toContain(second.id);
    await adjudicate(second, only(second), { ...ELSE, status: 'true_positive' });
    expect([(await world.get(first.id)).body.result, only((await world.get(first.id)).body).status]).toEqual([
      'confirmed_match',
      'true_positive',
    ]);
  });

  it('is refused like a first one', async () => {
    const first = await exact();
    expect(refused(await rerun(first.id, { lists: ['ofac-sdn'] }))).toEqual([422, 'mandatory_list_excluded']);
    expect(refused(await rerun(first.id, { lists: ['un-csnu', 'nobody-knows'] }))).toEqual([422, 'unknown_list']);
    expect(refused(await rerun(first.id, {}, await world.other.key(['screening'])))).toEqual([404, 'not_found']);
    const applicationId = await newApplication(world, world.acme);
    const {
      body: {
        id,
        hits: [hit],
      },
    } = await world.screen({ applicationId });
    await world.request('POST', `/v1/applications/${applicationId}/withdraw`, {
      as: world.key,
      body: { reasonCode: 'applicant_request' },
    });
    await world.request('POST', `/v1/applications/${applicationId}/erase`, {
      as: await world.acme.user('compliance_officer', { secondFactor: true }),
      body: { reason: 'data_subject_request' },
    });
    expect(refused(await rerun(id))).toEqual([410, 'erased']);
    expect(refused(await adjudicate({ id }, hit!))).toEqual([410, 'erased']);
  });

  it('must be within the quota of the tenant, and of existing lists', async () => {
    const tenant = await world.tenant();
    const as = await tenant.key(['screening']);
    const {
      body: { id },
    } = await world.screen({ subject: LISTED }, as);
    await world.database.sql(`UPDATE tenant SET quotas = '{"screeningsPerDay": 1}' WHERE id = $1`, [tenant.id]);
    expect(refused(await rerun(id, {}, as))).toEqual([409, 'quota_exceeded']);
    await world.database.sql(`DELETE FROM watch_list_file WHERE environment = 'live' AND list_id = 'uk-ofsi'`);
    await world.database.sql(`DELETE FROM watch_list_version WHERE environment = 'live' AND list_id = 'uk-ofsi'`);
    expect(refused(await rerun((await exact()).id, { lists: ['un-csnu', 'uk-ofsi'] }))).toEqual([
      409,
      'provider_not_configured',
    ]);
  });
});
