/** API tests of cases about businesses: who opens them, and the work on them from the first note to a decision. */
import { describe, expect, it } from 'vitest';
import { DAY_MILLISECONDS } from '../../server/base/time.ts';
import { companies } from '../../server/providers/personas/index.ts';
import { newReviewedBusiness } from '../operations/business-records.ts';
import { newApplication } from '../operations/application-records.ts';
import { newCaseDocument } from '../operations/case-records.ts';
import { newOwnedBusiness } from '../operations/ownership.ts';
import { newActivePower } from '../operations/powers.ts';
import { newBusiness, rejection, type Schemas, wholeGraph } from './business-world.ts';
import { refusalOf, REASONING, startCasesWorld } from './cases-world.ts';

const world = await startCasesWorld();
const { service, tenant, analyst, colleague, officer, second, open, read, resolve, review, patch, list } = world;
const { call } = world;

const reviewed = async (): Promise<string> => (await newReviewedBusiness(service, tenant)).businessId;
const digestOf = async (businessId: string): Promise<string> =>
  (await call<Schemas['Business']>('GET', `/v1/businesses/${businessId}`, officer.as)).body.evidenceDigest!;
const casesOf = (businessId: string) => list(`businessId=${businessId}`);

describe('a case about a business', () => {
  it('is opened by a person, found by the business, worked on, and resolved on its evidence', async () => {
    const businessId = await reviewed();
    const id = await open({ type: 'business_review', businessId, note: 'Who signs for them?' });
    expect(await read(id)).toMatchObject({
      type: 'business_review',
      applicationId: null,
      businessId,
      noteCount: 1,
      openedReason: 'manual',
    });
    expect((await casesOf(businessId)).map((one) => one.id)).toEqual([id]);
    expect((await list('type=business_review')).map((one) => one.id)).toContain(id);
    const documentId = await newCaseDocument(service, tenant, id);
    expect((await read(id)).documents).toMatchObject([{ id: documentId }]);
    const file = await service.request('GET', `/v1/cases/${id}/documents/${documentId}/content`, { as: officer.as });
    expect(file.status).toBe(200);
    expect((await patch(id, { assigneeId: analyst.id })).status).toBe(200);
    const work = await call<Schemas['WorkItemList']>('GET', '/v1/work?kind=case', analyst.as);
    expect(work.body.items).toMatchObject([
      {
        id,
        applicationId: null,
        businessId,
        reason: 'business_review',
      },
    ]);
    expect((await resolve(id)).body).toMatchObject({ status: 'effective', decisionId: null });
    expect(await casesOf(businessId)).toMatchObject([{ id, status: 'resolved' }]);
  });

  it('appears in the timeline of the business', async () => {
    const businessId = await reviewed();
    await open({ type: 'ad_hoc', businessId });
    const { body } = await call<Schemas['BusinessEventList']>(
      'GET',
      `/v1/businesses/${businessId}/timeline`,
      officer.as,
    );
    expect(body.items.map(({ type }) => type)).toContain('case.opened');
  });

  it('is refused beside an open one of its type, with two subjects or none, and with a type of people', async () => {
    const businessId = await reviewed();
    const applicationId = await newApplication(service, tenant);
    const id = await open({ type: 'business_review', businessId });
    const create = (body: object) => call('POST', '/v1/cases', analyst.as, body);
    const again = await create({ type: 'business_review', businessId });
    expect([...refusalOf(again), again.body.existingId]).toEqual([409, 'open_case_exists', id]);
    expect(refusalOf(await create({ type: 'ad_hoc', businessId, applicationId }))).toEqual([
      422,
      'validation_failed',
      '/businessId',
    ]);
    expect(refusalOf(await create({ type: 'ad_hoc' }))).toEqual([422, 'validation_failed', '/applicationId']);
    for (const [type, about] of [
      ['business_review', { applicationId }],
      ['application_review', { businessId }],
      ['screening_hit', { businessId }],
    ] as const)
      expect(refusalOf(await create({ type, ...about }))).toEqual([422, 'validation_failed', '/type']);
    expect(refusalOf(await create({ type: 'ad_hoc', businessId: await newBusiness(service, service.other) }))).toEqual([
      404,
      'not_found',
    ]);
  });

  it('has the checklist of its type, and a quality review that another officer takes', async () => {
    await world.settings({
      cases: {
        checklists: [{ type: 'business_review', items: [{ key: 'owners', label: 'Ask', required: true }] }],
        qualityReviews: [{ type: 'business_review', percent: 100 }],
      },
    });
    const businessId = await reviewed();
    const id = await open({ type: 'business_review', businessId });
    expect(refusalOf(await resolve(id))).toEqual([409, 'checklist_incomplete']);
    expect((await patch(id, { checklistDone: ['owners'] })).status).toBe(200);
    expect((await resolve(id)).status).toBe(200);
    const [quality] = await list(`businessId=${businessId}&type=quality_review`);
    expect(quality).toMatchObject({ businessId, openedReason: 'quality_sample', relatedCaseIds: [id] });
    expect(refusalOf(await patch(quality!.id, { assigneeId: analyst.id }, officer.as))).toEqual([
      422,
      'assignee_not_eligible',
      '/assigneeId',
    ]);
    await world.settings({ cases: { checklists: [], qualityReviews: [] } });
  });

  it('stops its clock while the business is asked for information', async () => {
    const { businessId } = await newReviewedBusiness(service, tenant, 'standard');
    const id = await open({ type: 'ad_hoc', businessId });
    await call('POST', `/v1/businesses/${businessId}/information-requests`, officer.as, {
      items: [
        {
          requirementKey: 'constitutive_document',
          reasonCode: 'document_unreadable',
          messageToApplicant: 'Please send the articles again.',
          documentType: 'articles',
        },
      ],
    });
    expect((await read(id)).dueAt).toBeNull();
    await call('POST', `/v1/businesses/${businessId}/withdraw`, await tenant.key(['kyb']), {
      reasonCode: 'created_in_error',
    });
    await world.due();
    expect((await read(id)).clockStoppedAt).toBeNull();
  });
});

