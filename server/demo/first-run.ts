/**
 * The tenant of the demo that is at its beginning, with an invitation whose link the screen shows. Called by seed.ts at
 * each start. Accepted invitations are left alone; expired ones are renewed.
 */
import { appendAudit } from '../audit/chain.ts';
import { HOUR_MILLISECONDS } from '../base/time.ts';
import { uuidv7 } from '../base/uuid.ts';
import type { Role } from '../contract/operation.ts';
import { type Transaction, withinTenant } from '../database/index.ts';
import { PLATFORM_TENANT_ID } from '../database/roles.ts';
import { createTenant } from '../identity/store.ts';
import { STANDARD_QUOTAS } from '../identity/tenant.ts';
import { invite } from '../modules/invitations/index.ts';
import { localeOf } from '../providers/mail/index.ts';
import type { Services } from '../request/services.ts';
import type { DemoInvitation, FirstRun } from './credentials.ts';
import { isInvitationAccepted } from './store.ts';

export interface Invitee {
  readonly tenant: { readonly id: string; readonly name: string };
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/** Services, address and time of a start with the demo. */
export interface DemoStart {
  readonly services: Services;
  /** Address under which the reader opens links. */
  readonly origin: string;
  readonly now: Date;
}

/**
 * Shortest remaining validity of an invitation at a start. One that expires sooner is renewed, because a reader may be
 * about to follow the link on the screen.
 */
const MIN_REMAINING_MILLISECONDS = HOUR_MILLISECONDS;

/** Invites by mail as the service does and also returns the link, because a demo without a mail server shows it. */
async function inviteForDemo(
  tx: Transaction,
  { services: { mail }, origin, now }: DemoStart,
  { tenant, email, name, role }: Invitee,
): Promise<DemoInvitation> {
  const within = withinTenant(tx, tenant.id);
  const result = await invite(within, {
    tenantId: tenant.id,
    email,
    name,
    role,
    invitedBy: { type: 'system', id: 'demo', display: 'Demo' },
    now,
  });
  if (result.outcome === 'member')
    return {
      email,
      name,
      invitationId: '',
      expiresAt: now.toISOString(),
      link: null,
    };
  const {
    token,
    invitation: { id, expiresAt },
  } = result;
  mail.queue(within, {
    to: { address: email, name },
    locale: localeOf('en'),
    template: 'ownerInvitation',
    values: {
      tenantName: tenant.name,
      inviterName: ACTOR.display,
      token,
      expiresAt,
    },
  });
  return {
    email,
    name,
    invitationId: id,
    expiresAt: expiresAt.toISOString(),
    link: `${origin}/invitation#token=${token}`,
  };
}

/**
 * Returns the invitation for a later start: with its link, with a new link if it has expired, or without a link if it
 * was accepted.
 */
async function renewInvitation(
  tx: Transaction,
  start: DemoStart,
  invitee: Invitee,
  before: DemoInvitation,
): Promise<DemoInvitation> {
  const { origin, now } = start;
  if (before.link === null || (await isInvitationAccepted(tx, invitee.tenant.id, before.invitationId)))
    return { ...before, link: null };
  if (Date.parse(before.expiresAt) - now.getTime() < MIN_REMAINING_MILLISECONDS)
    return inviteForDemo(tx, start, invitee);
  return { ...before, link: `${origin}/invitation${new URL(before.link).hash}` };
}

const ACTOR = {
  type: 'system',
  id: 'demo',
  display: 'Demo',
  impersonatorId: null,
} as const;
const PLATFORM = { id: PLATFORM_TENANT_ID, name: 'the platform' };

export function createFirstRun(start: DemoStart, suffix: string): Promise<FirstRun> {
  const { services, now } = start;
  const tenant = { id: uuidv7(), slug: `aurora-${suffix}`, name: 'Fintech Aurora' };
  return services.database.platform({ tenantId: PLATFORM_TENANT_ID }, async (tx) => {
    await createTenant(withinTenant(tx, tenant.id), {
      ...tenant,
      status: 'onboarding',
      quotas: { ...STANDARD_QUOTAS },
      now,
    });
    const owner = await inviteForDemo(tx, start, ownerOf(tenant, `owner-${suffix}@aurora.example`));
    const platformAdministrator = await inviteForDemo(tx, start, administrator(`admin-${suffix}@platform.example`));
    recordCreation(tx, tenant.id, now);
    return { tenant, owner, platformAdministrator };
  });
}

export function renewFirstRun(start: DemoStart, before: FirstRun): Promise<FirstRun> {
  const { tenant, owner, platformAdministrator } = before;
  return start.services.database.platform({ tenantId: PLATFORM_TENANT_ID }, async (tx) => ({
    tenant,
    owner: await renewInvitation(tx, start, ownerOf(tenant, owner.email), owner),
    platformAdministrator: await renewInvitation(
      tx,
      start,
      administrator(platformAdministrator.email),
      platformAdministrator,
    ),
  }));
}

function ownerOf(tenant: FirstRun['tenant'], email: string): Invitee {
  return {
    tenant,
    email,
    name: 'Bia Ramos',
    role: 'owner',
  };
}

function administrator(email: string): Invitee {
  return {
    tenant: PLATFORM,
    email,
    name: 'Davi Prado',
    role: 'platform_admin',
  };
}

/** Records the tenant's creation, so that its audit log is complete from the start. */
function recordCreation(tx: Transaction, tenantId: string, now: Date): void {
  appendAudit(withinTenant(tx, tenantId), {
    occurredAt: now.toISOString(),
    environment: 'sandbox',
    actor: ACTOR,
    action: 'tenant.created',
    resource: { type: 'tenant', id: tenantId },
    outcome: 'success',
  });
}
