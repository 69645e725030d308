import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { type Application, refusal } from './applications-world.ts';
import { type Decision, exposed, rejection, startDecisionWorld } from './decisions-world.ts';

const world = await shared(startDecisionWorld());

const consent = {
  action: 'granted',
  purpose: 'marketing',
  legalBasis: 'consent',
  textVersion: '1',
  textSha256: '0'.repeat(64),
  locale: 'pt-BR',
  channel: 'web',
  capturedAt: '2026-11-01T08:00:00.000Z',
};
const statuses = async (id: string) => {
  const {
    body: { status, statusReason, decisions = [] },
  } = await world.get(id);
  return [status, statusReason, ...decisions.map((made) => made.status)];
};
const actions = async (ids: readonly string[]) =>
  (await world.acme.audit())
    .filter(({ resource_id, outcome }) => outcome === 'success' && ids.includes(resource_id ?? ''))
    .map(({ action }) => action);

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
    expect(await statuses(application.id)).toEqual(['in_review', 'decision_returned', 'returned']);
    expect((await world.decide(application)).status).toBe(202);
    expect(await statuses(application.id)).toEqual(['pending_approval', 'second_review', 'pending_review', 'returned']);
  });

  it('is not the one who proposed it, whatever the credential was', async () => {
    const officer = await world.acme.person('compliance_officer');
    const own = await world.proposed({}, officer.as);
    expect(refusal(await world.review(own.application, own.decision, {}, officer.as))).toEqual([
      403,
      'self_approval_forbidden',
    ]);
    expect(await statuses(own.application.id)).toEqual(['pending_approval', 'second_review', 'pending_review']);
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
    await world.database.sql(`UPDATE membership SET role = 'owner' WHERE user_id = $1`, [answerable.id]);
    const reader = await tenant.key(['read', 'write']);
    for (const as of [await tenant.key(['write'], grant), await tenant.client(['write'], grant)]) {
      const application = await world.inReview({}, reader);
      const { status, body: decision } = await world.decide(application, {}, as);
      expect([status, decision.madeBy.type]).toEqual([
        202,
        as === undefined ? '' : 'X-API-Key' in as ? 'api_key' : 'oauth_client',
      ]);
      await world.database.sql(`UPDATE membership SET role = 'compliance_officer' WHERE user_id = $1`, [answerable.id]);
      for (const who of [creator, answerable])
        expect(refusal(await world.review(application, decision, {}, who.as))).toEqual([
          403,
          'self_approval_forbidden',
        ]);
      await world.database.sql(`UPDATE membership SET role = 'owner' WHERE user_id = $1`, [answerable.id]);
      expect((await world.review(application, decision, {}, other)).status).toBe(200);
    }
  });

  it('is not the creator of the key that created the key', async () => {
    const tenant = await world.tenant();
    await world.setPolicy(tenant, { fourEyes: { levels: ['low'] } });
    const creator = await tenant.person('compliance_officer');
    const parent =
      (await tenant.key(['admin'], { createdBy: { type: 'user', id: creator.id, display: 'Ana Souza' } }))[
        'X-API-Key'
      ] ?? '';
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
    expect((await actions([decision.id])).filter((action) => action === 'decision.confirmed')).toHaveLength(1);
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

describe('evidence that changes while a decision waits', () => {
  const ways: readonly [string, string, (application: Application) => Promise<{ readonly status: number }>][] = [
    ['a document is uploaded', 'document', ({ id }) => world.upload(id, jpeg({ text: id }))],
    [
      'a consent is recorded',
      'consent',
      ({ id }) => world.request('POST', `/v1/applications/${id}/consents`, { as: world.key, body: consent }),
    ],
  ];

  it.each(ways)('ends the proposal, and its reader learns what changed: %s', async (_, kind, change) => {
    const { application, decision } = await world.proposed();
    expect((await change(application)).status).toBe(201);
    expect(await statuses(application.id)).toEqual(['in_review', 'evidence_changed', 'invalidated']);
    expect((await actions([application.id, decision.id])).slice(-2)).toEqual([
      'decision.invalidated',
      'application.status_changed',
    ]);
    const { body: now } = await world.get(application.id);
    for (const read of [application, now]) {
      const { status, body } = await world.review(read, decision);
      expect([status, body]).toMatchObject([
        409,
        {
          code: 'evidence_changed',
          currentDigest: now.evidenceDigest,
          changed: [{ kind, change: 'added', before: null }],
        },
      ]);
    }
    expect((await world.decide(now)).status).toBe(202);
    expect(refusal(await world.review(now, decision))).toEqual([409, 'decision_not_pending']);
  });

  it('leaves it unchanged if nothing of the evidence changes', async () => {
    const application = await world.inReview(exposed);
    const bytes = jpeg({ text: application.id });
    await world.upload(application.id, bytes);
    const { body: now } = await world.get(application.id);
    const { body: decision } = await world.decide(now);
    expect((await world.upload(application.id, bytes)).status).toBe(200);
    expect((await world.review(now, decision)).status).toBe(200);
  });

  it.each(['confirm', 'return'])(
    'in another way is found by the second person, who learns what changed: %s',
    async (verdict) => {
      const tenant = await world.tenant();
      const [key, analyst, officer] = await Promise.all([
        tenant.key(['read', 'write']),
        tenant.user('analyst'),
        tenant.user('compliance_officer'),
      ]);
      const { application, decision } = { application: await world.inReview(exposed, key), decision: {} as Decision };
      Object.assign(decision, (await world.decide(application, {}, analyst)).body);
      await world.setPolicy(tenant, { minimumAge: 21 });
      const { body: now } = await world.get(application.id, key);
      const { status, body } = await world.review(now, decision, { verdict }, officer);
      expect([status, body]).toMatchObject([
        409,
        {
          code: 'evidence_changed',
          currentDigest: now.evidenceDigest,
          changed: [
            {
              kind: 'policy',
              id: 'decisionPolicy',
              change: 'changed',
              before: { version: 1 },
              after: { version: 2 },
            },
          ],
        },
      ]);
      const { body: after } = await world.get(application.id, key);
      expect([after.status, after.statusReason, after.decisions?.[0]?.status]).toEqual([
        'in_review',
        'evidence_changed',
        'invalidated',
      ]);
      expect((await tenant.audit()).slice(-2).map(({ action }) => action)).toEqual([
        'decision.invalidated',
        'application.status_changed',
      ]);
    },
  );

  it('is reported to a second person who has read something else, and the decision still waits', async () => {
    const { application, decision } = await world.proposed();
    const foreign = await world.inReview();
    const answer = await world.review(application, decision, { evidenceDigest: foreign.evidenceDigest });
    expect([...refusal(answer), answer.body.currentDigest]).toEqual([
      409,
      'evidence_changed',
      application.evidenceDigest,
    ]);
    expect(await statuses(application.id)).toEqual(['pending_approval', 'second_review', 'pending_review']);
  });

  it('and is confirmed at the same moment, is confirmed or changed and never both', async () => {
    for (let round = 0; round < 5; round++) {
      const { application, decision } = await world.proposed();
      const [reviewed, uploaded] = await Promise.all([
        world.review(application, decision),
        world.upload(application.id, jpeg({ text: application.id })),
      ]);
      const [status] = await statuses(application.id);
      expect([reviewed.status, uploaded.status, status]).toEqual(
        reviewed.status === 200 ? [200, 409, 'approved'] : [409, 201, 'in_review'],
      );
    }
  });
});

it('confirms no approval once a document that a requirement needs has expired, and the decision still waits', async () => {
  const {
    body: { id },
  } = await world.create({
    purpose: 'other',
    level: 'standard',
    applicant: {
      ...exposed.applicant,
      taxId: { type: 'other', value: 'runs-out', country: 'US' },
      address: {
        line1: 'Rua 1',
        city: 'Recife',
        state: 'PE',
        country: 'BR',
      },
    },
  });
  // The passing of a day changes nothing of the document's content.
  await world.upload(id, jpeg({ text: id }), { expiresOn: new Date().toISOString().slice(0, 10) });
  await world.request('POST', `/v1/applications/${id}/submit`, { as: world.key });
  const { body: application } = await world.get(id);
  const { body: decision } = await world.decide(application);
  world.advance(2 * 86_400_000);
  const fresh = await world.acme.person('compliance_officer');
  const answer = await world.review(application, decision, {}, fresh.as);
  world.advance(-2 * 86_400_000);
  expect([...refusal(answer), answer.body.items?.map(({ key, reasonCode }) => [key, reasonCode])]).toEqual([
    409,
    'checks_incomplete',
    [['id_document', 'document_expired']],
  ]);
  expect(await statuses(id)).toEqual(['pending_approval', 'second_review', 'pending_review']);
});

it('lets a simulated end of a document take the application back into the review', async () => {
  const tenant = await world.tenant();
  const [key, analyst, admin] = await Promise.all([
    tenant.key(['read', 'write'], { environment: 'test' }),
    tenant.user('analyst'),
    tenant.user('admin'),
  ]);
  await world.request('POST', '/v1/sandbox/enable', { as: admin });
  const { id } = await world.inReview(exposed, key);
  await world.upload(id, jpeg({ text: id }), { expiresOn: '2031-05-01' }, key);
  const { body: application } = await world.get(id, key);
  const { body: decision } = await world.decide(application, {}, analyst);
  expect(decision.status).toBe('pending_review');
  const {
    body: { effects },
  } = await world.request<{ effects: { resource: object; change: string }[] }>('POST', '/v1/sandbox/simulations', {
    as: admin,
    body: { type: 'document_expiry', target: { type: 'application', id } },
  });
  expect(effects).toContainEqual({
    resource: { type: 'decision', id: decision.id },
    change: 'status pending_review to invalidated',
  });
  const { body: after } = await world.get(id, key);
  expect([after.status, after.decisions?.[0]?.status]).toEqual(['in_review', 'invalidated']);
  expect((await tenant.audit()).slice(-3).map(({ action }) => action)).toEqual([
    'decision.invalidated',
    'application.status_changed',
    'sandbox.simulated',
  ]);
});

describe('withdrawing', () => {
  it('ends the decision that waits', async () => {
    const { application, decision } = await world.proposed();
    const { status, body } = await world.request<Application>('POST', `/v1/applications/${application.id}/withdraw`, {
      as: world.key,
      body: { reasonCode: 'duplicate' },
    });
    expect([status, body.decisions?.map((made) => made.status)]).toEqual([200, ['invalidated']]);
    expect(await statuses(application.id)).toEqual(['withdrawn', 'duplicate', 'invalidated']);
    expect(await actions([decision.id])).toEqual(['decision.proposed', 'decision.invalidated']);
    expect(refusal(await world.review(application, decision))).toEqual([409, 'invalid_state_transition']);
  });
});