describe('the erasure of a business', () => {
  it('empties the notes and the resolutions of its cases, which answer 410 then', async () => {
    const businessId = await newBusiness(service, tenant);
    const id = await open({ type: 'business_review', businessId, note: 'Zorzetto keeps otters.' });
    expect((await resolve(id)).status).toBe(200);
    await call('POST', `/v1/businesses/${businessId}/withdraw`, await tenant.key(['kyb']), {
      reasonCode: 'created_in_error',
    });
    await service.database.sql(`UPDATE business SET updated_at = '2010-01-01' WHERE id = $1`, [businessId]);
    const eraser = await tenant.user('compliance_officer', { secondFactor: true });
    const erased = await call('POST', `/v1/businesses/${businessId}/erase`, eraser, { reason: 'data_subject_request' });
    expect(erased.status).toBe(202);
    expect((await call('GET', `/v1/cases/${id}`, officer.as)).status).toBe(410);
    expect(
      await service.database.sql(
        `SELECT n.text, r.note FROM case_note n JOIN case_resolution r ON r.case_id = n.case_id WHERE n.case_id = $1`,
        [id],
      ),
    ).toEqual([{ text: '', note: '' }]);
  });
});

describe('a resolution of a case about a business', () => {
  it('carries a decision about it, which a second person confirms with the resolution', async () => {
    const businessId = await reviewed();
    const id = await open({ type: 'business_review', businessId });
    const evidenceDigest = await digestOf(businessId);
    const proposed = await resolve(id, analyst.as, {
      outcome: 'confirmed_risk',
      reasonCodes: ['suspicion_confirmed'],
      decision: rejection(evidenceDigest),
    });
    expect([proposed.status, proposed.body]).toMatchObject([
      202,
      { status: 'pending_review', fourEyesReasons: ['outcome_confirmed_risk', 'decision'] },
    ]);
    const done = await review(id, proposed.body.id);
    expect([done.status, done.body.status]).toEqual([200, 'effective']);
    const { status } = (await call<Schemas['Business']>('GET', `/v1/businesses/${businessId}`, officer.as)).body;
    expect([status, (await read(id)).status]).toEqual(['rejected', 'resolved']);
    const other = await open({ type: 'ad_hoc', businessId });
    expect(refusalOf(await patch(other, { assigneeId: analyst.id }, officer.as))[1]).toBe('assignee_not_eligible');
    expect((await patch(other, { assigneeId: colleague.id }, officer.as)).status).toBe(200);
  });

  it('is invalid with its decision if the evidence about the business changes before the review', async () => {
    const businessId = await reviewed();
    const id = await open({ type: 'business_review', businessId });
    const proposed = await resolve(id, analyst.as, {
      outcome: 'confirmed_risk',
      reasonCodes: ['suspicion_confirmed'],
      decision: rejection(await digestOf(businessId)),
    });
    await service.database.sql(`UPDATE business SET legal_name = 'Padaria Noturna Ltda' WHERE id = $1`, [businessId]);
    expect(refusalOf(await review(id, proposed.body.id))).toEqual([409, 'evidence_changed']);
    const found = await call<Schemas['Business']>('GET', `/v1/businesses/${businessId}`, officer.as);
    expect([found.body.status, (await read(id)).resolutions]).toMatchObject(['in_review', [{ status: 'invalidated' }]]);
  });

  it('is returned to work, and the case is taken back after it was resolved', async () => {
    const businessId = await reviewed();
    const id = await open({ type: 'business_review', businessId });
    const proposed = await resolve(id, analyst.as, {
      outcome: 'confirmed_risk',
      reasonCodes: ['suspicion_confirmed'],
    });
    const returned = await review(id, proposed.body.id, second.as, { verdict: 'return' });
    expect(returned.body.status).toBe('returned');
    expect((await resolve(id)).status).toBe(200);
    const reopened = await call('POST', `/v1/cases/${id}/reopen`, officer.as, {
      reasonCode: 'error_found',
      note: REASONING,
    });
    expect([reopened.status, (await read(id)).status]).toEqual([200, 'in_progress']);
  });
});

