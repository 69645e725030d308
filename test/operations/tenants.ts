/**
 * How tests call the operations on tenants, people, keys and the audit log. Part of the table in test/operations.ts.
 */
import { success } from '../support/api.ts';
import { completeChecklist, onboardingTenant } from '../support/onboarding.ts';
import { newAddress, unique, type Calls } from './call.ts';

/** Returns a day in the future, before the end of the longest lifetime of a key. */
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** Calls about tenants, their people, keys and audit log. */
export const tenantCalls: Calls<
  | 'listTenants'
  | 'createTenant'
  | 'getTenant'
  | 'updateTenant'
  | 'replaceTenantStatus'
  | 'listUsers'
  | 'createInvitation'
  | 'revokeInvitation'
  | 'getUser'
  | 'updateUser'
  | 'listUserSessions'
  | 'revokeUserSessions'
  | 'resetUserMfa'
  | 'listApiKeys'
  | 'createApiKey'
  | 'updateApiKey'
  | 'replaceApiKeyScopes'
  | 'rotateApiKey'
  | 'revokeApiKey'
  | 'getOnboardingChecklist'
  | 'dismissChecklistStep'
  | 'goLive'
  | 'listAuditEvents'
  | 'getAuditEvent'
  | 'getAuditEventProof'
  | 'verifyAuditLog'
  | 'listAuditCheckpoints'
  | 'createAuditExport'
  | 'getAuditExport'
  | 'downloadAuditExport'
