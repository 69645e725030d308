/** The three login roles of the service. Names are the same on every installation; passwords are derived. */
export const roles = {
  /** Runs migrations and owns the tables. No request ever uses it. */
  owner: 'compliance_owner',
  /** Serves requests of one tenant at a time, below row-level security. */
  app: 'compliance_app',
  /** What happens before a tenant is known: authentication, login, registration, purging. */
  platform: 'compliance_platform',
} as const;

export type Role = keyof typeof roles;
