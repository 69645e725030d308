import { appendAudit, createTenant, PLATFORM_TENANT_ID, STANDARD_QUOTAS, uuidv7, withinTenant, type Transaction } from '../database/index.ts';
import type { Services } from '../services.ts';
import { inviteForDemo, renewed, type DemoInvitation, type Invitee } from './invitations.ts';

/** A tenant on its way to going live, for whoever wants to walk it, and somebody who administers the platform. */
export interface FirstRun {
  readonly tenant: { readonly id: string; readonly slug: string; readonly name: string };
  readonly owner: DemoInvitation;
  readonly platformAdministrator: DemoInvitation;
}

const ACTOR = { type: 'system', id: 'demo', display: 'Demo', impersonatorId: null } as const;
const PLATFORM = { id: PLATFORM_TENANT_ID, name: 'the platform' };

export function createFirstRun(services: Services, origin: string, suffix: string, now: Date): Promise<FirstRun> {
  const tenant = { id: uuidv7(), slug: `aurora-${suffix}`, name: 'Fintech Aurora' };
  return services.database.platform({ tenantId: PLATFORM_TENANT_ID }, async (tx) => {
    await createTenant(withinTenant(tx, tenant.id), { ...tenant, status: 'onboarding', quotas: { ...STANDARD_QUOTAS } });
    const owner = await inviteForDemo(tx, services, ownerOf(tenant, `owner-${suffix}@aurora.example`), origin, now);
    const platformAdministrator = await inviteForDemo(tx, services, administrator(`admin-${suffix}@platform.example`), origin, now);
    recordCreation(tx, tenant.id, now);
    return { tenant, owner, platformAdministrator };
  });
}

export function renewFirstRun(services: Services, before: FirstRun, origin: string, now: Date): Promise<FirstRun> {
  const { tenant, owner, platformAdministrator } = before;
  return services.database.platform({ tenantId: PLATFORM_TENANT_ID }, async (tx) => ({
    tenant,
    owner: await renewed(tx, services, ownerOf(tenant, owner.email), owner, origin, now),
    platformAdministrator: await renewed(tx, services, administrator(platformAdministrator.email), platformAdministrator, origin, now),
  }));
}

function ownerOf(tenant: FirstRun['tenant'], email: string): Invitee {
  return { tenant, email, name: 'Bia Ramos', role: 'owner' };
}

function administrator(email: string): Invitee {
  return { tenant: PLATFORM, email, name: 'Davi Prado', role: 'platform_admin' };
}

/** So that the log of the tenant tells its story from the start. */
function recordCreation(tx: Transaction, tenantId: string, now: Date): void {
  appendAudit(withinTenant(tx, tenantId), {
    occurredAt: now.toISOString(), environment: 'sandbox', actor: ACTOR, action: 'tenant.created', resource: { type: 'tenant', id: tenantId }, outcome: 'success',
  });
}
