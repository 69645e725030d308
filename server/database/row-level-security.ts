/**
 * This file holds what the schema and migrations use to protect tables with row-level security (PostgreSQL 15, §5.8),
 * privileges and triggers, so that the database itself keeps tenants apart and immutable columns unchanged. Used by the
 * schema and the migrations.
 */
import type { Knex } from 'knex';
import { roles } from './roles.ts';

/**
 * The tenant of the transaction. Unset and empty both give NULL, which equals nothing, so a transaction
 * without a tenant sees no row.
 */
export const currentTenant = `nullif(current_setting('app.tenant_id', true), '')::uuid`;

/** Privileges to read and delete. Those to insert and update follow from the definitions of the tables (rights.ts). */
export interface Grants {
  /** Privileges within the tenant of the transaction. */
  readonly app?: string;
  readonly platform?: string;
}

/**
 * Forces row-level security on a table with rows of tenants: both roles read and write only rows of the current tenant.
 */
export async function isolateTenant(knex: Knex, table: string, grants: Grants, column = 'tenant_id'): Promise<void> {
  await forceRowSecurity(knex, table);
  await knex.raw(`
    CREATE POLICY tenant ON ${table} TO ${roles.app}, ${roles.platform}
      USING (${column} = ${currentTenant}) WITH CHECK (${column} = ${currentTenant})`);
  await grant(knex, table, grants);
}

/** The audit log of the transaction: the open one, unless the transaction was begun for the sealed one. */
export const currentChain = `CASE current_setting('app.audit_chain', true) WHEN 'sealed' THEN 'sealed' ELSE 'open' END`;

/**
 * Gives a table of the audit log a column for the log that a row belongs to, filled in by the database, and shows a
 * transaction the rows of its own log alone. `creates` lets the platform create rows of either log.
 */
export async function isolateChain(knex: Knex, table: string, { creates = false } = {}): Promise<void> {
  await knex.raw(`
    ALTER TABLE ${table} ADD COLUMN chain text NOT NULL DEFAULT 'open' CHECK (chain IN ('open', 'sealed'));
    ALTER TABLE ${table} ALTER COLUMN chain SET DEFAULT ${currentChain}`);
  for (const command of creates ? ['SELECT', 'UPDATE'] : ['ALL'])
    await knex.raw(`
      CREATE POLICY chain_${command.toLowerCase()} ON ${table} AS RESTRICTIVE FOR ${command}
        TO ${roles.app}, ${roles.platform} USING (chain = ${currentChain})`);
}

/** Shows the rows of a table to transactions of the sealed audit log alone. */
export async function sealTable(knex: Knex, table: string): Promise<void> {
  await knex.raw(`
    CREATE POLICY sealed ON ${table} AS RESTRICTIVE TO ${roles.app}, ${roles.platform}
      USING (${currentChain} = 'sealed')`);
}

type Command = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

/** Allows the platform role one command across tenants, on all rows or on some. The policy is named by its purpose. */
export async function allowPlatform(
  knex: Knex,
  table: string,
  name: string,
  rule: Command | { readonly command: Command; readonly where: string },
): Promise<void> {
  const { command, where } = typeof rule === 'string' ? { command: rule, where: 'true' } : rule;
  const clause = command === 'INSERT' ? 'WITH CHECK' : 'USING';
  await knex.raw(`CREATE POLICY ${name} ON ${table} FOR ${command} TO ${roles.platform} ${clause} (${where})`);
}

/** FORCE applies the policies to the owner of the table too, who runs the migrations. */
export async function forceRowSecurity(knex: Knex, table: string): Promise<void> {
  await knex.raw(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
  await knex.raw(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
}

export async function grant(knex: Knex, table: string, { app, platform }: Grants): Promise<void> {
  if (app !== undefined) await knex.raw(`GRANT ${app} ON ${table} TO ${roles.app}`);
  if (platform !== undefined) await knex.raw(`GRANT ${platform} ON ${table} TO ${roles.platform}`);
}

/** True for the two roles of the service, but not for an administrator who repairs data. */
const byService = `current_user IN ('${roles.app}', '${roles.platform}')`;

/** Refuses updates for which the condition, in terms of OLD and NEW, is true, whatever rights the role has. */
export async function refuseUpdate(knex: Knex, table: string, name: string, condition: string): Promise<void> {
  await knex.raw(
    `CREATE TRIGGER ${name} BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${byService} AND (${condition}))
      EXECUTE FUNCTION refuse_change()`,
  );
}

export async function refuseDeletion(knex: Knex, table: string, name: string, condition: string): Promise<void> {
  await knex.raw(
    `CREATE TRIGGER ${name} BEFORE DELETE ON ${table} FOR EACH ROW WHEN (${byService} AND (${condition}))
      EXECUTE FUNCTION refuse_change()`,
  );
}

/**
 * Columns that identify a row and never change: tenant, environment, names, creation, and the hashes of the secrets and
 * files that it stands for.
 */
const identity = [
  'tenant_id',
  'environment',
  'env',
  'id',
  'user_id',
  'created_at',
  'created_by',
  'issued_at',
  'requested_at',
  'received_at',
  'first_seen_at',
  'absolute_expires_at',
  'prefix',
  'client_id',
  'quota_client_id',
  'secret_mac',
  'pepper_version',
  'storage_key',
  'sha256',
  'slug',
  'email_normalised',
  'recipient_mac',
  'fingerprint',
  'incarnation',
  'event_id',
  'dedupe_key',
];

/** Refuses updates of the primary key of a table and of its other identifying columns. */
export async function keepIdentity(
  knex: Knex,
  table: string,
  { except = [] }: { readonly except?: readonly string[] } = {},
): Promise<void> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `
    SELECT attname AS name FROM pg_attribute a WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped
      AND attgenerated = ''
      AND (attname = ANY (?) OR EXISTS (SELECT FROM pg_index i
        WHERE i.indrelid = attrelid AND i.indisprimary AND a.attnum = ANY (i.indkey)))`,
    [table, identity],
  );
  const columns = rows.map(({ name }) => name).filter((name) => !except.includes(name));
  await refuseUpdate(knex, table, 'identity_stays', anyChanges(columns));
}

/** The condition of an update, in terms of OLD and NEW, that one of the columns becomes another. */
export function anyChanges(columns: readonly string[]): string {
  return `(${columns.map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`).join(' OR ')})`;
}

/** The columns of a table that are not among the given ones. */
export async function columnsExcept(knex: Knex, table: string, except: readonly string[]): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped
      ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name }) => name).filter((name) => !except.includes(name));
}

/**
 * Returns the condition, in terms of OLD and NEW, of an update that is permitted although others are refused: `when` is
 * true, and no column changes but the given ones.
 */
export async function changesOnly(
  knex: Knex,
  table: string,
  columns: readonly string[],
  when: string,
): Promise<string> {
  return `${when} AND NOT ${anyChanges(await columnsExcept(knex, table, columns))}`;
}

/** Returns the condition without the updates that are permitted (`changesOnly`). */
export function exceptFor(condition: string, ...permitted: readonly string[]): string {
  return [`(${condition})`, ...permitted.map((update) => `NOT (${update})`)].join(' AND ');
}
