/** API tests of the checklist of a tenant before it goes live. */
import { beforeEach, describe, expect, it } from 'vitest';
import { operations } from '../../server/contract/generated/operations.ts';
import type { components } from '../../server/contract/generated/client-types.ts';
import { success } from '../support/api.ts';
import { each } from '../support/each.ts';
import { completeChecklist, onboardingTenant, submitInSandbox } from '../support/onboarding.ts';
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
      ['sandbox_powers_path', 'todo'],
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
        'sandbox_powers_path',
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
        'sandbox_powers_path',
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
    expect(progressPercent).toBe(Math.floor(700 / 15));
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
    ['a step that is required', 'owner_mfa', { reason }, { status: 409, code: 'step_required' }],
    ['going live itself', 'go_live', { reason }, { status: 409, code: 'step_required' }],
    ['a step that there is not', 'no_such_step', { reason }, { status: 404, code: 'not_found' }],
    ['a name that is none', 'Branding', { reason }, { status: 400, code: 'invalid_parameter' }],
    ['no reason', 'branding', { restore: false }, { status: 422, code: 'validation_failed' }],
    ['a short reason', 'branding', { reason: 'too short' }, { status: 422, code: 'validation_failed' }],
    ['a reason for taking it up', 'branding', { reason, restore: true }, { status: 422, code: 'validation_failed' }],
    ['nothing', 'branding', {}, { status: 422, code: 'validation_failed' }],
  ])('refuses %s', async (_, key, body, { status, code }) => {
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