describe('the service opens a case about a business', () => {
  it('once its level of risk rises, and the next rise joins', async () => {
    const businessId = await reviewed();
    const setLevel = async (level: string) => {
      const found = await call<Schemas['Business']>('GET', `/v1/businesses/${businessId}`, officer.as);
      await call('POST', `/v1/risk/assessments/${found.body.riskAssessmentId}/override`, officer.as, {
        level,
        reasonCode: 'mitigating_controls',
        note: 'Somebody has thought about it.',
        expiresAt: new Date(Date.now() + 30 * DAY_MILLISECONDS).toISOString(),
      });
    };
    await setLevel('low');
    expect(await casesOf(businessId)).toEqual([]);
    await setLevel('medium');
    await setLevel('high');
    expect(await casesOf(businessId)).toMatchObject([
      {
        type: 'risk_increase',
        openedReason: 'risk_increased',
        queue: 'normal',
        applicationId: null,
      },
    ]);
  });

  it('if its registry gravely contradicts what is declared, and the next difference joins', async () => {
    const sandbox = await service.tenant();
    await service.database.sql('UPDATE tenant SET sandbox_enabled = true WHERE id = $1', [sandbox.id]);
    const key = await sandbox.key(['kyb', 'read'], { environment: 'test' });
    const { name, taxId } = companies.find((one) => one.key === 'closed_company')!;
    const { body: business } = await call<Schemas['Business']>('POST', '/v1/businesses', key, {
      legalName: name,
      legalForm: 'ltda',
      registration: { type: 'cnpj', number: taxId },
    });
    const found = async () =>
      (await call<{ items: Schemas['ReviewCase'][] }>('GET', `/v1/cases?businessId=${business.id}`, key)).body.items;
    const ask = () => call<Schemas['BusinessRegistry']>('POST', `/v1/businesses/${business.id}/registry`, key);
    const { differences } = (await ask()).body;
    const closed = differences.find(({ field }) => field === 'situation')!;
    const opened = await found();
    expect(opened).toMatchObject([
      {
        type: 'business_review',
        queue: 'high',
        openedReason: 'registry_differs',
        environment: 'sandbox',
        createdBy: { type: 'system', id: 'cases' },
      },
    ]);
    expect(opened[0]!.links).toMatchObject([{ kind: 'registry_difference', id: closed.id, parentId: null }]);
    await ask();
    expect(await found()).toEqual(opened);
    const owned = await service.request('PUT', `/v1/businesses/${business.id}/ownership`, {
      as: key,
      body: wholeGraph,
      headers: { 'If-Match': '"0"' },
    });
    expect(owned.status).toBe(200);
    const kinds = (await found()).map(({ links }) => links.map(({ kind }) => kind));
    const after = await call<Schemas['BusinessRegistry']>('GET', `/v1/businesses/${business.id}/registry`, key);
    const grave = after.body.differences.filter(({ severity }) => severity === 'high');
    expect(kinds).toEqual([grave.map(() => 'registry_difference')]);
  });

  it('after the last day of a confirmed power, once, and not about one that another had superseded', async () => {
    const [businessId, other] = [await newOwnedBusiness(service, tenant), await newOwnedBusiness(service, tenant)];
    const powerId = await newActivePower(service, tenant, businessId, { validUntil: '2025-06-30' });
    await newActivePower(service, tenant, other, { validUntil: '2025-06-30' });
    await newActivePower(service, tenant, other, { registeredOn: '2025-01-15' });
    await service.running.runJob('powers.expire');
    await service.running.runJob('powers.expire');
    expect(await casesOf(businessId)).toMatchObject([
      {
        type: 'business_review',
        queue: 'normal',
        openedReason: 'power_expired',
        links: [{ kind: 'power', id: powerId, parentId: null }],
      },
    ]);
    expect(await casesOf(other)).toEqual([]);
    const { body } = await call<Schemas['BusinessEventList']>(
      'GET',
      `/v1/businesses/${businessId}/timeline`,
      officer.as,
    );
    expect(body.items.filter(({ type }) => type === 'power.expired')).toHaveLength(1);
  });
});
