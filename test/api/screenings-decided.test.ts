import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/types.ts';
import { newApplication } from '../operations/records.ts';
import { refused } from '../support/api.ts';
import { type Answer, type Credential, shared } from '../support/service.ts';
import { LISTED, type Refusal, type Screening, startScreeningWorld } from './screenings-world.ts';

type Hit = components['schemas']['ScreeningHit'];

const world = await shared(startScreeningWorld());
const officer = await world.acme.user('compliance_officer');
const NOTE = 'The passport that we hold says otherwise.';
const ELSE = { status: 'false_positive', reasonCode: 'other', note: NOTE } as const;

const adjudicate = (
  { id }: { id: string },
  hit: { id: string },
  body: object = ELSE,
  as: Credential = world.analyst,
): Promise<Answer<Hit>> => world.request('POST', `/v1/screenings/${id}/hits/${hit.id}/adjudicate`, { as, body });
const rerun = (id: string, body: object = {}, as: Credential = world.key): Promise<Answer<Screening & Refusal>> =>
  world.request('POST', `/v1/screenings/${id}/rerun`, { as, body });
/** Screens a person who is slightly similar to one on the list of the United Nations. */
const alike = async (more: object = {}): Promise<Screening> =>
  (
    await world.screen({
      subject: { type: 'person', names: ['Yussuf Haddad'] },
      lists: ['un-csnu'],
      criteria: { threshold: 0.7 },
      ...more,
    })
  ).body;
const exact = async (): Promise<Screening> => (await world.screen({ subject: LISTED, lists: ['un-csnu'] })).body;
const only = ({ hits }: Screening): Hit => {
  expect(hits).toHaveLength(1);
  return hits[0]!;
};

describe('a decision about a hit', () => {
  it('shows who decided what and why, and takes effect', async () => {
    const screening = (await world.screen({ subject: { type: 'person', names: ['Maria da Silva'] } })).body;
    const [hit, ...others] = screening.hits;
    const { status, body } = await adjudicate(screening, hit!, {
      ...ELSE,
      status: 'true_positive',
      reasonCode: 'same_person_confirmed',
    });
    expect([status, body]).toEqual([
      200,
      {
        ...hit,
        status: 'true_positive',
        decision: {
          id: expect.any(String),
          status: 'true_positive',
          reasonCode: 'same_person_confirmed',
          note: NOTE,
          hitId: hit!.id,
          screeningId: screening.id,
          decidedBy: expect.objectContaining({ type: 'user' }),
          decidedAt: expect.any(String),
          reviewedBy: null,
          reviewNote: null,
          freezeDueAt: null,
        },
      },
    ]);
    expect((await world.get(screening.id)).body).toMatchObject({
      result: 'confirmed_match',
      openHitCount: others.length,
      hitCount: screening.hitCount,
    });
    expect((await world.list('result=confirmed_match')).body.items.map(({ id }) => id)).toContain(screening.id);
  });

  it('clears a screening once every hit is a different person, and leaves it open while one is inconclusive', async () => {
    const screening = await alike({
      subject: { type: 'person', names: ['Yussuf Haddad'], dateOfBirth: '1988-05-12' },
      criteria: { threshold: 0.5 },
    });
    const hit = only(screening);
    expect(hit.score).toBeLessThan(0.95);
    await adjudicate(screening, hit, { ...ELSE, status: 'inconclusive', reasonCode: 'insufficient_data' });
    expect((await world.get(screening.id)).body).toMatchObject({ result: 'open_hits', openHitCount: 1 });
    expect((await adjudicate(screening, hit, ELSE, officer)).status).toBe(200);
    expect((await world.get(screening.id)).body).toMatchObject({ result: 'cleared', openHitCount: 0 });
  });

  it('is changed by a compliance officer alone', async () => {
    const screening = await exact();
    const hit = only(screening);
    await adjudicate(screening, hit, { ...ELSE, status: 'inconclusive' });
    expect(refused(await adjudicate(screening, hit, { ...ELSE, status: 'true_positive' }))).toEqual([
      409,
      'hit_decided',
    ]);
    expect((await adjudicate(screening, hit, { ...ELSE, status: 'true_positive' }, officer)).body.status).toBe(
      'true_positive',
    );
  });

  it('is masked for readers of masked data, and sealed in the database', async () => {
    const screening = await exact();
    await adjudicate(screening, only(screening), { ...ELSE, status: 'inconclusive' });
    const { text } = await world.get(screening.id, await world.acme.user('viewer'));
    expect(text).not.toContain(NOTE);
    expect(
      (await world.database.sql<{ note: string }>('SELECT note FROM hit_decision')).filter(({ note }) =>
        note.includes('passport'),
      ),
    ).toEqual([]);
  });

  it('is made by people, about existing hits', async () => {
    const screening = await exact();
    expect(refused(await adjudicate(screening, only(screening), ELSE, world.key))).toEqual([403, 'human_required']);
    expect(refused(await adjudicate(screening, { id: screening.id }))).toEqual([404, 'not_found']);
    expect(refused(await adjudicate(screening, only(await exact())))).toEqual([404, 'not_found']);
    expect(refused(await adjudicate(screening, only(screening), { ...ELSE, note: 'short' }))).toEqual([
      422,
      'validation_failed',
    ]);
    expect(refused(await adjudicate(screening, only(screening), { ...ELSE, reasonCode: 'looks_nice' }))).toEqual([
      422,
      'validation_failed',
    ]);
  });
});

