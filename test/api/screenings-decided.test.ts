/** API tests of decisions about hits. */
import { describe, expect, it } from 'vitest';
import { refused } from '../support/api.ts';
import { LISTED } from './screenings-world.ts';
import { NOTE, ELSE, only, startScreeningsDecidedWorld } from './screenings-decided-world.ts';

const { world, adjudicate, alike, exact } = await startScreeningsDecidedWorld();
const officer = await world.acme.user('compliance_officer');

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
