/** API tests of deciding about an application, and of decisions that are refused. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { refusal } from './applications-world.ts';
import { approval, exposed, highRisk, rejection, startDecisionWorld, unlisted } from './decisions-world.ts';

const world = await shared(startDecisionWorld());

describe('a decision', () => {
  it('takes effect at once if no second person is required, with its validity and its review date', async () => {
    const application = await world.inReview();
    const answer = await world.decide(application, { applicantMessage: 'Welcome.' });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        outcome: 'approve',
        rejectType: null,
        reasonCodes: ['identity_confirmed'],
        note: 'Passport and address agree.',
        applicantMessage: 'Welcome.',
        status: 'effective',
        fourEyesReasons: [],
        evidenceDigest: application.evidenceDigest,
        policyVersion: 1,
        riskAssessmentId: application.riskAssessmentId,
        madeBy: { type: 'user' },
        reviewedBy: null,
        reviewNote: null,
      },
    ]);
    const { body: after } = await world.get(application.id);
    expect([after.status, after.statusReason, after.version, after.decisions]).toEqual([
      'approved',
      'identity_confirmed',
      2,
      [answer.body],
    ]);
    expect([after.decidedAt, answer.body.effectiveAt]).toEqual([answer.body.createdAt, answer.body.createdAt]);
    const years = (at: string | null) => Number(at?.slice(0, 4)) - Number(answer.body.createdAt.slice(0, 4));
    expect([years(after.validUntil), years(after.reviewDueAt)]).toEqual([5, 2]);
  });

  it('rejects without a validity', async () => {
    const application = await world.inReview();
    expect((await world.decide(application, rejection)).body).toMatchObject({
      outcome: 'reject',
      rejectType: 'retry',
      status: 'effective',
    });
    const { body: after } = await world.get(application.id);
    expect([after.status, after.statusReason, after.validUntil, after.reviewDueAt]).toEqual([
      'rejected',
      'document_unreadable',
      null,
      null,
    ]);
    expect(after.decidedAt).not.toBeNull();
  });

  it('of a key takes effect if the risk is not high', async () => {
    const application = await world.inReview();
    expect([
      (await world.decide(application, {}, world.key)).status,
      (await world.get(application.id)).body.status,
    ]).toEqual([200, 'approved']);
  });

  it.each([
    ['exposed politically', exposed],
    ['of high risk', highRisk],
  ])('requires two people and no program about an applicant who is %s', async (what, overrides) => {
    const draft = await world.create({
      purpose: 'other',
      level: 'basic',
      ...overrides,
      applicant: { ...unlisted, taxId: { type: 'other', value: what, country: 'US' }, ...overrides.applicant },
    });
    for (const type of ['passport', 'proof_of_address'])
      await world.upload(draft.body.id, jpeg({ text: `${type} ${what}` }), { type });
    await world.request('POST', `/v1/applications/${draft.body.id}/submit`, { as: world.key });
    const application = await world.screened((await world.get(draft.body.id)).body);
    for (const as of [world.key, await world.acme.client(['write'])])
      expect(refusal(await world.decide(application, {}, as))).toEqual([403, 'human_required']);
    const { status, body } = await world.decide(application);
    expect([status, body.status, body.effectiveAt, body.fourEyesReasons]).toEqual([
      202,
      'pending_review',
      null,
      [what.includes('risk') ? 'risk_high' : 'pep_declared'],
    ]);
    const { body: after } = await world.get(application.id);
    expect([after.status, after.decidedAt, after.validUntil]).toEqual(['pending_approval', null, null]);
  });

  it('follows the policy of the tenant: who must agree, the validity, and the available reasons', async () => {
    const tenant = await world.tenant();
    await world.setPolicy(tenant, {
      fourEyes: { levels: ['low'], onPep: false },
      validityByRisk: { low: 6 },
      reasonCodes: ['fine', 'bad'],
    });
    const [key, analyst] = [await tenant.key(['read', 'write']), await tenant.user('analyst')];
    const application = await world.inReview({}, key);
    expect(refusal(await world.decide(application, {}, analyst))).toEqual([
      422,
      'unknown_reason_code',
      '/reasonCodes/0 unknown',
    ]);
    const { status, body: decision } = await world.decide(application, { reasonCodes: ['fine'] }, analyst);
    expect([status, decision.fourEyesReasons, decision.policyVersion]).toEqual([202, ['risk_low'], 2]);
    await world.review(application, decision, {}, await tenant.user('compliance_officer'));
    const { body: after } = await world.get(application.id, key);
    expect(after.reviewDueAt).toBe(after.validUntil);
    expect(Date.parse(after.validUntil ?? '') - Date.parse(after.decidedAt ?? '')).toBeLessThan(190 * 86_400_000);
    await world.setPolicy(tenant, { reasonCodes: [], fourEyes: { levels: ['high'] } });
    expect((await world.decide(await world.inReview({}, key), {}, analyst)).status).toBe(200);
    expect((await world.decide(await world.inReview(exposed, key), {}, analyst)).status).toBe(200);
  });
});

describe('a decision is refused', () => {
  it.each([
    [{ ...rejection, rejectType: undefined }, '/rejectType required'],
    [{ rejectType: 'final' }, '/rejectType not_allowed'],
    [{ outcome: 'maybe' }, '/outcome enum'],
    [{ note: 'Too short' }, '/note too_short'],
    [{ reasonCodes: [] }, '/reasonCodes too_few_items'],
    [{ reasonCodes: Array.from({ length: 21 }, (_, i) => `r${i}`) }, '/reasonCodes too_many_items'],
    [{ reasonCodes: ['other'] }, '/note too_short'],
    [{ evidenceDigest: 'sha256:0' }, '/evidenceDigest too_short'],
    [{ evidenceDigest: undefined }, '/evidenceDigest required'],
    [{ applicantMessage: '' }, '/applicantMessage too_short'],
    [{ verdict: 'confirm' }, '/verdict unknown_field'],
  ])('with %o', async (change, where) => {
    const application = await world.inReview();
    const answer = await world.decide(application, change);
    expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
    expect(answer.body.errors?.map(({ pointer = '', code }) => `${pointer} ${code}`).join(', ')).toContain(where);
    expect((await world.get(application.id)).body).toEqual({ ...application, status: 'in_review' });
  });

  it('for each reason that the catalogue does not have', async () => {
    expect(
      refusal(
        await world.decide(await world.inReview(), {
          reasonCodes: ['identity_confirmed', 'because', 'low_risk', 'whatever'],
        }),
      ),
    ).toEqual([422, 'unknown_reason_code', '/reasonCodes/1 unknown', '/reasonCodes/3 unknown']);
  });

  it('about other evidence than the caller has read, and lists the changes if a decision rests on the evidence read', async () => {
    const application = await world.inReview();
    const other = await world.inReview();
    const foreign = await world.decide(application, { evidenceDigest: other.evidenceDigest });
    expect([...refusal(foreign), foreign.body.currentDigest, 'changed' in foreign.body]).toEqual([
      409,
      'evidence_changed',
      application.evidenceDigest,
      false,
    ]);
    await world.decide(application);
    await world.reopen(application);
    const { body: document } = await world.upload(application.id, jpeg({ text: application.id }));
    const { body: current } = await world.get(application.id);
    const stale = await world.decide(application);
    expect(stale.body).toMatchObject({
      code: 'evidence_changed',
      currentDigest: current.evidenceDigest,
      changed: [
        {
          kind: 'document',
          id: document.id,
          change: 'added',
          before: null,
          after: { version: null },
        },
      ],
    });
    expect((await world.get(application.id)).body).toEqual(current);
    expect((await world.decide(current)).status).toBe(200);
  });

  it('as an approval once a document that a requirement needs has expired, but not as a rejection', async () => {
    const {
      body: { id },
    } = await world.create({
      purpose: 'other',
      level: 'standard',
      applicant: {
        fullName: 'Maria da Silva',
        dateOfBirth: '1990-04-12',
        taxId: { type: 'other', value: 'runs-out', country: 'US' },
        address: {
          line1: 'Rua 1',
          city: 'Recife',
          state: 'PE',
          country: 'BR',
        },
      },
    });
    await world.upload(id, jpeg({ text: id }), { expiresOn: '2031-05-01' });
    await world.request('POST', `/v1/applications/${id}/submit`, { as: world.key });
    await world.database.sql(`UPDATE document SET expires_on = '2020-01-01' WHERE application_id = $1`, [id]);
    const { body: application } = await world.get(id);
    const answer = await world.decide(application);
    expect([...refusal(answer), answer.body.items?.map(({ key, status }) => [key, status])]).toEqual([
      409,
      'checks_incomplete',
      [['id_document', 'failed']],
    ]);
    expect((await world.decide(application, rejection)).status).toBe(200);
  });

  it('if the application has changed since the caller read it', async () => {
    const application = await world.inReview();
    const answer = await world.request('POST', `/v1/applications/${application.id}/decisions`, {
      as: world.analyst,
      body: { ...approval, evidenceDigest: application.evidenceDigest },
      headers: { 'If-Match': '"7"' },
    });
    expect(refusal(answer)).toEqual([412, 'version_conflict']);
  });

  it('by an owner of the tenant, and by callers who do not see the application', async () => {
    const application = await world.inReview();
    for (const role of ['owner', 'admin', 'auditor', 'viewer', 'developer'] as const)
      expect(refusal(await world.decide(application, {}, await world.acme.user(role)))).toEqual([
        403,
        'role_forbidden',
      ]);
    expect(refusal(await world.decide(application, {}, await world.other.user('analyst')))).toEqual([404, 'not_found']);
  });
});

it('is not made by a key that sees persons masked, because a decision requires having read the evidence', async () => {
  const application = await world.inReview();
  expect(
    refusal(await world.decide(application, {}, await world.acme.key(['write'], { personalData: 'masked' }))),
  ).toEqual([403, 'personal_data_masked']);
});
