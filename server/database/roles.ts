/**
 * The tenant of the platform's own staff: their memberships, sessions and audit chain live in it as those of any other
 * tenant do in theirs. Migration 0008 creates it; it is in no list of tenants and cannot be suspended.
 */
export const PLATFORM_TENANT_ID = '00000000-0000-7000-8000-000000000001';

/** The four login roles of the service. Names are the same on every installation; passwords are derived. */
export const roles = {
  /** Runs migrations and owns the tables. No request ever uses it. */
  owner: 'compliance_owner',
  /** Serves requests of one tenant at a time, below row-level security. */
  app: 'compliance_app',
  /** What happens before a tenant is known: authentication, login, registration, purging. */
  platform: 'compliance_platform',
  /** Takes work from the queue of the background tasks and sees no table of ours: what a task does, it does as `app`. */
  worker: 'compliance_worker',
} as const;

export type Role = keyof typeof roles;
