/**
 * Part of the first migration: tenants, settings and onboarding steps. Called by index.ts of this folder when a new
 * database is created. Triggers limit which status a tenant may get by whom.
 */
import type { Knex } from 'knex';
import { PLATFORM_TENANT_ID, roles } from '../roles.ts';
import { allowPlatform, anyChanges, isolateTenant, refuseUpdate } from '../row-level-security.ts';
import { announceUpdates } from './functions.ts';

/** Tenants, their settings, and their steps towards going live. */
export async function tenants(knex: Knex): Promise<void> {
  await createTenants(knex);
  await limitStatus(knex);
  await countVersions(knex);
  await requireTenantState(knex);
  await createSettings(knex);
  await createOnboarding(knex);
}

async function createTenants(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE tenant (
      id uuid PRIMARY KEY,
      slug text NOT NULL CONSTRAINT tenant_slug_key UNIQUE CHECK (slug ~ '^[a-z0-9-]{3,40}$'),
      name text NOT NULL,
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('onboarding', 'active', 'suspended', 'closed')),
      status_reason text,
      status_note text,
      status_changed_at timestamptz(3),
      status_changed_by jsonb,
      -- The status to which the end of a suspension leads back, so that a suspension is no way around going live.
      suspended_from text CHECK (suspended_from IN ('onboarding', 'active')),
      go_live_at timestamptz(3),
      plan text NOT NULL DEFAULT 'standard',
      region text NOT NULL DEFAULT 'default',
      quotas jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(quotas) = 'object'),
      sandbox_enabled boolean NOT NULL DEFAULT false,
      sandbox_enabled_at timestamptz(3),
      sandbox_enabled_by jsonb,
      sandbox_changed_at timestamptz(3),
      -- How far the sandbox is ahead of real time: its clock is moved forwards only, by whole seconds.
      sandbox_clock_offset_seconds bigint NOT NULL DEFAULT 0 CHECK (sandbox_clock_offset_seconds >= 0),
      -- A closure takes two administrators: the request of the first one waits here.
      closure_requested_at timestamptz(3),
      closure_requested_by uuid REFERENCES user_account,
      closure_reason text,
      closure_note text,
      version integer NOT NULL DEFAULT 1 CHECK (version > 0),
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT tenant_suspended_from CHECK (suspended_from IS NULL OR status = 'suspended'),
      CONSTRAINT tenant_closure_request CHECK ((closure_requested_at IS NULL) = (closure_requested_by IS NULL)),
      CONSTRAINT tenant_platform_stays CHECK (id <> '${PLATFORM_TENANT_ID}' OR status = 'active')
    );
    CREATE INDEX tenant_by_created ON tenant (created_at, id);

    -- The platform's own staff are the members of this tenant. It is inserted before row-level security is forced,
    -- because no policy is for the owner.
    INSERT INTO tenant (id, slug, name) VALUES ('${PLATFORM_TENANT_ID}', 'platform', 'Platform')`);
  await isolateTenant(knex, 'tenant', { app: 'SELECT', platform: 'SELECT' }, 'id');
  await allowPlatform(knex, 'tenant', 'authentication', 'SELECT');
  await allowPlatform(knex, 'tenant', 'registration', 'INSERT');
  await allowPlatform(knex, 'tenant', 'administration', 'UPDATE');
  await announceUpdates(knex, 'tenant', ['tenant', 'id']);
}

async function limitStatus(knex: Knex): Promise<void> {
  // Suspending and closing belong to the platform: the only change that a tenant makes to its own status is to go live.
  await knex.raw(`
    CREATE FUNCTION refuse_own_status() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      RAISE EXCEPTION 'a tenant does not change its own status' USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER only_goes_live BEFORE UPDATE OF status ON tenant FOR EACH ROW
      WHEN (current_user = '${roles.app}' AND NEW.status <> OLD.status
        AND NOT (OLD.status = 'onboarding' AND NEW.status = 'active'))
      EXECUTE FUNCTION refuse_own_status()`);
  await refuseUpdate(knex, 'tenant', 'closed_stays', `OLD.status = 'closed' AND NEW.status <> OLD.status`);
  await refuseUpdate(
    knex,
    'tenant',
    'live_stays',
    `OLD.go_live_at IS NOT NULL AND (${anyChanges(['go_live_at'])} OR NEW.status = 'onboarding')`,
  );
  await refuseUpdate(
    knex,
    'tenant',
    'clock_goes_forward',
    'NEW.sandbox_clock_offset_seconds < OLD.sandbox_clock_offset_seconds AND NEW.sandbox_clock_offset_seconds <> 0',
  );
}

/** Makes a new version of a tenant with every change of what administrators see of it, whoever makes the change. */
async function countVersions(knex: Knex): Promise<void> {
  const shown = ['name', 'plan', 'quotas', 'status', 'status_changed_at', 'closure_requested_at', 'go_live_at'];
  await knex.raw(`
    CREATE FUNCTION next_version() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      NEW.version := OLD.version + 1;
      RETURN NEW;
    END $$;
    CREATE TRIGGER next_version BEFORE UPDATE ON tenant FOR EACH ROW
      WHEN (${anyChanges(shown)})
      EXECUTE FUNCTION next_version()`);
}

/**
 * Creates the function that fails the transaction of a call whose tenant has changed since the call was admitted. It
 * needs no answer, because whatever is sent after it fails too.
 */
async function requireTenantState(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION require_tenant_state(tenant_id uuid, tenant_status text, sandbox boolean,
      clock_offset bigint) RETURNS void
    LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      PERFORM FROM tenant WHERE id = tenant_id AND status = tenant_status AND sandbox_enabled = sandbox
        AND sandbox_clock_offset_seconds = clock_offset;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'the tenant is not as the call was let in by' USING ERRCODE = 'CO001';
      END IF;
    END $$;
    GRANT EXECUTE ON FUNCTION require_tenant_state(uuid, text, boolean, bigint) TO ${roles.app}, ${roles.platform}`);
}

