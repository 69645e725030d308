/** API tests of requesting information from an applicant. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { refusal } from './applications-world.ts';
import { item, startDecisionWorld } from './decisions-world.ts';

const world = await shared(startDecisionWorld());

const daysAhead = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

describe('a request for information', () => {
  it('makes the application wait for the applicant, as long as the policy says, and shows the requested items', async () => {
    const application = await world.inReview();
    const answer = await world.ask(application, { internalNote: 'Looks younger.' });
    expect([answer.status, answer.body]).toMatchObject([
      201,
      {
        status: 'open',
        items: [{ ...item, documentType: null }],
        internalNote: 'Looks younger.',
        createdBy: { type: 'user' },
        answeredAt: null,
      },
    ]);
    expect(Date.parse(answer.body.dueAt) - Date.parse(answer.body.createdAt)).toBe(15 * 86_400_000);
    const { body: after } = await world.get(application.id, world.analyst);
    expect([
      after.status,
      after.statusReason,
      after.version,
      after.resubmissionCount,
      after.informationRequests,
    ]).toEqual(['needs_information', 'information_requested', 2, 0, [answer.body]]);
    expect(Date.parse(after.expiresAt!) - Date.parse(answer.body.dueAt)).toBe(86_400_000);
  });

  it('is evidence: the digest differs afterwards', async () => {
    const application = await world.inReview();
    await world.ask(application);
    expect((await world.get(application.id)).body.evidenceDigest).not.toBe(application.evidenceDigest);
  });

  it('accepts a due date of its own', async () => {
    const dueAt = daysAhead(89);
    expect((await world.ask(await world.inReview(), { dueAt })).body.dueAt).toBe(dueAt);
  });

  it.each([
    ['the past', -1],
    ['more than ninety days', 91],
  ])('refuses a due date in %s', async (_, days) => {
    const application = await world.inReview();
    expect(refusal(await world.ask(application, { dueAt: daysAhead(days) }))).toEqual([
      422,
      'validation_failed',
      '/dueAt range',
    ]);
    expect((await world.get(application.id)).body).toMatchObject({
      status: 'in_review',
      version: 1,
      informationRequests: [],
    });
  });

  it('names what is no requirement of the application', async () => {
    const application = await world.inReview();
    const items = [
      item,
      { ...item, requirementKey: 'proof_of_address' },
      { ...item, requirementKey: 'colour_of_eyes' },
    ];
    expect(refusal(await world.ask(application, { items }))).toEqual([
      422,
      'unknown_requirement',
      '/items/1/requirementKey unknown',
      '/items/2/requirementKey unknown',
    ]);
    expect((await world.get(application.id)).body).toMatchObject({ status: 'in_review', version: 1 });
  });

  it('contains each requirement once, and no document that does not meet it', async () => {
    const application = await world.inReview();
    expect(refusal(await world.ask(application, { items: [item, item] }))).toEqual([
      422,
      'validation_failed',
      '/items/1/requirementKey duplicate',
    ]);
    expect(refusal(await world.ask(application, { items: [{ ...item, documentType: 'passport' }] }))).toEqual([
      422,
      'validation_failed',
      '/items/0/documentType unfit',
    ]);
  });

  it.each([
    ['no item', { items: [] }, '/items too_few_items'],
    ['21 items', { items: Array.from({ length: 21 }, () => item) }, '/items too_many_items'],
    [
      'a long message',
      { items: [{ ...item, messageToApplicant: 'x'.repeat(501) }] },
      '/items/0/messageToApplicant too_long',
    ],
    ['a long note', { internalNote: 'x'.repeat(2001) }, '/internalNote too_long'],
  ])('is refused with %s', async (_, body, fault) => {
    const [status, code, ...faults] = refusal(await world.ask(await world.inReview(), body));
    expect([status, code, faults]).toEqual([422, 'validation_failed', expect.arrayContaining([fault])]);
  });

  it('is the only open one', async () => {
    const application = await world.inReview();
    const answers = await Promise.all([world.ask(application), world.ask(application)]);
    expect(answers.map(({ status, body }) => [status, body.code]).sort()).toEqual([
      [201, undefined],
      [409, 'information_request_open'],
    ]);
    expect((await world.get(application.id)).body.informationRequests).toHaveLength(1);
  });

  it('needs a review', async () => {
    const draft = await world.complete();
    expect((await world.ask(draft)).body).toMatchObject({ code: 'invalid_state_transition', currentStatus: 'draft' });
  });

  it('is refused for an older version', async () => {
    expect((await world.ask(await world.inReview(), {}, world.analyst, { 'If-Match': '"7"' })).body.code).toBe(
      'version_conflict',
    );
  });

  it('is made only if the applicant may still answer', async () => {
    const tenant = world.other;
    const as = await tenant.user('analyst');
    const application = await world.inReview({}, await tenant.key(['read', 'write']));
    await world.setPolicy(tenant, { resubmissionLimit: 0 });
    expect(refusal(await world.ask(application, {}, as))).toEqual([409, 'resubmission_limit']);
    await world.setPolicy(tenant, { resubmissionLimit: 1, informationDueDays: 2 });
    const { status, body } = await world.ask(application, {}, as);
    expect([status, Date.parse(body.dueAt) - Date.parse(body.createdAt)]).toEqual([201, 2 * 86_400_000]);
  });

  it('shows its note to people alone, and its messages to nobody who sees the applicant masked', async () => {
    const application = await world.inReview();
    await world.ask(application, { internalNote: 'Looks younger.' });
    const seen = async (as?: typeof world.key) => {
      const { body } = await world.get(application.id, as);
      return [body.informationRequests?.[0]?.internalNote, body.informationRequests?.[0]?.items[0]?.messageToApplicant];
    };
    expect(await seen(world.officer)).toEqual(['Looks younger.', 'When were you born?']);
    expect(await seen(world.key)).toEqual(['***', 'When were you born?']);
    expect(await seen(await world.acme.user('developer'))).toEqual(['***', '***']);
  });

  it('is shown in the timeline and in the audit log, without the written text', async () => {
    const application = await world.inReview();
    const {
      body: { id, dueAt },
    } = await world.ask(application, { internalNote: 'Looks younger.' });
    const {
      body: { items },
    } = await world.request<{ items: object[] }>('GET', `/v1/applications/${application.id}/timeline`, {
      as: world.analyst,
    });
    expect(items[0]).toMatchObject({
      type: 'information_request.created',
      status: 'needs_information',
      informationRequestId: id,
    });
    const log = await world.request<{ items: object[] }>('GET', `/v1/audit/events?resourceId=${id}`, {
      as: await world.acme.user('auditor'),
    });
    expect(log.body.items).toHaveLength(1);
    expect(JSON.stringify(log.body.items)).toContain(dueAt);
    expect(log.text).not.toMatch(/younger|were you born/);
  });
});
