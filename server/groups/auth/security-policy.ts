import { PLATFORM_TENANT_ID, type Transaction } from '../../database/index.ts';
import { localeOf, type Locale } from '../../providers/mail/index.ts';
import { LIFETIME, type Lifetime } from './rotation.ts';

/** What a tenant demands of those who sign in to it. */
export interface SecurityPolicy extends Lifetime {
  readonly mfaRequired: boolean;
  readonly passwordMinLength: number;
  readonly locale: Locale;
}

export async function securityPolicy(_tx: Transaction, tenantId: string): Promise<SecurityPolicy> {
  return { ...LIFETIME, mfaRequired: tenantId === PLATFORM_TENANT_ID, passwordMinLength: 12, locale: localeOf(null) };
}
