/**
 * What the modules about sign-in, passwords and invitations need to know about a person: the security policies of their
 * tenants, the identity that responses show, and whether the person may sign in. Exported by the index of the module.
 * `personOf` reads across tenants, so it must run as the platform's role; in a transaction of one tenant it would miss
 * policies.
 */
import { appendAudit } from '../../audit/chain.ts';
import type { AuditEvent } from '../../audit/store.ts';
import { HOUR_SECONDS, MINUTE_SECONDS, type RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { OperationId, Table } from '../../contract/operation.ts';
import { type Transaction, withinTenant } from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import { isOpen } from '../../identity/tenant.ts';
import { type Locale, localeOf, type Mail } from '../../providers/mail/index.ts';
import { type Weakness, weaknessesOf } from '../../rules/password-policy.ts';
import { readSettings } from '../tenant-settings/index.ts';
import type { Account, Membership, User } from './store.ts';

/** Rules of a tenant for the sign-in of its members. */
export interface SecurityPolicy {
  /** Seconds after which an unused login ends. */
  readonly idleSeconds: number;
  /** Seconds after which a login ends, even if it is used. */
  readonly absoluteSeconds: number;
  readonly mfaRequired: boolean;
  readonly passwordMinLength: number;
  readonly locale: Locale;
}

/** Reads the security policy of a tenant. Staff of the platform always need a second factor. */
export async function securityPolicy(tx: Transaction, tenantId: string): Promise<SecurityPolicy> {
  const { security, branding } = await readSettings(tx, tenantId);
  const { mfaRequired, passwordMinLength, sessionHours, idleMinutes } = security;
  return {
    mfaRequired: mfaRequired || tenantId === PLATFORM_TENANT_ID,
    passwordMinLength,
    absoluteSeconds: sessionHours * HOUR_SECONDS,
    idleSeconds: idleMinutes * MINUTE_SECONDS,
    locale: localeOf(branding.locale),
  };
}

export type Member = Membership & { readonly user: User };

export function identityOf({ user, role, tenant }: Member): components['schemas']['UserIdentity'] {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role,
    tenantId: tenant.id,
    mfaEnabled: user.mfaEnabled,
  };
}

/** Returns actor and resource of an audit event of an operation that has no authenticated caller yet. */
export function auditSubjectOf({ id, name }: Pick<User, 'id' | 'name'>, tenantId: string) {
  const type = tenantId === PLATFORM_TENANT_ID ? 'platform_user' : 'user';
  return { actor: { type, id, display: name }, resource: { type: 'user', id }, environment: 'live' } as const;
}

/** An account with the security policies of its tenants. */
export interface Person extends Account {
  readonly policies: readonly SecurityPolicy[];
}

/** Adds the security policies of the account's tenants. Reads across tenants, so it runs as the platform's role. */
export async function personOf(tx: Transaction, account: Account): Promise<Person> {
  const policies = await Promise.all(
    account.memberships.map(({ tenant }) => securityPolicy(withinTenant(tx, tenant.id), tenant.id)),
  );
  return { ...account, policies };
}

/** Returns whether the account is active, has a password and is a member of an open tenant. */
export function canSignIn({ status, passwordHash, memberships }: Account): boolean {
  return status === 'active' && passwordHash !== null && memberships.some(({ tenant }) => isOpen(tenant.status));
}

export function weaknessesFor({ user, memberships, policies }: Person, password: string): Promise<Weakness[]> {
  return weaknessesOf(password, {
    policies,
    mfaEnrolled: user.mfaEnabled,
    email: user.email,
    tenantNames: memberships.map(({ tenant }) => tenant.name),
  });
}

/**
 * Returns recipient and locale of a mail: the locale of the first tenant, because an account has no locale of its own.
 */
export function mailTo(
  { name, email: address }: User,
  policies: readonly SecurityPolicy[],
): Pick<Mail, 'to' | 'locale'> {
  return { to: { address, name }, locale: policies[0]?.locale ?? 'en' };
}

/** Origin of a request of a public operation. */
export interface RequestOrigin {
  readonly requestId: string;
  readonly clientIp: string;
  readonly userAgent: string;
  readonly now: RealTime;
}

type PublicEvent<K extends OperationId> = Pick<
  AuditEvent<Table[K]['auditEvents'][number]>,
  'action' | 'resource' | 'outcome' | 'reason' | 'environment' | 'changes'
> & {
  readonly actor: Omit<AuditEvent['actor'], 'impersonatorId'>;
};

/** Writes an audit event of a public operation, whose caller had no credential when the request arrived. */
export function recordPublicEvent<K extends OperationId>(
  tx: Transaction,
  tenantId: string,
  { requestId, clientIp, userAgent, now }: RequestOrigin,
  { actor, ...event }: PublicEvent<K>,
): void {
  appendAudit(withinTenant(tx, tenantId), {
    ...event,
    actor: { ...actor, impersonatorId: null },
    occurredAt: now.toISOString(),
    requestId,
    ip: clientIp,
    userAgent,
  });
}

/** Records the event in every tenant of the person, because password and second factor are valid in each of them. */
export function recordInEveryTenant<K extends OperationId>(
  tx: Transaction,
  { user, memberships }: Pick<Account, 'user' | 'memberships'>,
  origin: RequestOrigin,
  action: Table[K]['auditEvents'][number],
): void {
  for (const { tenant } of memberships)
    recordPublicEvent<K>(tx, tenant.id, origin, { ...auditSubjectOf(user, tenant.id), action, outcome: 'success' });
}
