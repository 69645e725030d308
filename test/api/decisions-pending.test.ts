/**
 * API tests of evidence that changes while a decision waits for a second person. A confirmation of something unseen
 * fails here.
 */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { type Application, refusal } from './applications-world.ts';
import { exposed, startDecisionWorld } from './decisions-world.ts';

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
    expect(await world.statuses(application.id)).toEqual(['in_review', 'evidence_changed', 'invalidated']);
    expect((await world.actions([application.id, decision.id])).slice(-2)).toEqual([
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
      const application = await world.inReview(exposed, key);
      const { body: decision } = await world.decide(application, {}, analyst);
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
    expect(await world.statuses(application.id)).toEqual(['pending_approval', 'second_review', 'pending_review']);
  });

  it('and is confirmed at the same moment, is confirmed or changed and never both', async () => {
    for (let round = 0; round < 5; round++) {
      const { application, decision } = await world.proposed();
      const [reviewed, uploaded] = await Promise.all([
        world.review(application, decision),
        world.upload(application.id, jpeg({ text: application.id })),
      ]);
      const [status] = await world.statuses(application.id);
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
  expect(await world.statuses(id)).toEqual(['pending_approval', 'second_review', 'pending_review']);
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
    expect(await world.statuses(application.id)).toEqual(['withdrawn', 'duplicate', 'invalidated']);
    expect(await world.actions([decision.id])).toEqual(['decision.proposed', 'decision.invalidated']);
    expect(refusal(await world.review(application, decision))).toEqual([409, 'invalid_state_transition']);
  });
});
