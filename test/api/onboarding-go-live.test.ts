/** API tests of a tenant in onboarding, which has only its sandbox, and of going live. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { newApplication } from '../operations/application-records.ts';
import { refusal, success } from '../support/api.ts';
import { completeChecklist, onboardingTenant } from '../support/onboarding.ts';
import { useService, type Answer, type Credential, type Problem, type Tenant } from '../support/service.ts';

type Schemas = components['schemas'];
type Live = Omit<Problem, 'status'> & Schemas['TenantSummary'];

let tenant: Tenant;
const service = await useService();
beforeEach(async () => {
  tenant = await onboardingTenant(service);
});

const goLive = (
  as: Credential,
  call: { body?: object; headers?: Record<string, string> } = {},
): Promise<Answer<Live>> => service.request<Live>('POST', '/v1/onboarding/go-live', { as, ...call });
const create = async (as: Credential) =>
  (
    await success(
      service.api.POST('/v1/applications', {
        headers: as,
        body: { purpose: 'other', applicant: { fullName: 'Ana Lima' } },
      }),
    )
  ).body;
const row = async () =>
  (await service.database.sql('SELECT status, sandbox_enabled, go_live_at FROM tenant WHERE id = $1', [tenant.id]))[0];

describe('a tenant in onboarding', () => {
  it('creates records in the sandbox only, with every kind of credential', async () => {
    for (const as of [
      await tenant.user('analyst'),
      await tenant.key(['write']),
      await tenant.key(['write'], { pinEnvironment: true }),
      await tenant.client(['write']),
    ]) {
      expect((await create(as)).environment).toBe('sandbox');
    }
  });

  it('cannot leave the sandbox by turning it off', async () => {
    const answer = await refusal(service.api.POST('/v1/sandbox/disable', { headers: await tenant.key(['admin']) }));
    expect([answer.status, answer.body.code]).toEqual([409, 'not_live_yet']);
    expect((await row())?.['sandbox_enabled']).toBe(true);
  });

  it('finds the switch on when turning it on', async () => {
    const answer = await success(service.api.POST('/v1/sandbox/enable', { headers: await tenant.key(['admin']) }));
    expect([answer.status, answer.body.enabled, answer.headers.get('x-environment')]).toEqual([200, true, 'sandbox']);
    expect((await tenant.audit()).filter(({ action }) => action === 'sandbox.enabled')).toEqual([]);
  });

  it('resets and simulates as others do', async () => {
    const as = await tenant.key(['admin', 'write', 'read']);
    await newApplication(service, tenant, as);
    expect(
      (
        await service.api.POST('/v1/sandbox/simulations', {
          headers: as,
          body: { type: 'advance_clock', parameters: { seconds: 60 } },
        })
      ).response.status,
    ).toBe(202);
    expect((await success(service.api.DELETE('/v1/sandbox/data', { headers: as }))).body.deleted.applications).toBe(1);
  });
});

describe('going live', () => {
  it('makes the tenant live at once for all of its credentials', async () => {
    const owner = await completeChecklist(service, tenant);
    const key = await tenant.key(['write', 'read']);
    const before = await create(key);
    const { status, headers, body } = await goLive(owner, { body: { note: 'Approved by the board' } });
    expect([status, body.id, body.status, headers.get('x-environment')]).toEqual([200, tenant.id, 'active', 'live']);
    expect(await row()).toMatchObject({ status: 'active', sandbox_enabled: false });
    expect([before.environment, (await create(key)).environment]).toEqual(['sandbox', 'live']);
    const { body: checklist } = await success(service.api.GET('/v1/onboarding/checklist', { headers: key }));
    expect(checklist).toMatchObject({ tenantStatus: 'active', goLiveReady: true });
    expect(checklist.steps.at(-1)).toMatchObject({
      key: 'go_live',
      status: 'done',
      evidence: [{ type: 'tenant', id: tenant.id }],
    });
    expect(checklist.steps.at(-1)?.completedAt).not.toBeNull();
    const switched = await success(service.api.GET('/v1/sandbox', { headers: key }));
    expect(switched.body).toMatchObject({ enabled: false, enabledAt: null });
    expect(
      (await service.api.POST('/v1/sandbox/enable', { headers: await tenant.key(['admin']) })).response.status,
    ).toBe(200);
  });

  it('is recorded with its note', async () => {
    await goLive(await completeChecklist(service, tenant), { body: { note: 'Approved by the board' } });
    const events = await service.database.sql(
      `SELECT environment, changes FROM audit_event WHERE tenant_id = $1 AND action = 'tenant.went_live'`,
      [tenant.id],
    );
    expect(events).toEqual([
      { environment: 'live', changes: [{ op: 'add', path: '/note', value: 'Approved by the board' }] },
    ]);
  });

  it('is refused while steps are missing, which it names, and changes nothing', async () => {
    const owner = await tenant.user('owner', { secondFactor: true });
    const { status, body } = await goLive(owner);
    expect([status, body.code, (body as { missingRequired?: string[] }).missingRequired]).toEqual([
      409,
      'checklist_incomplete',
      ['second_person', 'decision_policy_reviewed', 'retention_policy', 'sandbox_application', 'audit_verified'],
    ]);
    expect(await row()).toEqual({ status: 'onboarding', sandbox_enabled: true, go_live_at: null });
  });

  it('is refused if a step has reverted', async () => {
    const owner = await completeChecklist(service, tenant);
    await success(service.api.GET('/v1/onboarding/checklist', { headers: owner }));
    await service.database.sql(
      `UPDATE membership SET status = 'deactivated' WHERE tenant_id = $1 AND role = 'compliance_officer'`,
      [tenant.id],
    );
    expect((await goLive(owner)).body).toMatchObject({
      code: 'checklist_incomplete',
      missingRequired: ['second_person'],
    });
  });

  it('happens once, however many request it at once', async () => {
    const owner = await completeChecklist(service, tenant);
    const answers = await Promise.all(Array.from({ length: 10 }, () => goLive(owner)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect(new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code))).toEqual(
      new Set(['already_live']),
    );
    expect((await tenant.audit()).filter(({ action }) => action === 'tenant.went_live')).toHaveLength(1);
  });

  it('is refused if the tenant is live', async () => {
    expect((await goLive(await service.acme.user('owner', { secondFactor: true }))).body.code).toBe('already_live');
  });

  it('requires an owner, a person and a second factor', async () => {
    await completeChecklist(service, tenant);
    expect((await goLive(await tenant.user('admin', { secondFactor: true }))).body.code).toBe('role_forbidden');
    expect((await goLive(await tenant.key(['admin']))).body.code).toBe('human_required');
    expect((await goLive((await tenant.person('owner')).as)).body.code).toBe('step_up_required');
    expect((await row())?.['status']).toBe('onboarding');
  });

  it.each([
    ['an empty note', { note: '' }],
    ['another member', { reason: 'why' }],
    ['a note that is no text', { note: 1 }],
  ])('refuses %s', async (_, body) => {
    expect((await goLive(await completeChecklist(service, tenant), { body })).status).toBe(422);
    expect((await row())?.['status']).toBe('onboarding');
  });
});