/**
 * Creates the settings, which hold only what a tenant has set: the platform's defaults are merged in on reading, so
 * that a better default reaches every tenant that did not decide otherwise. A tenant without a row is at version 1.
 */
async function createSettings(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE tenant_settings (
      tenant_id uuid PRIMARY KEY REFERENCES tenant,
      document jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(document) = 'object'),
      version integer NOT NULL DEFAULT 1 CHECK (version > 0),
      -- The policy that decisions follow and the lines of screening are evidence, so each has a number of its own,
      -- which a change of other settings leaves alone.
      policy_version integer NOT NULL DEFAULT 1,
      profile_version integer NOT NULL DEFAULT 1,
      updated_by jsonb,
      updated_at timestamptz(3) NOT NULL DEFAULT now()
    )`);
  await isolateTenant(knex, 'tenant_settings', { app: 'SELECT', platform: 'SELECT' });
  // Whether people must have a second factor, and how long their sessions last, is read before a tenant is set.
  await allowPlatform(knex, 'tenant_settings', 'authentication', 'SELECT');
  await announceUpdates(knex, 'tenant_settings', ['tenant', 'tenant_id']);
  // Settings are first written when they are first changed.
  await knex.raw(`
    CREATE TRIGGER announces_start AFTER INSERT ON tenant_settings FOR EACH ROW
      EXECUTE FUNCTION announce_change('tenant', 'tenant_id')`);
}

/**
 * Creates the steps towards going live. Whether a step is done is computed from its subject; these rows remember only
 * that it was once done, fell back or was put aside.
 */
async function createOnboarding(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE onboarding_step (
      tenant_id uuid NOT NULL,
      step_key text NOT NULL,
      completed_at timestamptz(3),
      regressed_at timestamptz(3),
      dismissed_at timestamptz(3),
      dismissed_by jsonb,
      dismissed_reason text,
      PRIMARY KEY (tenant_id, step_key),
      CHECK (regressed_at IS NULL OR completed_at IS NOT NULL),
      CHECK ((dismissed_at IS NULL) = (dismissed_by IS NULL) AND (dismissed_at IS NULL) = (dismissed_reason IS NULL))
    )`);
  await isolateTenant(knex, 'onboarding_step', { app: 'SELECT' });
  await refuseUpdate(
    knex,
    'onboarding_step',
    'completed_stays',
    `OLD.completed_at IS NOT NULL AND ${anyChanges(['completed_at'])}`,
  );
}
