/** API tests of what counts as evidence for a step of the checklist. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { newInformationRequest, newReviewedApplication } from '../operations/application-records.ts';
import { newOwnedBusiness } from '../operations/ownership.ts';
import { newActivePower, newEvaluation } from '../operations/powers.ts';
import { success } from '../support/api.ts';
import { onboardingTenant, setSection, submitInSandbox } from '../support/onboarding.ts';
import { useService, type Credential, type Tenant } from '../support/service.ts';

type Checklist = components['schemas']['Checklist'];
type Step = Checklist['steps'][number];
let tenant: Tenant;
let reader: Credential;
const service = await useService();

beforeEach(async () => {
  tenant = await onboardingTenant(service);
  // The operator of the service has to check the lists; nobody of the tenant can.
  await service.database.sql(
    `UPDATE watch_list_version SET checked_at = now() - interval '2 days' WHERE environment = 'live'`,
  );
  reader = await tenant.user('viewer');
});

const checklist = async (as = reader): Promise<Checklist> =>
  (await success(service.api.GET('/v1/onboarding/checklist', { headers: as }))).body;

const step = async (key: string): Promise<Step | undefined> => (await checklist()).steps.find((one) => one.key === key);

const events = async (key: string): Promise<string[]> =>
  (await tenant.audit()).filter(({ resource_id }) => resource_id === key).map(({ action }) => action);

describe('the evidence', () => {
  it('of a second factor is that of an active owner', async () => {
    await tenant.user('admin', { secondFactor: true });
    await tenant.user('owner');
    expect((await step('owner_mfa'))?.status).toBe('todo');
    const { id } = await tenant.person('owner', { secondFactor: true });
    expect(await step('owner_mfa')).toMatchObject({ status: 'done', evidence: [{ type: 'user', id }] });
    await service.database.sql(`UPDATE membership SET status = 'deactivated' WHERE tenant_id = $1 AND user_id = $2`, [
      tenant.id,
      id,
    ]);
    expect((await step('owner_mfa'))?.status).toBe('todo');
  });

  it('of a second person is a compliance officer and another person', async () => {
    await service.database.sql(`UPDATE membership SET status = 'deactivated' WHERE tenant_id = $1`, [tenant.id]);
    const { id, as } = await tenant.person('compliance_officer');
    reader = as;
    expect((await step('second_person'))?.status).toBe('todo');
    await tenant.person('owner');
    expect(await step('second_person')).toMatchObject({ status: 'done', evidence: [{ type: 'user', id }] });
  });

  it('of a reviewed decision policy is a change by a compliance officer, to that section', async () => {
    await setSection(service, await tenant.user('owner'), { decisionPolicy: { validityByRisk: { high: 6 } } });
    const officer = await tenant.user('compliance_officer');
    await setSection(service, officer, { retention: { customerYears: 12 } });
    expect((await step('decision_policy_reviewed'))?.status).toBe('todo');
    expect((await step('retention_policy'))?.status).toBe('done');
    await setSection(service, officer, { decisionPolicy: { validityByRisk: { high: 6 } } });
    expect((await step('decision_policy_reviewed'))?.status).toBe('done');
  });

  it('of restricted keys is a list or an expiry of every live key that works', async () => {
    await tenant.key(['read'], { name: 'Listed', ipAllowlist: ['127.0.0.0/8'] });
    await tenant.key(['read'], { name: 'Test', environment: 'test' });
    expect((await step('api_key_restricted'))?.status).toBe('done');
    await tenant.key(['read'], { name: 'Open' });
    expect((await step('api_key_restricted'))?.status).toBe('todo');
    await service.database.sql(
      `UPDATE api_key SET expires_at = now() + interval '1 day' WHERE tenant_id = $1 AND name = 'Open'`,
      [tenant.id],
    );
    expect((await step('api_key_restricted'))?.status).toBe('done');
  });

  it('of restricted keys ignores an unrestricted key whose successor has replaced it', async () => {
    const { 'X-API-Key': open = '' } = await tenant.key(['read'], { name: 'Replaced' });
    const owner = await tenant.user('owner');
    const path = `/v1/settings/api-keys/${open.slice(0, open.lastIndexOf('_'))}`;
    const {
      status,
      body: {
        apiKey: { prefix },
      },
    } = await service.request<components['schemas']['ApiKeyIssued']>('POST', `${path}/rotate`, {
      as: owner,
      body: { graceHours: 0 },
    });
    expect(status).toBe(201);
    expect((await step('api_key_restricted'))?.status).toBe('todo');
    const limited = await success(
      service.api.PATCH('/v1/settings/api-keys/{prefix}', {
        params: { path: { prefix } },
        headers: owner,
        body: { ipAllowlist: ['127.0.0.0/8'] },
      }),
    );
    expect(limited.status, limited.text).toBe(200);
    expect((await step('api_key_restricted'))?.status).toBe('done');
  });

  it('of branding is a display name', async () => {
    await setSection(service, await tenant.user('owner'), { branding: { displayName: 'Aurora' } });
    expect(await step('branding')).toMatchObject({ status: 'done', evidence: [{ type: 'settings', id: tenant.id }] });
  });

  it('of an application in the sandbox outlives a reset of it', async () => {
    const owner = await tenant.user('owner');
    await submitInSandbox(service, await tenant.key(['write']));
    const before = await step('sandbox_application');
    expect((await service.api.DELETE('/v1/sandbox/data', { headers: owner })).response.status).toBe(200);
    expect(await step('sandbox_application')).toEqual(before);
    expect(before?.status).toBe('done');
  });

  const unlisted = () => newReviewedApplication(service, tenant, null, { fullName: 'Rosalva Quintiliano Prado' });
  const finish = (outcome: 'approve' | 'reject', submitted: Promise<{ applicationId: string }>) =>
    submitted.then(async ({ applicationId }) => {
      expect(
        (
          await service.request('POST', '/v1/screenings', {
            as: await tenant.key(['screening']),
            body: { applicationId },
          })
        ).status,
      ).toBe(201);
      const {
        body: { evidenceDigest },
      } = await service.request<{ evidenceDigest: string }>('GET', `/v1/applications/${applicationId}`, {
        as: await tenant.key(['read']),
      });
      const decision =
        outcome === 'approve'
          ? { outcome, reasonCodes: ['identity_confirmed'] }
          : { outcome, reasonCodes: ['document_unreadable'], rejectType: 'retry' };
      const { status } = await service.request('POST', `/v1/applications/${applicationId}/decisions`, {
        as: await tenant.key(['write']),
        body: { ...decision, note: 'Passport and address agree.', evidenceDigest },
      });
      expect(status).toBe(200);
      return applicationId;
    });

  it('of the happy path is an application of the sandbox that was approved, and outlives a reset', async () => {
    await newReviewedApplication(service, tenant);
    expect((await step('sandbox_happy_path'))?.status).toBe('todo');
    const id = await finish('approve', unlisted());
    expect(await step('sandbox_happy_path')).toMatchObject({
      status: 'done',
      required: false,
      evidence: [{ type: 'application', id }],
    });
    await success(service.api.DELETE('/v1/sandbox/data', { headers: await tenant.user('owner') }));
    expect((await step('sandbox_happy_path'))?.status).toBe('done');
  });

  it('of the happy path is never a live approval', async () => {
    await service.database.sql(
      `UPDATE tenant SET status = 'active', sandbox_enabled = false, sandbox_enabled_at = NULL WHERE id = $1`,
      [tenant.id],
    );
    await finish('approve', unlisted());
    expect(await step('sandbox_happy_path')).toMatchObject({ status: 'blocked', evidence: [] });
  });

  it('of the path of powers is a confirmed power and an evaluation of the sandbox, both', async () => {
    const businessId = await newOwnedBusiness(service, tenant);
    const powerId = await newActivePower(service, tenant, businessId);
    expect((await step('sandbox_powers_path'))?.status).toBe('todo');
    const evaluation = await newEvaluation(service, tenant, businessId);
    expect(await step('sandbox_powers_path')).toMatchObject({
      status: 'done',
      required: false,
      evidence: [
        { type: 'power', id: powerId },
        { type: 'signing_evaluation', id: evaluation.id },
      ],
    });
    await success(service.api.DELETE('/v1/sandbox/data', { headers: await tenant.user('owner') }));
    expect((await step('sandbox_powers_path'))?.status).toBe('done');
  });

  it('of the negative path is a rejection and a request for information, both', async () => {
    const rejected = await finish('reject', newReviewedApplication(service, tenant));
    expect((await step('sandbox_negative_path'))?.status).toBe('todo');
    const informationRequest = await newInformationRequest(service, tenant);
    expect(await step('sandbox_negative_path')).toMatchObject({
      status: 'done',
      evidence: [
        { type: 'application', id: rejected },
        { type: 'application', id: informationRequest },
      ],
    });
  });

  it('of fresh lists is a timely check of every list that the law demands', async () => {
    expect(await step('screening_lists_fresh')).toMatchObject({
      status: 'todo',
      evidence: [],
      required: false,
      callerMay: false,
    });
    const checked = (instant: string) =>
      service.database.sql(
        `UPDATE watch_list_version SET checked_at = ${instant} WHERE environment = 'live' AND list_id = 'un-csnu'`,
      );
    await checked('now()');
    expect(await step('screening_lists_fresh')).toMatchObject({
      status: 'done',
      evidence: [{ type: 'watch_list', id: 'un-csnu' }],
    });
    await checked(`now() - interval '25 hours'`);
    expect((await step('screening_lists_fresh'))?.regressedAt).not.toBeNull();
  });

  it('of a verified log is lost with a verification that fails', async () => {
    const verify = async () =>
      (await success(service.api.POST('/v1/audit/verify', { headers: await tenant.user('auditor') }))).body.valid;
    await tenant.key(['read']);
    await checklist();
    expect([await verify(), (await step('audit_verified'))?.status]).toEqual([true, 'done']);
    await service.database.sql(`
      ALTER TABLE audit_event DISABLE TRIGGER only_grows;
      UPDATE audit_event SET reason = 'edited' WHERE tenant_id = '${tenant.id}' AND sequence = 1;
      ALTER TABLE audit_event ENABLE TRIGGER only_grows`);
    expect([await verify(), (await step('audit_verified'))?.status]).toEqual([false, 'todo']);
    expect(await events('audit_verified')).toEqual(['onboarding.step_completed', 'onboarding.step_regressed']);
  });
});
