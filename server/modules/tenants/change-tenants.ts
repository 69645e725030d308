/**
 * This file holds the rules for staff of the platform who create tenants, change their terms and quotas, and suspend or
 * close them. Used by handlers.ts. Closing takes two administrators and waits for retention by law.
 */
import type { RealTime } from '../../base/time.ts';
import type { Secrets } from '../../base/secrets.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf, type UserPrincipal } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import { type Transaction, UniqueViolation, withinTenant } from '../../database/index.ts';
import { createTenant } from '../../identity/store.ts';
import { type Quotas, quotasOf, STANDARD_QUOTAS, type TenantStatus } from '../../identity/tenant.ts';
import { localeOf, type Outbox } from '../../providers/mail/index.ts';
import { assertMatch } from '../../request/preconditions.ts';
import { invite, takeMailQuota } from '../invitations/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { holdsApplications } from './retention-store.ts';
import {
  cancelTenantClosure,
  findTenant,
  lockTenant,
  requestTenantClosure,
  setLocale,
  setTenantStatus,
  updateTenant,
} from './store.ts';
import type { TenantRecord, Usage } from './tenant.ts';
import { usageOf } from './usage.ts';

type TenantWanted = components['schemas']['TenantCreate'];

interface Created {
  readonly tenant: TenantRecord;
  readonly owner: components['schemas']['OwnerInvitation'];
  readonly invitationId: string;
}

/** Limit of tenants that one member of the platform's staff may create in a day. */
const TENANTS_A_DAY = 500;

/** Creates a tenant in onboarding and queues the mail that invites its owner. */
export async function createTenantWithOwner(
  tx: Transaction,
  { mail, secrets }: { mail: Outbox; secrets: Secrets },
  caller: UserPrincipal,
  { wanted, now }: { readonly wanted: TenantWanted; readonly now: RealTime },
): Promise<Created> {
  const { name, slug, ownerEmail, ownerName, locale, quotas, region, plan } = wanted;
  await takeMailQuota(tx, secrets, {
    caller,
    email: ownerEmail,
    pointer: '/ownerEmail',
    seats: TENANTS_A_DAY,
    now,
  });
  const id = uuidv7();
  const within = withinTenant(tx, id);
  await createTenant(within, {
    id,
    slug,
    name,
    now,
    status: 'onboarding',
    quotas: { ...STANDARD_QUOTAS, ...quotas },
    ...(region !== undefined && { region }),
    ...(plan !== undefined && { plan }),
  }).catch((error: unknown) => {
    throw error instanceof UniqueViolation && error.constraint === 'tenant_slug_key'
      ? new Problem('slug_taken')
      : error;
  });
  if (locale !== undefined) await setLocale(within, id, locale, now);
  const result = await invite(within, {
    tenantId: id,
    email: ownerEmail,
    name: ownerName ?? '',
    role: 'owner',
    invitedBy: actorOf(caller),
    now,
  });
  if (result.outcome === 'member') throw new Error('a new tenant must not have members');
  const { user, token } = result;
  const { id: invitationId, expiresAt } = result.invitation;
  const { branding } = await readSettings(within, id);
  mail.queue(within, {
    to: { address: user.email, name: ownerName ?? null },
    locale: localeOf(branding.locale),
    template: 'ownerInvitation',
    values: {
      tenantName: name,
      inviterName: caller.display,
      token,
      expiresAt,
    },
  });
  const tenant = (await findTenant(tx, id)) as TenantRecord;
  return { tenant, owner: { email: user.email, userId: user.id, expiresAt: expiresAt.toISOString() }, invitationId };
}

/**
 * Rejects the closure while the tenant must retain records. The periods are those of its settings, which are never
 * below the legal ones.
 */
async function assertNothingHeld(tx: Transaction, tenantId: string, now: RealTime): Promise<void> {
  const within = withinTenant(tx, tenantId);
  const { retention } = await readSettings(within, tenantId);
  const { customerYears, rejectedYears } = retention;
  if (await holdsApplications(within, tenantId, { customerYears, rejectedYears }, now))
    throw new Problem('retention_hold');
}

type StatusWanted = components['schemas']['TenantStatusUpdate'];

interface StatusRequest {
  readonly tenantId: string;
  readonly ifMatch: string | undefined;
  readonly wanted: StatusWanted;
  readonly now: RealTime;
}

interface StatusChanged {
  readonly before: TenantRecord;
  readonly after: TenantRecord;
  /** With `closure_cancelled` the status stays the same, and the pending request to close the tenant is withdrawn. */
  readonly outcome: 'changed' | 'closure_requested' | 'closure_cancelled' | 'unchanged';
}

/**
 * The transitions that staff may request. A tenant in onboarding becomes active only by going live, and a
 * closed one stays closed.
 */
