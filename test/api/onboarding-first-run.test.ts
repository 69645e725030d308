/** API test of a new tenant's whole way from the invitation of its owner to production. */
import { expect, it } from 'vitest';
import { seedDemo } from '../../server/demo/seed.ts';
import { refusal, success } from '../support/api.ts';
import { code } from '../support/authenticator.ts';
import { newCpf } from '../support/cpf.ts';
import { latestMail, tokenIn } from '../support/mail.ts';
import { setSection, submitInSandbox } from '../support/onboarding.ts';
import { useService, type Credential } from '../support/service.ts';

const PASSWORD = 'seven quiet rivers at dawn';
let owner: Credential;
let secret: string;
const service = await useService();

async function join(token: string, name: string): Promise<Credential> {
  const { accessToken } = (
    await success(service.api.POST('/v1/auth/invitations/accept', { body: { token, name, password: PASSWORD } }))
  ).body;
  return { Authorization: `Bearer ${accessToken}` };
}

async function enroll(as: Credential): Promise<string> {
  const { secret: shared } = (
    await success(service.api.POST('/v1/auth/totp/enroll', { headers: as, body: { password: PASSWORD } }))
  ).body;
  await success(
    service.api.POST('/v1/auth/totp/confirm', {
      headers: as,
      body: { code: code(shared, service.running.services.clock()) },
    }),
  );
  return shared;
}

async function done(): Promise<string[]> {
  const { steps } = (await success(service.api.GET('/v1/onboarding/checklist', { headers: owner }))).body;
  return steps.filter(({ status }) => status === 'done').map(({ key }) => key);
}

async function submitted(
  as: Credential,
): Promise<{ readonly path: string; readonly evidenceDigest: string | null | undefined }> {
  const applicant = {
    fullName: 'Rosalva Quintiliano Prado',
    dateOfBirth: '1990-05-17',
    taxId: { type: 'cpf' as const, value: newCpf() },
  };
  const { id } = (
    await success(
      service.api.POST('/v1/applications', {
        headers: as,
        body: {
          purpose: 'account_opening',
          level: 'basic',
          submit: true,
          applicant,
        },
      }),
    )
  ).body;
  expect(
    (await success(service.api.POST('/v1/screenings', { headers: as, body: { applicationId: id } }))).body.result,
  ).toBe('clear');
  const { evidenceDigest } = (
    await success(
      service.api.GET('/v1/applications/{applicationId}', { headers: as, params: { path: { applicationId: id } } }),
    )
  ).body;
  return { path: `/v1/applications/${id}`, evidenceDigest };
}

async function decide(as: Credential, outcome: object): Promise<void> {
  const { path, evidenceDigest } = await submitted(as);
  expect(
    (
      await service.request('POST', `${path}/decisions`, {
        as,
        body: { ...outcome, evidenceDigest, note: 'Seen by the first officer.' },
      })
    ).status,
  ).toBe(200);
}

async function ask(as: Credential): Promise<void> {
  const items = [
    { requirementKey: 'identity_data', reasonCode: 'date_unlikely', messageToApplicant: 'When were you born?' },
  ];
  expect(
    (await service.request('POST', `${(await submitted(as)).path}/information-requests`, { as, body: { items } }))
      .status,
  ).toBe(201);
}

it('takes the new tenant of the demo from the invitation of its owner to production, and the checklist moves with it', async () => {
  // The lists of production have not been checked yet.
  await service.database.sql(
    `UPDATE watch_list_version SET checked_at = now() - interval '2 days' WHERE environment = 'live'`,
  );
  const { firstRun } = await seedDemo(service.running.services, service.url, service.running.services.clock());
  owner = await join(decodeURIComponent(new URL(firstRun.owner.link ?? '').hash.replace('#token=', '')), 'Bia Ramos');
  expect(await done()).toEqual([]);

  secret = await enroll(owner);
  expect(await done()).toEqual(['owner_mfa']);

  const email = 'caio.officer@aurora.example';
  await success(
    service.api.POST('/v1/users/invitations', {
      headers: owner,
      body: { email, name: 'Caio Dias', role: 'compliance_officer' },
    }),
    201,
  );
  expect(await done()).toEqual(['owner_mfa']);
  const officer = await join(tokenIn(await latestMail(service.running.services, email)), 'Caio Dias');
  expect(await done()).toEqual(['owner_mfa', 'second_person']);

  await setSection(service, officer, { decisionPolicy: { validityByRisk: { high: 6 } } });
  await setSection(service, officer, { retention: { customerYears: 10 } });
  const { secret: key } = (
    await success(
      service.api.POST('/v1/settings/api-keys', {
        headers: owner,
        body: {
          name: 'Back end',
          environment: 'live',
          scopes: ['read', 'write'],
          expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
        },
      }),
    )
  ).body;
  await submitInSandbox(service, { 'X-API-Key': key });
  await decide(officer, { outcome: 'approve', reasonCodes: ['identity_confirmed'] });
  await decide(officer, { outcome: 'reject', rejectType: 'retry', reasonCodes: ['document_unreadable'] });
  await ask(officer);
  await service.database.sql(`UPDATE watch_list_version SET checked_at = now() WHERE environment = 'live'`);
  await success(service.api.POST('/v1/audit/verify', { headers: owner }));
  expect(await done()).toEqual([
    'owner_mfa',
    'second_person',
    'decision_policy_reviewed',
    'retention_policy',
    'api_key_created',
    'api_key_restricted',
    'sandbox_application',
    'sandbox_happy_path',
    'sandbox_negative_path',
    'screening_lists_fresh',
    'audit_verified',
  ]);

  service.advance(6 * 60_000);
  const live = (
    await success(
      service.api.POST('/v1/onboarding/go-live', {
        headers: { ...owner, 'X-TOTP-Code': code(secret, service.running.services.clock()) },
        body: { note: 'First run' },
      }),
    )
  ).body;
  expect(live).toEqual({
    id: firstRun.tenant.id,
    slug: firstRun.tenant.slug,
    name: 'Fintech Aurora',
    status: 'active',
  });
  const created = (
    await success(
      service.api.POST('/v1/applications', {
        headers: { 'X-API-Key': key },
        body: { purpose: 'other', applicant: { fullName: 'Ana Lima' } },
      }),
    )
  ).body;
  expect(created.environment).toBe('live');
  expect((await success(service.api.POST('/v1/audit/verify', { headers: owner }))).body).toMatchObject({ valid: true });
});

it('lets the administrator of the platform sign in by the other invitation', async () => {
  const { firstRun } = await seedDemo(service.running.services, service.url, service.running.services.clock());
  const administrator = await join(
    decodeURIComponent(new URL(firstRun.platformAdministrator.link ?? '').hash.replace('#token=', '')),
    'Davi Prado',
  );
  expect((await refusal(service.api.GET('/v1/admin/tenants', { headers: administrator }))).body.code).toBe(
    'mfa_enrolment_required',
  );
  await enroll(administrator);
  const { items } = (await success(service.api.GET('/v1/admin/tenants', { headers: administrator }))).body;
  expect(items.map(({ name }) => name)).toContain('Fintech Aurora');
});