describe('a dismissal of a person with nearly the name of a sanctioned person', () => {
  it('takes two people, the second of whom is a compliance officer', async () => {
    const screening = await exact();
    const hit = only(screening);
    const { status, body } = await adjudicate(screening, hit);
    expect([status, body.status, body.decision, body.proposal]).toMatchObject([
      202,
      'open',
      null,
      { status: 'false_positive', note: NOTE },
    ]);
    expect((await world.get(screening.id)).body).toMatchObject({ result: 'open_hits', openHitCount: 1 });
    expect(
      refused(await adjudicate(screening, hit, ELSE, await world.acme.user('analyst', { purpose: 'another' }))),
    ).toEqual([403, 'role_forbidden']);
    const confirmed = await adjudicate(
      screening,
      hit,
      { ...ELSE, note: 'Compared both pictures, and agree.' },
      officer,
    );
    expect([confirmed.status, confirmed.body]).toMatchObject([
      200,
      {
        status: 'false_positive',
        proposal: null,
        decision: { note: NOTE, reviewNote: 'Compared both pictures, and agree.', reviewedBy: { type: 'user' } },
      },
    ]);
    expect((await world.get(screening.id)).body).toMatchObject({ result: 'cleared', openHitCount: 0 });
  });

  it('is no decision while only one person has proposed it', async () => {
    const screening = await exact();
    expect((await adjudicate(screening, only(screening), ELSE, officer)).status).toBe(202);
    expect(refused(await adjudicate(screening, only(screening), ELSE, officer))).toEqual([
      403,
      'self_approval_forbidden',
    ]);
    expect((await world.get(screening.id)).body.result).toBe('open_hits');
  });

  it('is returned if the second person decides otherwise, and can be proposed again', async () => {
    const screening = await exact();
    const hit = only(screening);
    await adjudicate(screening, hit);
    const returned = await adjudicate(
      screening,
      hit,
      { ...ELSE, status: 'inconclusive', note: 'Ask for the passport first.' },
      officer,
    );
    expect([returned.status, returned.body]).toMatchObject([200, { status: 'open', proposal: null, decision: null }]);
    expect((await adjudicate(screening, hit)).status).toBe(202);
  });
});

describe('a confirmed hit on the list of the United Nations', () => {
  const letters = async (): Promise<number> =>
    (
      await world.database.sql<{ count: number }>(
        `SELECT count(*)::integer AS count FROM mail_message WHERE template = 'sanctionConfirmed'`,
      )
    )[0]!.count;

  it('opens a deadline of a day, is mailed to the compliance officers, and is recorded in the log', async () => {
    const tenant = await world.tenant();
    const [as, analyst] = [await tenant.key(['screening']), await tenant.user('analyst')];
    await Promise.all([
      tenant.user('compliance_officer'),
      tenant.user('compliance_officer', { purpose: 'second' }),
      tenant.user('owner'),
    ]);
    const before = await letters();
    const { body: screening } = await world.screen({ subject: LISTED, lists: ['un-csnu'] }, as);
    const { body: hit } = await adjudicate(screening, only(screening), { ...ELSE, status: 'true_positive' }, analyst);
    expect(Date.parse(hit.decision!.freezeDueAt!) - Date.parse(hit.decision!.decidedAt)).toBe(86_400_000);
    expect(await letters()).toBe(before + 2);
    expect((await tenant.audit()).map(({ action }) => action)).toContain('hit.freeze_due');
  });

  it('is mailed to the owners if nobody else is responsible for compliance, and to nobody in the sandbox', async () => {
    const tenant = await world.tenant();
    const [as, analyst] = [await tenant.key(['screening']), await tenant.user('analyst')];
    await tenant.user('owner');
    const before = await letters();
    const { body: screening } = await world.screen({ subject: LISTED, lists: ['un-csnu'] }, as);
    await adjudicate(screening, only(screening), { ...ELSE, status: 'true_positive' }, analyst);
    expect(await letters()).toBe(before + 1);
    const { body: sandboxed } = await world.screen({ subject: LISTED, lists: ['un-csnu'] }, world.test);
    expect(
      (
        await adjudicate(
          sandboxed,
          only(sandboxed),
          { ...ELSE, status: 'true_positive' },
          await world.sandboxed.user('analyst'),
        )
      ).body.decision!.freezeDueAt,
    ).not.toBeNull();
    expect(await letters()).toBe(before + 1);
  });

  it('has no deadline on another list, nor before it is confirmed', async () => {
    const { body: screening } = await world.screen({ subject: LISTED, lists: ['un-csnu', 'ofac-sdn'] });
    const ofac = screening.hits.find(({ listId }) => listId === 'ofac-sdn')!;
    expect(
      (await adjudicate(screening, ofac, { ...ELSE, status: 'true_positive' })).body.decision!.freezeDueAt,
    ).toBeNull();
    const united = screening.hits.find(({ listId }) => listId === 'un-csnu')!;
    expect(
      (await adjudicate(screening, united, { ...ELSE, status: 'inconclusive' })).body.decision!.freezeDueAt,
    ).toBeNull();
  });
});

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