const ALLOWED: Readonly<Record<TenantStatus, readonly StatusWanted['status'][]>> = {
  onboarding: ['suspended', 'closed'],
  active: ['suspended', 'closed'],
  suspended: ['active', 'closed'],
  closed: [],
};

export async function changeStatus(
  tx: Transaction,
  caller: UserPrincipal,
  { tenantId, ifMatch, wanted, now }: StatusRequest,
): Promise<StatusChanged> {
  const before = await lockTenant(tx, tenantId);
  if (before === null) throw new Problem('not_found');
  assertMatch(ifMatch, before.version);
  const { status, closure } = before;
  const after = async (): Promise<TenantRecord> => (await findTenant(tx, tenantId)) as TenantRecord;
  if (wanted.status === status) {
    if (closure === null) return { before, after: before, outcome: 'unchanged' };
    await cancelTenantClosure(tx, tenantId, now);
    return { before, after: await after(), outcome: 'closure_cancelled' };
  }
  if (!ALLOWED[status].includes(wanted.status)) {
    throw new Problem('invalid_state_transition', { currentStatus: status, allowedTransitions: ALLOWED[status] });
  }
  const { reasonCode: reason, note = null } = wanted;
  if (wanted.status === 'closed') {
    await assertNothingHeld(tx, tenantId, now);
    if (closure === null) {
      await requestTenantClosure(tx, tenantId, { by: caller.userId, reason, note }, now);
      return { before, after: await after(), outcome: 'closure_requested' };
    }
    if (closure.requestedBy.id === caller.userId) throw new Problem('second_administrator_required');
  }
  const next = {
    ...resultingStatus(before, wanted.status),
    reason,
    note,
    by: actorOf(caller),
  };
  await setTenantStatus(tx, tenantId, next, now);
  return { before, after: await after(), outcome: 'changed' };
}

/** Lifting a suspension restores the status before it, so that it cannot replace going live. */
function resultingStatus(
  { status, suspendedFrom }: TenantRecord,
  wanted: StatusWanted['status'],
): Pick<TenantRecord, 'status' | 'suspendedFrom'> {
  if (wanted === 'active') return { status: suspendedFrom ?? 'active', suspendedFrom: null };
  return {
    status: wanted,
    suspendedFrom: wanted === 'suspended' && (status === 'onboarding' || status === 'active') ? status : null,
  };
}

interface PatchRequest {
  readonly tenantId: string;
  readonly ifMatch: string | undefined;
  readonly patch: components['schemas']['TenantUpdate'];
  readonly now: RealTime;
}

interface Updated {
  readonly before: TenantRecord;
  readonly after: TenantRecord;
  readonly usage: Usage;
}

const GIB = 1024 ** 3;

/** Applies a JSON Merge Patch (RFC 7396) to the terms of a tenant. Lower quotas remove nothing that exists. */
export async function patchTenant(tx: Transaction, { tenantId, ifMatch, patch, now }: PatchRequest): Promise<Updated> {
  const before = await lockTenant(tx, tenantId);
  if (before === null) throw new Problem('not_found');
  assertMatch(ifMatch, before.version);
  const usage = await usageOf(tx, tenantId, now);
  const quotas = { ...before.quotas, ...patch.quotas };
  if (patch.force !== true) assertAboveUsage(before.quotas, quotas, usage);
  const terms = { name: patch.name ?? before.name, plan: patch.plan ?? before.plan, quotas };
  if (terms.name === before.name && terms.plan === before.plan && sameQuotas(before.quotas, quotas))
    return { before, after: before, usage };
  await updateTenant(tx, tenantId, terms, now);
  return { before, after: (await findTenant(tx, tenantId)) as TenantRecord, usage };
}

export function sameQuotas(some: Partial<Quotas>, others: Partial<Quotas>): boolean {
  const [a, b] = [quotasOf(some), quotasOf(others)];
  return Object.keys(a).every((name) => a[name as keyof Quotas] === b[name as keyof Quotas]);
}

/**
 * Rejects quotas below the current usage. Only changed quotas are checked, so that one already exceeded does not block
 * the others.
 */
function assertAboveUsage(before: Partial<Quotas>, after: Partial<Quotas>, usage: Usage): void {
  const inUse: Partial<Quotas> = {
    users: usage.users,
    applicationsPerMonth: usage.applicationsThisMonth,
    storageGb: usage.storageBytes / GIB,
    apiKeys: usage.apiKeys,
  };
  const errors: FieldError[] = Object.entries(inUse).flatMap(([name, used]) => {
    const quota = after[name as keyof Quotas];
    if (quota === undefined || quota === before[name as keyof Quotas] || quota >= used) return [];
    return [{ pointer: `/quotas/${name}`, code: 'below_usage', message: 'is less than what is in use' }];
  });
  if (errors.length > 0) throw new Problem('quota_below_usage', { errors });
}
