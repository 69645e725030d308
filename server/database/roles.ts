/**
 * The database roles of the service and the tenant of the platform's staff. Used by the connection, the schema and the
 * rights. The names are part of every installation, so they cannot change without a migration.
 */

/**
 * Tenant of the platform's own staff, with their memberships, sessions and audit chain, as for any other tenant.
 * The schema creates it; it is not in any list of tenants and cannot be suspended.
 */
export const PLATFORM_TENANT_ID = '00000000-0000-7000-8000-000000000001';

/** Login roles of the service. Names are the same on every installation; passwords are derived. */
export const roles = {
  /** Runs migrations and owns the tables. Never used by requests. */
  owner: 'compliance_owner',
  /** Serves requests of one tenant at a time, subject to row-level security. */
  app: 'compliance_app',
  /** Does the work before a tenant is known: authentication, login, registration, purging. */
  platform: 'compliance_platform',
  /**
   * Takes work from the queue of the background tasks and cannot see the tables of the service: a task does its work as
   * `app`.
   */
  worker: 'compliance_worker',
} as const;

export type Role = keyof typeof roles;
