/** Changes that one replica commits and another must notice. Used by the tests with two replicas. */
import type { Database } from '../../server/database/index.ts';
import type { Credential, Tenant } from '../support/service.ts';

export const hearsNothing = (database: Database): Database => ({
  ...database,
  listen: () => ({ isCurrent: () => true, stop: async () => {} }),
});

type Change = readonly [
  what: string,
  credential: (tenant: Tenant) => Promise<Credential>,
  change: string,
  status: number,
  code: string,
];

/** Changes that a replica, a job or an operator commits; `$1` is the tenant. */
export const CHANGES: readonly Change[] = [
  [
    'a key that was revoked',
    (tenant) => tenant.key(['read']),
    `UPDATE api_key SET status = 'revoked', revoked_at = now() WHERE tenant_id = $1`,
    401,
    'api_key_revoked',
  ],
  [
    'a token of a client that was revoked',
    (tenant) => tenant.client(['read']),
    `UPDATE api_key SET status = 'revoked', revoked_at = now() WHERE tenant_id = $1`,
    401,
    'token_revoked',
  ],
  [
    'a key that has ended',
    (tenant) => tenant.key(['read']),
    `UPDATE api_key SET expires_at = now() - interval '1 second' WHERE tenant_id = $1`,
    401,
    'api_key_expired',
  ],
  [
    'a scope that was taken away',
    (tenant) => tenant.key(['read']),
    `UPDATE api_key SET scopes = '{screening}' WHERE tenant_id = $1`,
    403,
    'insufficient_scope',
  ],
  [
    'an address list',
    (tenant) => tenant.key(['read']),
    `UPDATE api_key SET ip_allowlist = '{192.0.2.0/24}' WHERE tenant_id = $1`,
    403,
    'ip_not_allowed',
  ],
  [
    'a session that was ended',
    (tenant) => tenant.user('analyst'),
    `UPDATE session SET ended_at = now(), ended_reason = 'administrator' WHERE tenant_id = $1`,
    401,
    'token_revoked',
  ],
  [
    'a member who was deactivated',
    (tenant) => tenant.user('analyst'),
    `UPDATE membership SET status = 'deactivated' WHERE tenant_id = $1`,
    401,
    'token_revoked',
  ],
  [
    'a person who was deactivated',
    (tenant) => tenant.user('analyst'),
    `UPDATE user_account SET status = 'deactivated' WHERE id IN (SELECT user_id FROM membership WHERE tenant_id = $1)`,
    401,
    'token_revoked',
  ],
  [
    'a second factor that is now demanded',
    (tenant) => tenant.user('analyst'),
    `INSERT INTO tenant_settings (tenant_id, document) VALUES ($1, '{"security": {"mfaRequired": true}}')`,
    403,
    'mfa_enrolment_required',
  ],
  [
    'a tenant that was closed',
    (tenant) => tenant.key(['read']),
    `UPDATE tenant SET status = 'closed' WHERE id = $1`,
    403,
    'tenant_suspended',
  ],
];
