import { beforeEach, describe, expect, it } from 'vitest';
import { operations } from '../../server/contract/generated/operations.ts';
import type { components } from '../../server/contract/generated/types.ts';
import { newInformationRequest, newReviewedApplication } from '../operations/records.ts';
import { success } from '../support/api.ts';
import { each } from '../support/each.ts';
import { completeChecklist, onboardingTenant, setSection, submitInSandbox } from '../support/onboarding.ts';
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

describe('the checklist', () => {
  it('starts with everything to do', async () => {
    const { tenantStatus, steps, ...rest } = await checklist();
    expect(tenantStatus).toBe('onboarding');
    expect(steps.map(({ key, status }) => [key, status])).toEqual([
      ['owner_mfa', 'todo'],
      ['second_person', 'todo'],
      ['branding', 'todo'],
      ['decision_policy_reviewed', 'blocked'],
      ['retention_policy', 'todo'],
      ['security_policy', 'todo'],
      ['api_key_created', 'todo'],
      ['api_key_restricted', 'blocked'],
      ['sandbox_application', 'todo'],
      ['sandbox_happy_path', 'blocked'],
      ['sandbox_negative_path', 'blocked'],
      ['screening_lists_fresh', 'todo'],
      ['audit_verified', 'todo'],
      ['go_live', 'blocked'],
    ]);
    expect(rest).toEqual({
      progressPercent: 0,
      goLiveReady: false,
      nextStep: 'owner_mfa',
      missingRequired: [
        'owner_mfa',
        'second_person',
        'decision_policy_reviewed',
        'retention_policy',
        'sandbox_application',
        'audit_verified',
      ],
    });
    expect(steps.find(({ key }) => key === 'decision_policy_reviewed')?.blockedBy).toEqual(['second_person']);
    expect(steps.at(-1)?.blockedBy).toEqual(rest.missingRequired);
  });

  it('leads from every step to an existing page', async () => {
    for (const path of each(
      new Set((await checklist()).steps.map(({ howTo }) => new URL(howTo, service.url).pathname)),
    )) {
      expect((await fetch(service.url + path)).status, path).toBe(200);
    }
  });

  it('says of each step what completes it and whether the reader may, and names their next step', async () => {
    const seenBy = async (as: Credential) => {
      const { steps, nextStep } = await checklist(as);
      return { nextStep, mine: steps.filter(({ callerMay }) => callerMay).map(({ key }) => key) };
    };
    for (const { operationId } of (await checklist()).steps) expect(Object.keys(operations)).toContain(operationId);
    expect(await seenBy(await tenant.user('owner'))).toEqual({
      nextStep: 'owner_mfa',
      mine: [
        'owner_mfa',
        'second_person',
        'branding',
        'retention_policy',
        'security_policy',
        'api_key_created',
        'api_key_restricted',
        'sandbox_application',
        'audit_verified',
        'go_live',
      ],
    });
    expect(await seenBy(await tenant.user('compliance_officer'))).toEqual({
      nextStep: 'decision_policy_reviewed',
      mine: [
        'decision_policy_reviewed',
        'retention_policy',
        'sandbox_application',
        'sandbox_happy_path',
        'sandbox_negative_path',
        'audit_verified',
      ],
    });
    expect(await seenBy(await tenant.user('developer'))).toEqual({ nextStep: 'owner_mfa', mine: ['api_key_created'] });
    expect(await seenBy(await tenant.user('viewer'))).toEqual({ nextStep: 'owner_mfa', mine: [] });
    expect(await seenBy(await tenant.key(['read', 'write']))).toEqual({
      nextStep: 'sandbox_application',
      mine: ['sandbox_application', 'sandbox_happy_path', 'sandbox_negative_path', 'audit_verified'],
    });
  });

  it('is ready when everything required is done, and names the evidence', async () => {
    await completeChecklist(service, tenant);
    const { steps, goLiveReady, missingRequired, progressPercent, nextStep } = await checklist();
    expect([goLiveReady, missingRequired, steps.at(-1)?.status, nextStep]).toEqual([true, [], 'todo', 'go_live']);
    expect(
      steps.filter(({ status }) => status === 'done').map(({ key, evidence }) => [key, evidence[0]?.type]),
    ).toEqual([
      ['owner_mfa', 'user'],
      ['second_person', 'user'],
      ['decision_policy_reviewed', 'audit_event'],
      ['retention_policy', 'audit_event'],
      ['api_key_created', 'api_key'],
      ['sandbox_application', 'application'],
      ['audit_verified', 'audit_event'],
    ]);
    expect(progressPercent).toBe(Math.floor(700 / 14));
  });

  it('can be read by every role and with a key, and belongs to one tenant', async () => {
    await submitInSandbox(service, await tenant.key(['write']));
    const other = await onboardingTenant(service);
    const theirs = await checklist(await other.key(['read']));
    expect(theirs.steps.find(({ key }) => key === 'sandbox_application')?.status).toBe('todo');
    expect(
      (await checklist(await tenant.client(['read']))).steps.find(({ key }) => key === 'sandbox_application')?.status,
    ).toBe('done');
  });

  it('of a tenant that was live from the start has no step left for going live', async () => {
    const { tenantStatus, steps, nextStep } = await checklist(await service.acme.key(['read']));
    expect(steps.find(({ key }) => key === nextStep)).toMatchObject({ required: true, status: 'todo' });
    expect([tenantStatus, steps.at(-1)?.status, steps.at(-1)?.completedAt]).toEqual(['active', 'done', null]);
  });

  it.each(['PUT', 'PATCH', 'POST', 'DELETE'])('cannot be written with %s', async (method) => {
    const answer = await service.request(method, '/v1/onboarding/checklist', {
      as: await tenant.user('owner'),
      body: { status: 'done' },
    });
    expect([answer.status, answer.body.code, answer.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, HEAD',
    ]);
  });

  it.each(['PUT', 'PATCH', 'POST', 'DELETE'])('has no step that could be checked off with %s', async (method) => {
    const answer = await service.request(method, '/v1/onboarding/checklist/owner_mfa', {
      as: await tenant.user('owner'),
      body: { status: 'done' },
    });
    expect([answer.status, answer.body.code, answer.headers.get('allow')]).toEqual([405, 'method_not_allowed', '']);
    expect((await step('owner_mfa'))?.status).toBe('todo');
  });
});

