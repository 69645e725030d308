/** API tests of the second person: who may be one, and never the one who proposed, by whatever credential. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { refusal } from './applications-world.ts';
import { exposed, rejection, startDecisionWorld } from './decisions-world.ts';

const world = await shared(startDecisionWorld());

describe('a second person', () => {
  it.each([
    ['approve', {}, 'approved'],
    ['reject', rejection, 'rejected'],
  ] as const)('lets a decision to %s take effect', async (_, body, status) => {
    const application = await world.inReview(exposed);
    const { body: decision } = await world.decide(application, body);
    const answer = await world.review(application, decision);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        ...decision,
        status: 'effective',
        reviewedBy: { type: 'user' },
        reviewNote: 'Seen with my own eyes.',
        effectiveAt: answer.body.effectiveAt,
      },
    ]);
    const { body: after } = await world.get(application.id);
    expect([after.status, after.decidedAt, after.decisions]).toEqual([status, answer.body.effectiveAt, [answer.body]]);
    expect([after.validUntil === null, after.reviewDueAt === null]).toEqual([
      status === 'rejected',
      status === 'rejected',
    ]);
  });

  it('returns it, and then it is decided anew', async () => {
    const { application, decision } = await world.proposed();
    const answer = await world.review(application, decision, { verdict: 'return', note: 'The address is missing.' });
    expect([answer.status, answer.body.status, answer.body.reviewNote, answer.body.effectiveAt]).toEqual([
      200,
      'returned',
      'The address is missing.',
      null,
    ]);
    expect(await world.statuses(application.id)).toEqual(['in_review', 'decision_returned', 'returned']);
    expect((await world.decide(application)).status).toBe(202);
    expect(await world.statuses(application.id)).toEqual([
      'pending_approval',
      'second_review',
      'pending_review',
      'returned',
    ]);
  });

  it('is not the one who proposed it, whatever the credential was', async () => {
    const officer = await world.acme.person('compliance_officer');
    const own = await world.proposed({}, officer.as);
    expect(refusal(await world.review(own.application, own.decision, {}, officer.as))).toEqual([
      403,
      'self_approval_forbidden',
    ]);
    expect(await world.statuses(own.application.id)).toEqual(['pending_approval', 'second_review', 'pending_review']);
    expect((await world.review(own.application, own.decision)).status).toBe(200);
  });

  it('is not the creator of the key that proposed it, nor its grantor, also after a rotation', async () => {
    const tenant = await world.tenant();
    await world.setPolicy(tenant, { fourEyes: { levels: ['low'] } });
    const [creator, answerable, other] = await Promise.all([
      tenant.person('compliance_officer'),
      tenant.person('compliance_officer'),
      tenant.user('compliance_officer'),
    ]);
    const grant = {
      grantedBy: answerable.id,
      grantedRole: 'owner',
      createdBy: { type: 'user', id: creator.id, display: 'Ana Souza' },
    } as const;
    const appoint = (role: string) =>
      world.database.sql('UPDATE membership SET role = $2 WHERE user_id = $1', [answerable.id, role]);
    await appoint('owner');
    const reader = await tenant.key(['read', 'write']);
    const machines = [
      { as: await tenant.key(['write'], grant), madeBy: 'api_key' },
      { as: await tenant.client(['write'], grant), madeBy: 'oauth_client' },
    ];
    for (const { as, madeBy } of machines) {
      const application = await world.inReview({}, reader);
      const { status, body: decision } = await world.decide(application, {}, as);
      expect([status, decision.madeBy.type]).toEqual([202, madeBy]);
      await appoint('compliance_officer');
      for (const who of [creator, answerable])
        expect(refusal(await world.review(application, decision, {}, who.as))).toEqual([
          403,
          'self_approval_forbidden',
        ]);
      await appoint('owner');
      expect((await world.review(application, decision, {}, other)).status).toBe(200);
    }
  });

  it('is not the creator of the key that created the key', async () => {
    const tenant = await world.tenant();
    await world.setPolicy(tenant, { fourEyes: { levels: ['low'] } });
    const creator = await tenant.person('compliance_officer');
    const createdBy = { type: 'user', id: creator.id, display: 'Ana Souza' } as const;
    const { 'X-API-Key': parent = '' } = await tenant.key(['admin'], { createdBy });
    const prefix = parent.slice(0, parent.lastIndexOf('_'));
    const child = await tenant.key(['read', 'write'], {
      quotaClientId: prefix,
      createdBy: { type: 'api_key', id: prefix, display: 'Back end' },
    });
    const application = await world.inReview({}, child);
    const { body: decision } = await world.decide(application, {}, child);
    expect(refusal(await world.review(application, decision, {}, creator.as))).toEqual([
      403,
      'self_approval_forbidden',
    ]);
    expect((await world.review(application, decision, {}, await tenant.user('compliance_officer'))).status).toBe(200);
  });

  it('is a compliance officer, and never a key', async () => {
    const { application, decision } = await world.proposed();
    for (const role of ['owner', 'admin', 'analyst', 'auditor'] as const)
      expect(
        refusal(await world.review(application, decision, {}, await world.acme.user(role, { purpose: 'checks' }))),
      ).toEqual([403, 'role_forbidden']);
    for (const as of [await world.acme.key(['admin']), await world.acme.client(['admin'])])
      expect(refusal(await world.review(application, decision, {}, as))).toEqual([403, 'human_required']);
    expect(
      refusal(await world.review(application, decision, {}, await world.other.user('compliance_officer'))),
    ).toEqual([404, 'not_found']);
  });

  it('is one, of fifty who confirm at once', async () => {
    const { application, decision } = await world.proposed();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        world.review(application, decision, {}, i % 2 === 0 ? world.officer : world.secondOfficer),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map((answer) => refusal(answer).join(' ')))).toEqual(
      new Set(['409 invalid_state_transition']),
    );
    const { body: after } = await world.get(application.id);
    expect([after.status, after.version]).toEqual(['approved', 3]);
    expect((await world.actions([decision.id])).filter((action) => action === 'decision.confirmed')).toHaveLength(1);
  });

  it('names the decision that waits, and no other', async () => {
    const { application, decision } = await world.proposed();
    await world.review(application, decision, { verdict: 'return' });
    await world.decide(application);
    expect(refusal(await world.review(application, decision))).toEqual([409, 'decision_not_pending']);
    expect(refusal(await world.review(application, { id: '00000000-0000-7000-8000-000000000000' }))).toEqual([
      404,
      'not_found',
    ]);
    const elsewhere = await world.proposed();
    expect(refusal(await world.review(application, elsewhere.decision))).toEqual([404, 'not_found']);
  });

  it.each([
    [{ verdict: 'perhaps' }, '/verdict enum'],
    [{ note: 'Too short' }, '/note too_short'],
    [{ evidenceDigest: undefined }, '/evidenceDigest required'],
  ])('is refused with the reason for %o', async (change, where) => {
    const { application, decision } = await world.proposed();
    expect(refusal(await world.review(application, decision, change))).toEqual([422, 'validation_failed', where]);
  });
});