> = {
  listTenants: {},
  createTenant: {
    arrange: () => Promise.resolve({ body: { slug: `t-${unique()}`, ownerEmail: newAddress() } }),
    body: () => ({
      name: 'Fintech Aurora',
      ownerName: 'Carla Dias',
      locale: 'pt-BR',
      region: 'br-south',
      plan: 'growth',
      quotas: {
        users: 20,
        applicationsPerMonth: 1_000,
        screeningsPerDay: 500,
        storageGb: 50,
        apiKeys: 20,
        ratePerMinute: 6_000,
      },
    }),
    otherBody: () => ({
      name: 'Banco Boreal',
      slug: `t-${unique()}`,
      ownerEmail: newAddress(),
      ownerName: 'Davi Reis',
      locale: 'en',
      region: 'eu-west',
      plan: 'enterprise',
      quotas: {
        users: 30,
        applicationsPerMonth: 2_000,
        screeningsPerDay: 600,
        storageGb: 60,
        apiKeys: 30,
        ratePerMinute: 7_000,
      },
    }),
  },
  getTenant: {},
  updateTenant: {
    body: () => ({
      name: 'Fintech Aurora',
      plan: 'growth',
      force: true,
      quotas: {
        users: 20,
        applicationsPerMonth: 1_000,
        screeningsPerDay: 500,
        storageGb: 50,
        apiKeys: 20,
        ratePerMinute: 6_000,
      },
    }),
    otherBody: () => ({
      name: 'Banco Boreal',
      plan: 'enterprise',
      force: false,
      quotas: {
        users: 30,
        applicationsPerMonth: 2_000,
        screeningsPerDay: 600,
        storageGb: 60,
        apiKeys: 30,
        ratePerMinute: 7_000,
      },
    }),
  },
  replaceTenantStatus: {
    body: () => ({ status: 'suspended', reasonCode: 'security_incident', note: 'Keys published by mistake' }),
    otherBody: () => ({ status: 'closed', reasonCode: 'customer_request', note: 'The contract has ended' }),
  },

  listUsers: {},
  createInvitation: {
    arrange: () => Promise.resolve({ body: { email: newAddress() } }),
    body: () => ({ role: 'compliance_officer', name: 'Bruno Lima' }),
    otherBody: () => ({ email: newAddress(), role: 'viewer', name: 'Somebody Else' }),
  },
  revokeInvitation: {},
  getUser: {},
  updateUser: {
    body: () => ({
      name: 'Bruno Lima',
      role: 'compliance_officer',
      status: 'active',
      unlock: true,
    }),
    otherBody: () => ({ name: 'Bruna Dias', role: 'viewer', status: 'deactivated' }),
  },
  listUserSessions: {},
  revokeUserSessions: {},
  resetUserMfa: {
    arrange: async (_, tenant) => ({ params: { userId: (await tenant.person('analyst', { secondFactor: true })).id } }),
    body: () => ({ reason: 'Telephone lost, identity confirmed by video call' }),
    otherBody: () => ({ reason: 'Telephone stolen, identity confirmed at the branch' }),
  },

  listApiKeys: {},
  createApiKey: {
    body: () => ({
      name: 'Onboarding back end',
      environment: 'live',
      scopes: ['read', 'write'],
      pinEnvironment: true,
      personalData: 'full',
      ipAllowlist: ['203.0.113.0/24'],
      expiresAt: inDays(300),
    }),
    otherBody: () => ({
      name: 'Another',
      environment: 'test',
      scopes: ['read'],
      pinEnvironment: false,
      personalData: 'masked',
      ipAllowlist: ['198.51.100.0/24'],
      expiresAt: inDays(200),
    }),
  },
  updateApiKey: {
    body: () => ({
      name: 'Onboarding back end (blue)',
      pinEnvironment: true,
      personalData: 'masked',
      ipAllowlist: ['203.0.113.0/24'],
      expiresAt: inDays(300),
      force: true,
    }),
    otherBody: () => ({
      name: 'Another',
      pinEnvironment: false,
      personalData: 'full',
      ipAllowlist: ['198.51.100.0/24'],
      expiresAt: inDays(200),
      force: false,
    }),
  },
  replaceApiKeyScopes: {
    body: () => ({ scopes: ['read'] }),
    otherBody: () => ({ scopes: ['write'] }),
  },
  rotateApiKey: {
    body: () => ({ graceHours: 48 }),
    otherBody: () => ({ graceHours: 1 }),
  },
  revokeApiKey: {},

  getOnboardingChecklist: {},
  dismissChecklistStep: {
    // The step belongs to the tenant, so an earlier call may have dismissed it.
    arrange: async (service, tenant) => {
      await success(
        service.api.POST('/v1/onboarding/checklist/{stepKey}/dismiss', {
          params: { path: { stepKey: 'branding' } },
          headers: await tenant.user('owner'),
          body: { restore: true },
        }),
      );
      return {};
    },
    body: () => ({ reason: 'We show our own pages to applicants', restore: false }),
    otherBody: () => ({ restore: true }),
  },
  goLive: {
    // Uses a new tenant, because going live cannot be undone.
    arrange: async (service) => {
      const tenant = await onboardingTenant(service);
      return { tenant, as: await completeChecklist(service, tenant) };
    },
    body: () => ({ note: 'Approved by the board on 3 November' }),
    otherBody: () => ({ note: 'Approved by the board on 4 November' }),
  },

  listAuditEvents: {},
  getAuditEvent: {},
  // A checkpoint is made on demand, but not often for one log.
  getAuditEventProof: { arrange: async (service) => ({ tenant: await service.tenant() }) },
  verifyAuditLog: {
    body: () => ({ fromSequence: 1, toSequence: 2 }),
    otherBody: () => ({ fromSequence: 2, toSequence: 3 }),
    except: { '/trustedCheckpoint': 'it must be one of this log: the checkpoint of any other is a finding' },
  },
  listAuditCheckpoints: {},
  // A tenant can have only one export in progress.
  createAuditExport: {
    arrange: async (service) => ({ tenant: await service.tenant() }),
    body: () => ({
      format: 'ndjson',
      includeProofs: true,
      filter: {
        action: ['api_key.*', 'application.created'],
        actorId: 'kyc_live_7Hq2ZtK9',
        actorType: 'api_key',
        resourceType: 'application',
        resourceId: '0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01',
        outcome: 'success',
        environment: 'live',
        from: '2026-11-01T00:00:00.000Z',
        to: '2026-12-01T00:00:00.000Z',
        fromSequence: 1,
        toSequence: 10,
      },
    }),
    otherBody: () => ({
      format: 'csv',
      includeProofs: false,
      filter: {
        action: ['user.locked'],
        actorId: '0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01',
        actorType: 'user',
        resourceType: 'user',
        resourceId: '0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a02',
        outcome: 'denied',
        environment: 'sandbox',
        from: '2026-11-02T00:00:00.000Z',
        to: '2026-12-02T00:00:00.000Z',
        fromSequence: 2,
        toSequence: 20,
      },
    }),
  },
  getAuditExport: {},
  downloadAuditExport: {},
};
