import { randomBytes } from 'node:crypto';
import type { components } from '../../server/contract/generated/types.ts';
import type { OperationId } from '../../server/contract/operation.ts';
import { code } from './authenticator.ts';
import { awaitMail, tokenIn } from './mail.ts';
import { completeChecklist, onboardingTenant } from './onboarding.ts';
import { takeInRecovery } from './recoveries.ts';
import { newRun } from './records.ts';
import { PASSWORD, type Credential, type Person, type Tenant, type TestService } from './service.ts';

type Schemas = components['schemas'];

/** What must be so before an example of the contract succeeds: records, secrets, and what must be new. */
export interface Situation {
  /** Another tenant than the one asked for, when the call would disturb it or needs it otherwise. */
  readonly place?: Tenant;
  readonly as?: Credential;
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
  /** Members that replace those of the example. */
  readonly body?: Readonly<Record<string, unknown>>;
}

const unique = (): string => randomBytes(8).toString('hex');
const address = (): string => `${unique()}@example.com`;

export const situations: Partial<Record<OperationId, (service: TestService, tenant: Tenant) => Promise<Situation>>> = {
  createToken: async (_, tenant) => {
    const secret = (await tenant.key(['read', 'write']))['X-API-Key'] ?? '';
    return { body: { client_id: secret.slice(0, 'kyc_live_00000000'.length), client_secret: secret } };
  },

  login: async (_, tenant) => ({ body: { email: (await tenant.person('owner')).email, password: PASSWORD } }),
  refreshToken: async (service, tenant) => ({ body: { refreshToken: (await signIn(service, await tenant.person('owner'))).refreshToken } }),
  logout: async (_, tenant) => ({ as: (await tenant.person('viewer')).as }),
  enrollTotp: async (_, tenant) => ({ as: (await tenant.person('owner')).as, body: { password: PASSWORD } }),
  confirmTotp: async (service, tenant) => {
    const { as } = await tenant.person('owner');
    const { body: { secret } } = await service.request<Schemas['TotpEnrolment']>('POST', '/v1/auth/totp/enroll', { as, body: { password: PASSWORD } });
    return { as, body: { code: code(secret, service.running.services.clock()) } };
  },
  disableTotp: async (service, tenant) => {
    const { as, totpSecret } = await tenant.person('owner', { secondFactor: true });
    return { as, body: { password: PASSWORD, code: code(totpSecret as Buffer, service.running.services.clock()) } };
  },
  requestPasswordReset: async (_, tenant) => ({ body: { email: (await tenant.person('owner')).email } }),
  resetPassword: async (service, tenant) => {
    const { email } = await tenant.person('owner');
    await service.request('POST', '/v1/auth/password/forgot', { body: { email } });
    return { body: { token: tokenIn(await awaitMail(service.running.services, email)) } };
  },
  changePassword: async (_, tenant) => ({ as: (await tenant.person('owner')).as, body: { currentPassword: PASSWORD } }),
  acceptInvitation: async (service, tenant) => {
    const email = address();
    await service.request('POST', '/v1/users/invitations', { as: await tenant.key(['admin']), body: { email, role: 'analyst', name: 'Bruno Lima' } });
    return { body: { token: tokenIn(await awaitMail(service.running.services, email)) } };
  },

  // A checkpoint is made on demand, but not often for one log.
  getAuditProof: async (service) => ({ place: await service.tenant() }),

  createApplication: () => Promise.resolve({ body: { externalId: unique() } }),
  inviteUser: () => Promise.resolve({ body: { email: address() } }),
  resetUserMfa: async (_, tenant) => ({ params: { userId: (await tenant.person('analyst', { secondFactor: true })).id } }),
  createTenant: () => Promise.resolve({ body: { slug: `t-${unique()}`, ownerEmail: address() } }),

  // What one test sets would hold for all others.
  updateSettings: async (service) => ({ place: await service.tenant(), headers: { 'If-Match': '"1"' } }),
  createSimulation: async (service) => ({ place: await withSandbox(service) }),
  startRecoveryScenario: async (service) => ({ place: await withSandbox(service) }),
  advanceRecoveryRun: async (service) => {
    const place = await withSandbox(service);
    return { place, params: { runId: await newRun(service, place) } };
  },
  armDirectoryFault: async (service) => ({ place: await withSandbox(service) }),
  enableSandbox: async (service) => ({ place: await service.tenant() }),
  disableSandbox: async (service) => ({ place: await withSandbox(service) }),

  acknowledgeFundsRecoveryEvents: async (service, tenant) => {
    const { as } = await tenant.person('owner');
    await takeInRecovery(service.database.database, tenant.id);
    const { body: { cursor } } = await service.request<Schemas['FundsRecoveryEventList']>('GET', '/api/v1/funds-recovery/events', { as });
    return { as, body: { cursor } };
  },

  // Nothing leads back from being live.
  goLive: async (service) => {
    const place = await onboardingTenant(service);
    return { place, as: await completeChecklist(service, place) };
  },
};

async function withSandbox(service: TestService): Promise<Tenant> {
  const place = await service.tenant();
  await service.database.sql('UPDATE tenant SET sandbox_enabled = true WHERE id = $1', [place.id]);
  return place;
}

async function signIn(service: TestService, { email }: Person): Promise<Schemas['TokenPair']> {
  return (await service.request<Schemas['TokenPair']>('POST', '/v1/auth/login', { body: { email, password: PASSWORD } })).body;
}
