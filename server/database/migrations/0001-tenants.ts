import type { Knex } from 'knex';
import { allowPlatform, currentTenant, forceRowSecurity, grant, isolateTenant } from './row-level-security.ts';
import { roles } from '../roles.ts';

/**
 * Tenants, people and who works for whom. Every timestamp has milliseconds, the precision of the wire:
 * finer ones would make keyset cursors skip rows.
 */
export async function tenants(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE tenant (
      id uuid PRIMARY KEY,
      slug text NOT NULL CONSTRAINT tenant_slug_key UNIQUE CHECK (slug ~ '^[a-z0-9-]{3,40}$'),
      name text NOT NULL,
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('onboarding', 'active', 'suspended', 'closed')),
      sandbox_enabled boolean NOT NULL DEFAULT false,
      sandbox_enabled_at timestamptz(3),
      sandbox_enabled_by jsonb,
      sandbox_changed_at timestamptz(3),
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now()
    )`);
  await isolateTenant(
    knex,
    'tenant',
    {
      app: 'SELECT, UPDATE (sandbox_enabled, sandbox_enabled_at, sandbox_enabled_by, sandbox_changed_at, updated_at)',
      platform: 'SELECT, INSERT, UPDATE',
    },
    'id',
  );
  await allowPlatform(knex, 'tenant', 'authentication', 'SELECT');
  await allowPlatform(knex, 'tenant', 'registration', 'INSERT');
  await allowPlatform(knex, 'tenant', 'administration', 'UPDATE');

  await knex.raw(`
    CREATE TABLE user_account (
      id uuid PRIMARY KEY,
      email_normalised text NOT NULL CONSTRAINT user_account_email_key UNIQUE,
      email text NOT NULL,
      name text NOT NULL,
      password_hash text NOT NULL,
      password_changed_at timestamptz(3) NOT NULL DEFAULT now(),
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('invited', 'active', 'locked', 'deactivated')),
      last_login_at timestamptz(3),
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now()
    )`);

  await knex.raw(`
    CREATE TABLE membership (
      tenant_id uuid NOT NULL REFERENCES tenant,
      user_id uuid NOT NULL REFERENCES user_account,
      role text NOT NULL
        CHECK (role IN ('owner', 'admin', 'compliance_officer', 'analyst', 'developer', 'auditor', 'viewer')),
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('invited', 'active', 'deactivated')),
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, user_id)
    )`);
  await knex.raw('CREATE INDEX membership_by_user ON membership (user_id, tenant_id)');
  await isolateTenant(knex, 'membership', { app: 'SELECT', platform: 'SELECT, INSERT, UPDATE' });
  await allowPlatform(knex, 'membership', 'login', 'SELECT');

  // A person belongs to no tenant; the app role sees those who work for the tenant that is set, never a hash.
  await forceRowSecurity(knex, 'user_account');
  await knex.raw(`
    CREATE POLICY colleague ON user_account FOR SELECT TO ${roles.app} USING (
      EXISTS (SELECT FROM membership m WHERE m.tenant_id = ${currentTenant} AND m.user_id = user_account.id))`);
  await allowPlatform(knex, 'user_account', 'login', 'SELECT');
  await allowPlatform(knex, 'user_account', 'registration', 'INSERT');
  await allowPlatform(knex, 'user_account', 'administration', 'UPDATE');
  await grant(knex, 'user_account', {
    app: 'SELECT (id, email, name, status, last_login_at, created_at, updated_at)',
    platform: 'SELECT, INSERT, UPDATE',
  });
}
