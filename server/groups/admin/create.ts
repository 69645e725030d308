import { actorOf } from '../../contract/actor.ts';
import type { components } from '../../contract/generated/types.ts';
import type { UserPrincipal } from '../../contract/principal.ts';
import { createTenant, STANDARD_QUOTAS, UniqueViolation, uuidv7, withinTenant, type Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { localeOf, type Outbox } from '../../providers/mail/index.ts';
import type { Secrets } from '../../secrets.ts';
import { invite, takeMailQuota } from '../auth/index.ts';
import { readSettings } from '../settings/index.ts';
import { findTenant, setLocale } from './store/tenants.ts';
import type { TenantRecord } from './tenant.ts';

type Wanted = components['schemas']['TenantCreate'];

export interface Created {
  readonly tenant: TenantRecord;
  readonly owner: components['schemas']['OwnerInvitation'];
  readonly invitationId: string;
}

/** That one of the platform's staff opens. */
const TENANTS_A_DAY = 500;

/** A tenant that begins with onboarding, and the mail that lets its owner in. */
export async function openTenant(
  tx: Transaction, { mail, secrets }: { mail: Outbox; secrets: Secrets }, caller: UserPrincipal, wanted: Wanted, now: Date,
): Promise<Created> {
  const { name, slug, ownerEmail, ownerName, locale, quotas, region, plan } = wanted;
  await takeMailQuota(tx, secrets, { caller, email: ownerEmail, pointer: '/ownerEmail', seats: TENANTS_A_DAY }, now);
  const id = uuidv7();
  const within = withinTenant(tx, id);
  await createTenant(within, {
    id, slug, name, status: 'onboarding', quotas: { ...STANDARD_QUOTAS, ...quotas }, ...(region !== undefined && { region }), ...(plan !== undefined && { plan }),
  }).catch((error: unknown) => {
    throw error instanceof UniqueViolation && error.constraint === 'tenant_slug_key' ? new Problem('slug_taken') : error;
  });
  if (locale !== undefined) await setLocale(within, id, locale);
  const result = await invite(within, { tenantId: id, email: ownerEmail, name: ownerName ?? '', role: 'owner', invitedBy: actorOf(caller), now });
  if (result.outcome === 'member') throw new Error('a new tenant has members');
  const { user, token, invitation: { id: invitationId, expiresAt } } = result;
  const { branding } = await readSettings(within, id);
  mail.queue(within, {
    to: { address: user.email, name: ownerName ?? null }, locale: localeOf(branding.locale), template: 'ownerInvitation', values: { tenantName: name, token, expiresAt },
  });
  const tenant = await findTenant(tx, id) as TenantRecord;
  return { tenant, owner: { email: user.email, userId: user.id, expiresAt: expiresAt.toISOString() }, invitationId };
}
