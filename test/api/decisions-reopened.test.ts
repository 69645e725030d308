/** API tests of taking a decided application back into review. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { refusal } from './applications-world.ts';
import { rejection, startDecisionWorld } from './decisions-world.ts';

const world = await shared(startDecisionWorld());

describe('reopening', () => {
  it('takes a decided application back into the review, where it is decided anew', async () => {
    const application = await world.inReview();
    await world.decide(application, { ...rejection, rejectType: 'final' });
    const { status, body } = await world.reopen(application);
    expect([status, body.status, body.statusReason, body.statusNote, body.version]).toEqual([
      200,
      'in_review',
      'new_evidence',
      'A newer passport has come.',
      3,
    ]);
    await world.decide(body);
    const { body: approved } = await world.get(application.id);
    expect(approved.decisions?.map(({ outcome, status: stands }) => [outcome, stands])).toEqual([
      ['approve', 'effective'],
      ['reject', 'effective'],
    ]);
    const { body: again } = await world.reopen(approved);
    expect([again.status, again.validUntil, again.reviewDueAt, again.decidedAt]).toEqual([
      'in_review',
      null,
      null,
      approved.decidedAt,
    ]);
  });

  it('is refused while the person has another active application', async () => {
    const taxId = { type: 'other', value: 'twice', country: 'US' };
    const first = await world.inReview({ applicant: { taxId } });
    await world.decide(first, rejection);
    const second = await world.inReview({ applicant: { taxId } });
    const answer = await world.reopen(first);
    expect([...refusal(answer), answer.body.existingId]).toEqual([409, 'duplicate_active_application', second.id]);
  });

  it.each([
    [{ note: 'Too short' }, '/note too_short'],
    [{ reasonCode: 'because' }, '/reasonCode enum'],
    [{ requestedBy: undefined }, '/requestedBy required'],
  ])('is refused with %o', async (change, where) => {
    const application = await world.inReview();
    await world.decide(application);
    expect(refusal(await world.reopen(application, change))).toEqual([422, 'validation_failed', where]);
  });

  it('is for compliance officers', async () => {
    const application = await world.inReview();
    await world.decide(application);
    for (const as of [world.analyst, await world.acme.user('owner')])
      expect(refusal(await world.reopen(application, {}, as))).toEqual([403, 'role_forbidden']);
    expect(refusal(await world.reopen(application, {}, world.key))).toEqual([403, 'human_required']);
  });
});
