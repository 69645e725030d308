import type { Knex } from 'knex';
import { tenants } from './0001-tenants.ts';
import { sessions } from './0002-sessions.ts';
import { apiKeys } from './0003-api-keys.ts';
import { applications } from './0004-applications.ts';
import { idempotency } from './0005-idempotency.ts';
import { audit } from './0006-audit.ts';
import { fundsRecovery } from './0007-funds-recovery.ts';
import { platform } from './0008-platform.ts';
import { auditTree } from './0009-audit-tree.ts';
import { mail } from './0010-mail.ts';
import { accounts } from './0011-accounts.ts';
import { settings } from './0012-settings.ts';
import { onboarding } from './0013-onboarding.ts';
import { keyUsage } from './0014-key-usage.ts';
import { membersAndTerms } from './0016-members-and-terms.ts';
import { directory } from './0020-directory.ts';
import { directorySimulator } from './0021-directory-simulator.ts';
import { retention } from './0022-retention.ts';
import { recoveryReading } from './0023-recovery-reading.ts';
import { keyGrantors } from './0026-key-grantors.ts';
import { knownPlaces } from './0028-known-places.ts';
import { mailQuota } from './0029-mail-quota.ts';
import { rights } from './0030-rights.ts';
import { changes } from './0031-changes.ts';
import { demo } from './0032-demo.ts';

export interface Migration {
  readonly name: string;
  readonly up: (knex: Knex) => Promise<void>;
}

/** In order, forward only. A released migration is never edited: a new one follows it. */
export const migrations: readonly Migration[] = [
  { name: '0001-tenants', up: tenants },
  { name: '0002-sessions', up: sessions },
  { name: '0003-api-keys', up: apiKeys },
  { name: '0004-applications', up: applications },
  { name: '0005-idempotency', up: idempotency },
  { name: '0006-audit', up: audit },
  { name: '0007-funds-recovery', up: fundsRecovery },
  { name: '0008-platform', up: platform },
  { name: '0009-audit-tree', up: auditTree },
  { name: '0010-mail', up: mail },
  { name: '0011-accounts', up: accounts },
  { name: '0012-settings', up: settings },
  { name: '0013-onboarding', up: onboarding },
  { name: '0014-key-usage', up: keyUsage },
  { name: '0016-members-and-terms', up: membersAndTerms },
  { name: '0020-directory', up: directory },
  { name: '0021-directory-simulator', up: directorySimulator },
  { name: '0022-retention', up: retention },
  { name: '0023-recovery-reading', up: recoveryReading },
  { name: '0026-key-grantors', up: keyGrantors },
  { name: '0028-known-places', up: knownPlaces },
  { name: '0029-mail-quota', up: mailQuota },
  { name: '0030-rights', up: rights },
  { name: '0031-changes', up: changes },
  { name: '0032-demo', up: demo },
];
