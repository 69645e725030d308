/**
 * Creates the database roles and the database of the service. Called at the start, before the migrations, and by tests
 * and tools. Throws if PostgreSQL is too old.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Secrets } from '../base/secrets.ts';
import { type DatabaseLocation, type DatabaseLogin, loginAs, rolePassword } from './database-login.ts';
import { withClient } from './pool.ts';
import { type Role, roles } from './roles.ts';

const SCRAM_ITERATIONS = 4096;

/**
 * Returns the SCRAM-SHA-256 verifier of a password (RFC 5803) in PostgreSQL's notation. It is sent in place of the
 * password, which keeps the password out of server logs and statement statistics.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

const MIN_VERSION = 150_000;

/**
 * Creates the four roles and, as a superuser, the database; does nothing if all of them exist. Roles belong to the
 * whole server, so services that start at the same time on different databases of it can conflict here.
 */
export async function provision(
  administrator: DatabaseLogin,
  location: DatabaseLocation,
  secrets: Secrets,
): Promise<void> {
  const found = await inspectAll(location, secrets);
  if (found.every(({ state }) => state === 'usable')) return;
  await withClient(administrator, async (client) => {
    await requireVersion(client);
    for (const { role, state } of found) {
      if (state === 'no_login') await createRole(client, role, rolePassword(role, secrets));
    }
    if (administrator.database !== location.database) {
      await ignoring(['42P04', '23505'], () =>
        client.query(`CREATE DATABASE ${pg.escapeIdentifier(location.database)} OWNER ${roles.owner}`),
      );
    }
  });
  await withClient({ ...administrator, database: location.database }, async (client) => {
    await retrying(() => client.query(`GRANT USAGE, CREATE ON SCHEMA public TO ${roles.owner}`));
    await retrying(() =>
      client.query(`GRANT USAGE ON SCHEMA public TO ${roles.app}, ${roles.platform}, ${roles.worker}`),
    );
    // The queue of the background tasks has a schema of its own, which the owner role creates.
    await retrying(() =>
      client.query(`GRANT CREATE ON DATABASE ${pg.escapeIdentifier(location.database)} TO ${roles.owner}`),
    );
    await restrictDatabase(client);
  });
  const missing = (await inspectAll(location, secrets)).filter(
    ({ state }) => state !== 'usable' && state !== 'too_wide',
  );
  if (missing.length > 0)
    throw new Error(
      `The database role ${missing.map(({ role }) => roles[role]).join(', ')} was created but cannot be used`,
    );
}

interface Finding {
  readonly role: Role;
  /**
   * `no_access`: the role logs in, but lacks the database or its schema, or the owner role lacks the right to create
   * another schema. `too_wide`: the role may create temporary tables.
   */
  readonly state: 'usable' | 'too_wide' | 'no_access' | 'no_login';
}

async function inspectAll(location: DatabaseLocation, secrets: Secrets): Promise<Finding[]> {
  return Promise.all(
    (Object.keys(roles) as Role[]).map(async (role) => ({ role, state: await inspect(role, location, secrets) })),
  );
}

async function inspect(role: Role, location: DatabaseLocation, secrets: Secrets): Promise<Finding['state']> {
  try {
    return await withClient(loginAs(role, location, secrets), async (client) => {
      const { rows } = await client.query<{ schema: boolean; temporary: boolean; unsafe: boolean }>(
        `
        SELECT has_schema_privilege('public', $1) AND ($2 OR has_database_privilege(current_database(), 'CREATE'))
          AS schema, $2 AND has_database_privilege(current_database(), 'TEMPORARY') AS temporary,
          rolsuper OR rolbypassrls OR ($2 AND pg_has_role('${roles.owner}', 'MEMBER')) AS unsafe
        FROM pg_roles WHERE rolname = current_user`,
        [role === 'owner' ? 'CREATE' : 'USAGE', role !== 'owner'],
      );
      if (rows[0]?.unsafe === true) {
        throw new Error(
          `The database role ${roles[role]} is a superuser, bypasses row-level security or belongs to ` +
            `${roles.owner}: tenants would not be isolated. Revoke that.`,
        );
      }
      if (rows[0]?.schema !== true) return 'no_access';
      return rows[0].temporary ? 'too_wide' : 'usable';
    });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    // The server checks the password before it looks for the database.
    if (error.code === '28P01' || error.code === '28000') return 'no_login';
    if (error.code === '3D000' || error.code === '42501') return 'no_access';
    throw error;
  }
}

async function createRole(client: pg.Client, role: Role, password: string): Promise<void> {
  const name = roles[role];
  const verifier = pg.escapeLiteral(scramVerifier(password));
  await ignoring(['42710', '23505'], () => client.query(`CREATE ROLE ${name} LOGIN`).catch(explain));
  await retrying(() => client.query(`ALTER ROLE ${name} LOGIN PASSWORD ${verifier}`));
  if (role === 'owner') return;
  for (const setting of [
    `statement_timeout = '10s'`,
    `lock_timeout = '5s'`,
    `idle_in_transaction_session_timeout = '60s'`,
    `timezone = 'UTC'`,
  ]) {
    await retrying(() => client.query(`ALTER ROLE ${name} SET ${setting}`));
  }
}

/** Functions that store large objects, which row-level security does not cover. */
const LARGE_OBJECTS = [
  'lo_creat(integer)',
  'lo_create(oid)',
  'lo_from_bytea(oid, bytea)',
  'lo_open(oid, integer)',
  'lowrite(integer, bytea)',
  'lo_put(oid, bigint, bytea)',
  'lo_get(oid)',
];

/**
 * Revokes rights that every role has in a database by default: a temporary table shadows the service's table of the
 * same name, and large objects belong to no tenant. Only a superuser can revoke the latter; a right that the
 * administrator cannot revoke stays.
 */
export async function restrictDatabase(client: pg.Client): Promise<void> {
  const database = pg.escapeIdentifier(client.database ?? '');
  for (const narrowing of [
    `REVOKE TEMPORARY, CREATE ON DATABASE ${database} FROM PUBLIC`,
    'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
    `REVOKE EXECUTE ON FUNCTION ${LARGE_OBJECTS.map((name) => `pg_catalog.${name}`).join(', ')} FROM PUBLIC`,
  ])
    await ignoring(['42501'], () => retrying(() => client.query(narrowing)));
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string; server_version: string }>(
    `SELECT current_setting('server_version_num') AS server_version_num, current_setting('server_version')
      AS server_version`,
  );
  if (Number(rows[0]?.server_version_num) < MIN_VERSION) {
    throw new Error(`PostgreSQL ${rows[0]?.server_version} is too old: version 15 or later is needed`);
  }
}

async function ignoring(codes: readonly string[], work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && codes.includes(error.code ?? ''))) throw error;
  }
}

function explain(error: unknown): never {
  if (error instanceof pg.DatabaseError && error.code === '42501') {
    throw new Error(
      'at the first start its user must have CREATEROLE and own the database, because the service creates its roles',
      { cause: error },
    );
  }
  throw error;
}

/**
 * Retries work that alters a role: if two sessions do so at the same time, one gets XX000 "tuple concurrently updated".
 */
async function retrying(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === 'XX000') || attempt === 20) throw error;
      await sleep(10 * attempt);
    }
  }
}
