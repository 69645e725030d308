/** API tests of decisions about a business, and of their reviews, that are refused: what the caller learns from it. */
import { describe, expect, it } from 'vitest';
import { newReviewedBusiness } from '../operations/business-records.ts';
import { useService } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { form, refusal } from './applications-world.ts';
import { businessWorld, newBusiness, newBusinessDocument, rejection, type Schemas } from './business-world.ts';

type Decision = Schemas['Decision'] & Partial<Pick<Schemas['Problem'], 'currentDigest' | 'items'>>;

const service = await useService();
const { acme } = service;
const { key, analyst, officer, call, read, waiting, review } = await businessWorld(service);

const decide = (id: string, body: object, as = analyst) => call<Decision>('POST', `${id}/decisions`, { as, body });

describe('a decision about a business is refused', () => {
  it('for each reason that the catalogue does not have', async () => {
    const { businessId: id, evidenceDigest } = await newReviewedBusiness(service, acme);
    const reasonCodes = ['document_unreadable', 'because', 'whatever'];
    expect(refusal(await decide(id, { ...rejection(evidenceDigest), reasonCodes }))).toEqual([
      422,
      'unknown_reason_code',
      '/reasonCodes/1 unknown',
      '/reasonCodes/2 unknown',
    ]);
    expect((await read(id)).decisions).toEqual([]);
  });

  it('about other evidence than the caller has read, and lists changes only since a decision', async () => {
    const { id, evidenceDigest: stale } = await waiting();
    const documentId = await newBusinessDocument(service, acme, id);
    const { evidenceDigest: current } = await read(id);
    const refused = await decide(id, rejection(stale));
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'evidence_changed',
        currentDigest: current,
        changed: [
          {
            kind: 'document',
            id: documentId,
            change: 'added',
            before: null,
          },
        ],
      },
    ]);
    const { evidenceDigest: foreign } = await newReviewedBusiness(service, acme);
    const other = await decide(id, rejection(foreign));
    expect([...refusal(other), other.body.currentDigest, 'changed' in other.body]).toEqual([
      409,
      'evidence_changed',
      current,
      false,
    ]);
    expect((await decide(id, rejection(current ?? ''))).status).toBe(202);
  });
});

describe('the review of a decision about a business is refused', () => {
  it('to the one who proposed it, and the decision still waits for another', async () => {
    const { businessId: id, evidenceDigest } = await newReviewedBusiness(service, acme);
    const proposer = await acme.user('compliance_officer', { purpose: 'proposes' });
    const { body } = await decide(id, rejection(evidenceDigest), proposer);
    expect(refusal(await review(id, body.id, evidenceDigest, proposer))).toEqual([403, 'self_approval_forbidden']);
    expect(await read(id)).toMatchObject({ status: 'pending_approval', decisions: [{ status: 'pending_review' }] });
    expect((await review(id, body.id, evidenceDigest)).status).toBe(200);
  });

  it('if the decision was returned, although another one waits', async () => {
    const { id, decisionId, evidenceDigest } = await waiting();
    const returned = await call('POST', `${id}/decisions/${decisionId}/review`, {
      as: officer,
      body: { verdict: 'return', note: 'Ask for the articles first.', evidenceDigest },
    });
    expect(returned.status).toBe(200);
    expect((await decide(id, rejection(evidenceDigest))).status).toBe(202);
    expect(refusal(await review(id, decisionId, evidenceDigest))).toEqual([409, 'decision_not_pending']);
    expect((await read(id)).decisions).toMatchObject([{ status: 'pending_review' }, { status: 'returned' }]);
  });

  it('of an approval once the articles have expired, and the decision still waits', async () => {
    const id = await newBusiness(service, acme, undefined, 'standard');
    // The passing of a day changes nothing of the document's content.
    const expiresOn = service.running.services.clock().toISOString().slice(0, 10);
    await call('POST', `${id}/documents`, { as: key, body: form(jpeg(), { type: 'articles', expiresOn }) });
    await call('POST', `${id}/submit`, { as: key });
    const { requirements } = await read(id);
    const open = requirements!.items.filter(({ kind }) => kind === 'established');
    const waived = await Promise.all(
      open.map(({ key: requirementKey }) =>
        call('POST', `${id}/waivers`, {
          as: officer,
          body: {
            action: 'granted',
            requirementKey,
            reasonCode: 'other',
            note: 'Known from another account.',
          },
        }),
      ),
    );
    expect(new Set(waived.map(({ status }) => status))).toEqual(new Set([201]));
    const evidenceDigest = (await read(id)).evidenceDigest ?? '';
    const { status, body } = await decide(id, {
      outcome: 'approve',
      reasonCodes: ['identity_confirmed'],
      note: 'Register and articles agree.',
      evidenceDigest,
    });
    expect(status).toBe(202);
    service.advance(2 * 86_400_000);
    const fresh = await acme.person('compliance_officer');
    const refused = await review(id, body.id, evidenceDigest, fresh.as);
    const after = await read(id, fresh.as);
    service.advance(-2 * 86_400_000);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'checks_incomplete', items: [{ key: 'constitutive_document', reasonCode: 'document_expired' }] },
    ]);
    expect(after).toMatchObject({ status: 'pending_approval', decisions: [{ status: 'pending_review' }] });
  });
});
