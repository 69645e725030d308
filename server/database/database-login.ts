/**
 * Location and credentials of the database: parses DATABASE_URL and derives the passwords of the service's roles. Used
 * by everything that connects: pool, provisioning, backup and development. Throws `ConfigError` if the address lacks a
 * user or a database.
 */
import pg from 'pg';
import { ConfigError } from '../base/config.ts';
import type { Secrets } from '../base/secrets.ts';
import { type Role, roles } from './roles.ts';

/** Location of a database: a host name, or the absolute folder of a unix socket. */
export interface DatabaseLocation {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Always set, because node-postgres would otherwise use the environment variable PGSSLMODE. */
  readonly ssl: NonNullable<pg.ClientConfig['ssl']>;
}

export interface DatabaseLogin extends DatabaseLocation {
  readonly user: string;
  readonly password: string | undefined;
}

/** Parses DATABASE_URL, a connection URI of libpq. */
export function parseDatabaseUrl(url: string): DatabaseLogin {
  // node-postgres parses all forms of these URIs, also socket folders and sslmode.
  const { host, port, database, user, password, ssl } = new pg.Client({ connectionString: url });
  if (database === undefined || user === undefined)
    throw new ConfigError('DATABASE_URL must name a user and a database');
  return {
    host,
    port,
    database,
    user,
    password: password ?? undefined,
    ssl,
  };
}

/** Returns the login of one of the service's roles, whose password is derived from the root secret. */
export function loginAs(role: Role, location: DatabaseLocation, secrets: Secrets): DatabaseLogin {
  const { host, port, database, ssl } = location;
  return {
    host,
    port,
    database,
    ssl,
    user: roles[role],
    password: rolePassword(role, secrets),
  };
}

/** Returns the derived password of a role; the superuser is that of the embedded PostgreSQL. */
export function rolePassword(role: Role | 'superuser', secrets: Secrets): string {
  return secrets.deriveKey(`database-role:${role}`).toString('base64url');
}
