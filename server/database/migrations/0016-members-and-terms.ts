import type { Knex } from 'knex';
import { roles } from '../roles.ts';
import { grant } from './row-level-security.ts';

/** Members as their tenant sees them, and the terms of a tenant as the platform changes them. */
export async function membersAndTerms(knex: Knex): Promise<void> {
  await describeMembers(knex);
  await versionTenants(knex);
  await countUsage(knex);
  await rememberJobs(knex);
}

async function describeMembers(knex: Knex): Promise<void> {
  // What the tenant calls the person, who may be called otherwise elsewhere; null: as they call themselves. So nobody
  // renames a person in another tenant, and inviting somebody does not tell what they are called there.
  await knex.raw('ALTER TABLE membership ADD COLUMN name text');
  // How long nobody can sign in after wrong passwords; the counters themselves are kept under
  // keyed hashes of addresses.
  await knex.raw('ALTER TABLE user_account ADD COLUMN locked_until timestamptz(3)');
  await grant(knex, 'user_account', { app: 'SELECT (locked_until)' });
  await knex.raw('DROP POLICY colleague_rename ON user_account');
  await knex.raw(`REVOKE UPDATE (name, updated_at) ON user_account FROM ${roles.app}`);
  await knex.raw('CREATE INDEX membership_by_created ON membership (tenant_id, created_at, user_id)');
  await knex.raw('CREATE INDEX invitation_by_user ON invitation (tenant_id, user_id)');
}

async function versionTenants(knex: Knex): Promise<void> {
  // suspended_from: what lifting a suspension leads back to, so that it is no way around going live.
  await knex.raw(`
    ALTER TABLE tenant
      ADD COLUMN version integer NOT NULL DEFAULT 1 CHECK (version > 0),
      ADD COLUMN status_changed_by jsonb,
      ADD COLUMN suspended_from text CHECK (suspended_from IN ('onboarding', 'active')),
      ADD CONSTRAINT tenant_suspended_from CHECK (suspended_from IS NULL OR status = 'suspended')`);
  // Whoever changes what administrators see of a tenant, by going live for example, makes a new version of it.
  await knex.raw(`
    CREATE FUNCTION next_version() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.version := OLD.version + 1;
      RETURN NEW;
    END $$`);
  const shown = (row: string): string =>
    ['name', 'plan', 'quotas', 'status', 'status_changed_at', 'closure_requested_at', 'go_live_at']
      .map((column) => `${row}.${column}`)
      .join(', ');
  await knex.raw(`
    CREATE TRIGGER next_version BEFORE UPDATE ON tenant FOR EACH ROW
      WHEN ((${shown('OLD')}) IS DISTINCT FROM (${shown('NEW')}))
      EXECUTE FUNCTION next_version()`);
  await knex.raw('CREATE INDEX tenant_by_created ON tenant (created_at, id)');
}

async function countUsage(knex: Knex): Promise<void> {
  await knex.raw(
    `CREATE INDEX document_by_storage ON document (tenant_id, environment, created_at) INCLUDE (size_bytes)
      WHERE status <> 'erased'`,
  );
  // Until when a record must be kept depends on its decision.
  await grant(knex, 'application', { platform: 'SELECT (decided_at)' });
  // A tenant begins with the language that was ordered with it.
  await grant(knex, 'tenant_settings', { platform: 'INSERT' });
}

/** When each periodic job last succeeded, in whichever process. It belongs to no tenant. */
async function rememberJobs(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE job_success (
      name text PRIMARY KEY,
      every_seconds double precision NOT NULL CHECK (every_seconds > 0),
      at timestamptz(3) NOT NULL
    )`);
  await grant(knex, 'job_success', { platform: 'SELECT, INSERT, UPDATE' });
}
