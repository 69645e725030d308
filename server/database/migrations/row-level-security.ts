import type { Knex } from 'knex';
import { roles } from '../roles.ts';

/** Unset and empty both read as NULL, which equals nothing: a forgotten tenant sees no row. */
export const currentTenant = `nullif(current_setting('app.tenant_id', true), '')::uuid`;

export interface Grants {
  /** Privileges within the tenant of the transaction. */
  readonly app?: string;
  readonly platform?: string;
}

/** Forces row-level security on a table of tenants: both roles see and write only the tenant that is set. */
export async function isolateTenant(knex: Knex, table: string, grants: Grants, column = 'tenant_id'): Promise<void> {
  await forceRowSecurity(knex, table);
  await knex.raw(`
    CREATE POLICY tenant ON ${table} TO ${roles.app}, ${roles.platform}
      USING (${column} = ${currentTenant}) WITH CHECK (${column} = ${currentTenant})`);
  await grant(knex, table, grants);
}

/** One thing that the platform role may do across tenants, named by what it is for. */
export async function allowPlatform(
  knex: Knex, table: string, name: string, command: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE', condition = 'true',
): Promise<void> {
  const clause = { SELECT: 'USING', DELETE: 'USING', INSERT: 'WITH CHECK', UPDATE: 'USING' }[command];
  await knex.raw(`CREATE POLICY ${name} ON ${table} FOR ${command} TO ${roles.platform} ${clause} (${condition})`);
}

/** FORCE: not even the owner of the table, who runs the migrations, reads it past the policies. */
export async function forceRowSecurity(knex: Knex, table: string): Promise<void> {
  await knex.raw(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
  await knex.raw(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
}

export async function grant(knex: Knex, table: string, { app, platform }: Grants): Promise<void> {
  if (app !== undefined) await knex.raw(`GRANT ${app} ON ${table} TO ${roles.app}`);
  if (platform !== undefined) await knex.raw(`GRANT ${platform} ON ${table} TO ${roles.platform}`);
}