describe('a step', () => {
  it('is done when its evidence exists, reverts when the evidence is gone, and is recorded once per change', async () => {
    const key = await tenant.key(['write'], { name: 'First' });
    const first = await step('api_key_created');
    expect(first).toMatchObject({
      status: 'done',
      regressedAt: null,
      evidence: [{ type: 'api_key', id: key['X-API-Key']?.slice(0, 17) }],
    });
    expect(await step('api_key_created')).toEqual(first);
    await service.database.sql(`UPDATE api_key SET status = 'revoked', revoked_at = now() WHERE tenant_id = $1`, [
      tenant.id,
    ]);
    const fallen = await step('api_key_created');
    expect(fallen).toMatchObject({ status: 'todo', completedAt: first?.completedAt, evidence: [] });
    expect(fallen?.regressedAt).not.toBeNull();
    await tenant.key(['write'], { name: 'Second' });
    expect(await step('api_key_created')).toMatchObject({
      status: 'done',
      completedAt: first?.completedAt,
      regressedAt: null,
    });
    expect(await events('api_key_created')).toEqual([
      'onboarding.step_completed',
      'onboarding.step_regressed',
      'onboarding.step_completed',
    ]);
  });

  it('is recorded once by many who see it at the same time', async () => {
    await completeChecklist(service, tenant);
    await Promise.all(Array.from({ length: 20 }, () => checklist()));
    for (const key of ['owner_mfa', 'second_person', 'audit_verified', 'api_key_created'])
      expect(await events(key)).toEqual(['onboarding.step_completed']);
    await service.database.sql(`UPDATE api_key SET status = 'revoked', revoked_at = now() WHERE tenant_id = $1`, [
      tenant.id,
    ]);
    await Promise.all(Array.from({ length: 20 }, () => checklist()));
    expect(await events('api_key_created')).toEqual(['onboarding.step_completed', 'onboarding.step_regressed']);
  });

  it('is not attributed to a person who only read the checklist', async () => {
    await tenant.key(['write']);
    await checklist();
    const rows = await service.database.sql(
      `SELECT actor FROM audit_event WHERE tenant_id = $1 AND action = 'onboarding.step_completed'`,
      [tenant.id],
    );
    expect(rows).toEqual([
      {
        actor: {
          type: 'system',
          id: 'onboarding',
          display: 'Onboarding checklist',
          impersonatorId: null,
        },
      },
    ]);
  });
});

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

describe('an optional step', () => {
  const reason = 'We show our own pages to applicants';
  const dismiss = async (key: string, body: object, as?: Credential) =>
    service.request<Step & { code: string }>('POST', `/v1/onboarding/checklist/${key}/dismiss`, {
      as: as ?? (await tenant.user('admin')),
      body,
    });

  it('can be dismissed with a reason and resumed again', async () => {
    const before = await checklist();
    const { status, body } = await dismiss('branding', { reason });
    expect([status, body.status, body.dismissal?.reason, body.dismissal?.by.type]).toEqual([
      200,
      'dismissed',
      reason,
      'user',
    ]);
    expect((await checklist()).progressPercent).toBeGreaterThan(before.progressPercent);
    expect((await dismiss('branding', { reason: 'Another reason to do so' })).body.dismissal).toEqual(body.dismissal);
    expect((await dismiss('branding', { restore: true })).body).toMatchObject({ status: 'todo', dismissal: null });
    expect((await dismiss('branding', { restore: true })).status).toBe(200);
    expect(await events('branding')).toEqual(['onboarding.step_dismissed', 'onboarding.step_restored']);
  });

  it('that was dismissed and is done all the same is done', async () => {
    await dismiss('api_key_created', { reason });
    await tenant.key(['read']);
    expect((await step('api_key_created'))?.status).toBe('done');
  });

  it.each([
    ['a step that is required', 'owner_mfa', { reason }, 409, 'step_required'],
    ['going live itself', 'go_live', { reason }, 409, 'step_required'],
    ['a step that there is not', 'no_such_step', { reason }, 404, 'not_found'],
    ['a name that is none', 'Branding', { reason }, 400, 'invalid_parameter'],
    ['no reason', 'branding', { restore: false }, 422, 'validation_failed'],
    ['a short reason', 'branding', { reason: 'too short' }, 422, 'validation_failed'],
    ['a reason for taking it up', 'branding', { reason, restore: true }, 422, 'validation_failed'],
    ['nothing', 'branding', {}, 422, 'validation_failed'],
  ])('refuses %s', async (_, key, body, status, code) => {
    const answer = await dismiss(key, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((await checklist()).steps.filter(({ dismissal }) => dismissal !== null)).toEqual([]);
  });

  it('is for owners and administrators, and for people', async () => {
    expect((await dismiss('branding', { reason }, await tenant.user('compliance_officer'))).body.code).toBe(
      'role_forbidden',
    );
    expect((await dismiss('branding', { reason }, await tenant.key(['admin']))).body.code).toBe('human_required');
  });
});
