/** Tests of the life of a business: evidence, decisions by two people, answers, and what ends a waiting decision. */
import { describe, expect, it } from 'vitest';
import {
  newBusiness,
  newBusinessDecision,
  newBusinessDocument,
  newDecidedBusiness,
  newReviewedBusiness,
} from '../operations/business-records.ts';
import { useService } from '../support/service.ts';

const service = await useService();
const { acme } = service;

interface Shown {
  readonly status: string;
  readonly statusReason: string | null;
  readonly evidenceDigest: string;
  readonly validUntil: string | null;
  readonly requirements: { readonly items: readonly { readonly key: string; readonly status: string }[] };
  readonly decisions: readonly { readonly status: string; readonly fourEyesReasons: readonly string[] }[];
  readonly documents: readonly { readonly status: string; readonly answers: object | null }[];
}

const show = async (id: string): Promise<Shown> =>
  (await service.request<Shown>('GET', `/v1/businesses/${id}`, { as: await acme.user('compliance_officer') })).body;

const post = async (id: string, path: string, body?: object, role: 'analyst' | 'compliance_officer' = 'analyst') =>
  service.request<Record<string, unknown>>('POST', `/v1/businesses/${id}/${path}`, {
    as: await acme.user(role),
    ...(body !== undefined && { body }),
  });

describe('a business', () => {
  it('cannot be submitted without the document that its level requires', async () => {
    const id = await newBusiness(service, acme, undefined, 'standard');
    const refused = await post(id, 'submit');
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { code: 'requirements_missing', items: [{ key: 'constitutive_document', reasonCode: 'document_missing' }] },
    ]);
    await newBusinessDocument(service, acme, id);
    expect((await post(id, 'submit')).status).toBe(202);
  });

  it('is approved by two people once every requirement is met or waived', async () => {
    const id = await newDecidedBusiness(service, acme);
    const { status, validUntil, decisions } = await show(id);
    expect(status).toBe('approved');
    expect(validUntil).not.toBeNull();
    expect(decisions).toMatchObject([{ status: 'effective', fourEyesReasons: ['risk_high', 'requirement_waived'] }]);
  });

  it('is not approved while nobody has looked up what its level requires', async () => {
    const { businessId, evidenceDigest } = await newReviewedBusiness(service, acme);
    const refused = await post(businessId, 'decisions', {
      outcome: 'approve',
      reasonCodes: ['identity_confirmed'],
      note: 'Register and articles agree.',
      evidenceDigest,
    });
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'checks_incomplete', items: [{ key: 'registry_active' }, { key: 'account_protection_clear' }] },
    ]);
  });

  it('cannot be waived what an attestation speaks against', async () => {
    const { businessId } = await newReviewedBusiness(service, acme);
    const { status } = await post(businessId, 'attestations', {
      requirementKey: 'registry_active',
      outcome: 'fail',
      source: 'Register of companies',
      lookedUpAt: service.running.services.clock().toISOString(),
      note: 'The company is closed.',
    });
    expect(status).toBe(201);
    const refused = await post(
      businessId,
      'waivers',
      {
        action: 'granted',
        requirementKey: 'registry_active',
        reasonCode: 'other',
        note: 'Known from another account.',
      },
      'compliance_officer',
    );
    expect([refused.status, refused.body]).toMatchObject([422, { errors: [{ code: 'not_waivable' }] }]);
  });

  it('returns to review when its evidence changes while a decision waits', async () => {
    const { businessId } = await newBusinessDecision(service, acme);
    await newBusinessDocument(service, acme, businessId);
    expect(await show(businessId)).toMatchObject({
      status: 'in_review',
      statusReason: 'evidence_changed',
      decisions: [{ status: 'invalidated' }],
    });
  });

  it('returns to review when its name changes while a decision waits', async () => {
    const { businessId } = await newBusinessDecision(service, acme);
    const { status } = await service.request('PATCH', `/v1/businesses/${businessId}`, {
      as: await acme.key(['kyb']),
      body: { legalName: 'Aurora Pães Ltda' },
    });
    expect(status).toBe(200);
    expect(await show(businessId)).toMatchObject({ status: 'in_review', decisions: [{ status: 'invalidated' }] });
  });

  it('waits for the document that it is asked for, and only that answers', async () => {
    const { businessId } = await newReviewedBusiness(service, acme, 'standard');
    const items = [
      {
        requirementKey: 'constitutive_document',
        reasonCode: 'document_unreadable',
        messageToApplicant: 'Please send the articles again.',
        documentType: null,
      },
    ];
    expect((await post(businessId, 'information-requests', { items })).status).toBe(201);
    expect((await show(businessId)).status).toBe('needs_information');
    const refused = await post(businessId, 'submit');
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { code: 'requirements_missing', items: [{ reasonCode: 'requested_anew' }] },
    ]);
  });

  it('takes no documents once it is withdrawn', async () => {
    const id = await newBusiness(service, acme);
    expect((await post(id, 'withdraw', { reasonCode: 'duplicate' })).status).toBe(200);
    const refused = await post(
      id,
      'waivers',
      {
        action: 'granted',
        requirementKey: 'registry_active',
        reasonCode: 'other',
        note: 'Known from another account.',
      },
      'compliance_officer',
    );
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'business_closed' }]);
  });
});
