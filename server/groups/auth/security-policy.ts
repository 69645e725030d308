import { PLATFORM_TENANT_ID, type Transaction } from '../../database/index.ts';
import { localeOf, type Locale } from '../../providers/mail/index.ts';
import { readSettings } from '../settings/index.ts';
import type { Lifetime } from './rotation.ts';

/** What a tenant demands of those who sign in to it. */
export interface SecurityPolicy extends Lifetime {
  readonly mfaRequired: boolean;
  readonly passwordMinLength: number;
  readonly locale: Locale;
}

/** Staff of the platform always need a second factor. */
export async function securityPolicy(tx: Transaction, tenantId: string): Promise<SecurityPolicy> {
  const { security: { mfaRequired, passwordMinLength, sessionHours, idleMinutes }, branding } = await readSettings(tx, tenantId);
  return {
    mfaRequired: mfaRequired || tenantId === PLATFORM_TENANT_ID,
    passwordMinLength, absoluteSeconds: sessionHours * 3600, idleSeconds: idleMinutes * 60, locale: localeOf(branding.locale),
  };
}
