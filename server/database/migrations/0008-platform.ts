import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { PLATFORM_TENANT_ID, roles } from '../roles.ts';
import { grant } from './row-level-security.ts';

/**
 * The platform's own staff, as members of a reserved tenant, and what they administer: the terms of a
 * tenant, its status and why, its way to production. The platform role reads what usage is counted from,
 * within the tenant that is set.
 */
export async function platform(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE tenant
      ADD COLUMN status_reason text,
      ADD COLUMN status_note text,
      ADD COLUMN status_changed_at timestamptz(3),
      ADD COLUMN plan text NOT NULL DEFAULT 'standard',
      ADD COLUMN region text NOT NULL DEFAULT 'default',
      ADD COLUMN quotas jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(quotas) = 'object'),
      ADD COLUMN go_live_at timestamptz(3),
      -- How far the sandbox is ahead of real time: its clock is moved forwards only, by whole seconds.
      ADD COLUMN sandbox_clock_offset_seconds bigint NOT NULL DEFAULT 0 CHECK (sandbox_clock_offset_seconds >= 0),
      -- A closure takes two administrators: the first one's request waits here.
      ADD COLUMN closure_requested_at timestamptz(3),
      ADD COLUMN closure_requested_by uuid REFERENCES user_account,
      ADD COLUMN closure_reason text,
      ADD COLUMN closure_note text,
      ADD CONSTRAINT tenant_closure_request CHECK ((closure_requested_at IS NULL) = (closure_requested_by IS NULL)),
      ADD CONSTRAINT tenant_platform_stays CHECK (id <> '${PLATFORM_TENANT_ID}' OR status = 'active')`);
  await knex.raw(
    `GRANT UPDATE (status, status_changed_at, go_live_at, sandbox_clock_offset_seconds) ON tenant TO ${roles.app}`,
  );
  // Suspending and closing are the platform's: all that a tenant does to its own status is to go live.
  await knex.raw(`
    CREATE FUNCTION refuse_own_status() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a tenant does not change its own status' USING ERRCODE = 'insufficient_privilege';
    END $$`);
  await knex.raw(`
    CREATE TRIGGER only_goes_live BEFORE UPDATE OF status ON tenant FOR EACH ROW
      WHEN (current_user = '${roles.app}' AND NEW.status <> OLD.status
        AND NOT (OLD.status = 'onboarding' AND NEW.status = 'active'))
      EXECUTE FUNCTION refuse_own_status()`);

  await knex.raw('ALTER TABLE membership DROP CONSTRAINT membership_role_check');
  await knex.raw(`
    ALTER TABLE membership
      ADD CONSTRAINT membership_role_check
        CHECK (role IN ('owner', 'admin', 'compliance_officer', 'analyst', 'developer', 'auditor', 'viewer',
          'platform_admin')),
      ADD CONSTRAINT membership_of_platform CHECK ((role = 'platform_admin') = (tenant_id = '${PLATFORM_TENANT_ID}'))`);

  await grant(knex, 'application', {
    platform: 'SELECT (tenant_id, id, environment, status, created_at, submitted_at)',
  });
  await grant(knex, 'document', { platform: 'SELECT (tenant_id, id, environment, status, size_bytes, created_at)' });
  // What staff do is repeatable like every other call.
  await grant(knex, 'idempotency_record', { platform: 'SELECT, INSERT, UPDATE, DELETE' });

  await insertPlatformTenant(knex);
}

/** Row-level security is forced on the owner too, and no policy is for the owner: it is lifted for these rows alone. */
async function insertPlatformTenant(knex: Knex): Promise<void> {
  // As server/audit/chain.ts begins a chain; a migration keeps the rule of its day.
  const genesis = `'\\x${createHash('sha256').update(PLATFORM_TENANT_ID).digest('hex')}'`;
  const rows = {
    tenant: `INSERT INTO tenant (id, slug, name) VALUES ('${PLATFORM_TENANT_ID}', 'platform', 'Platform')`,
    audit_head: `INSERT INTO audit_head (tenant_id, prev_hash, hash)
      VALUES ('${PLATFORM_TENANT_ID}', ${genesis}, ${genesis})`,
    fr_feed: `INSERT INTO fr_feed (tenant_id, env)
      VALUES ('${PLATFORM_TENANT_ID}', 'live'), ('${PLATFORM_TENANT_ID}', 'sandbox')`,
  };
  for (const [table, insert] of Object.entries(rows)) {
    await knex.raw(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
    await knex.raw(insert);
    await knex.raw(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
  }
}
