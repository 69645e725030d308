import { withinTenant, type Transaction } from '../../database/index.ts';
import { isOpen } from '../../http/tenant-status.ts';
import type { Mail } from '../../providers/mail/index.ts';
import { weaknessesOf, type Weakness } from './password-policy.ts';
import { securityPolicy, type SecurityPolicy } from './security-policy.ts';
import type { Account, User } from './store/accounts.ts';

/** An account with what its tenants demand of it. */
export interface Person extends Account {
  readonly policies: readonly SecurityPolicy[];
}

/** Platform work. */
export async function personOf(tx: Transaction, account: Account): Promise<Person> {
  const policies = await Promise.all(account.memberships.map(({ tenant }) => securityPolicy(withinTenant(tx, tenant.id), tenant.id)));
  return { ...account, policies };
}

/** Whether there is anything that the person could sign in to. */
export function canSignIn({ status, passwordHash, memberships }: Account): boolean {
  return status === 'active' && passwordHash !== null && memberships.some(({ tenant }) => isOpen(tenant.status));
}

export function weaknessesFor({ user, memberships, policies }: Person, password: string): Promise<Weakness[]> {
  return weaknessesOf(password, { policies, mfaEnrolled: user.mfaEnabled, email: user.email, tenantNames: memberships.map(({ tenant }) => tenant.name) });
}

/** In the language of the person's first tenant: people have none of their own. */
export function mailTo({ name, email: address }: User, policies: readonly SecurityPolicy[]): Pick<Mail, 'to' | 'locale'> {
  return { to: { address, name }, locale: policies[0]?.locale ?? 'en' };
}
