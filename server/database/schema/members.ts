/**
 * Part of the first migration: memberships and invitations. Called by index.ts of this folder when a new database is
 * created. A tenant sees of its people only what these policies show.
 */
import type { Knex } from 'knex';
import { PLATFORM_TENANT_ID, roles } from '../roles.ts';
import { allowPlatform, currentTenant, grant, isolateTenant, refuseUpdate } from '../row-level-security.ts';
import { announceUpdates } from './functions.ts';

/** Who works for which tenant, what colleagues see of each other, and invitations. */
export async function members(knex: Knex): Promise<void> {
  await createMemberships(knex);
  await showColleagues(knex);
  await createInvitations(knex);
}

async function createMemberships(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE membership (
      tenant_id uuid NOT NULL REFERENCES tenant,
      user_id uuid NOT NULL REFERENCES user_account,
      role text NOT NULL
        CHECK (role IN ('owner', 'admin', 'compliance_officer', 'analyst', 'developer', 'auditor', 'viewer',
          'platform_admin')),
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('invited', 'active', 'locked', 'deactivated')),
      -- The name that the tenant gives the person; null: the person's own. So nobody renames a person in another
      -- tenant, and an invitation does not tell a person's name elsewhere.
      name text,
      -- A tenant sees when a person signed in to it last, not when they signed in to another one.
      last_login_at timestamptz(3),
      version integer NOT NULL DEFAULT 1 CHECK (version > 0),
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, user_id),
      CONSTRAINT membership_of_platform CHECK ((role = 'platform_admin') = (tenant_id = '${PLATFORM_TENANT_ID}'))
    );
    CREATE INDEX membership_by_user ON membership (user_id, tenant_id);
    CREATE INDEX membership_by_created ON membership (tenant_id, created_at, user_id)`);
  await isolateTenant(knex, 'membership', { app: 'SELECT', platform: 'SELECT' });
  await allowPlatform(knex, 'membership', 'login', 'SELECT');
  // The message names the tenant and not the person, because it also concerns the keys that the person has made.
  await announceUpdates(knex, 'membership', ['tenant', 'tenant_id'], ['last_login_at']);
}

/** Lets the app role see the persons who work for the tenant that is set, and of them no hash and no secret. */
async function showColleagues(knex: Knex): Promise<void> {
  const isColleague = (person: string): string =>
    `EXISTS (SELECT FROM membership m WHERE m.tenant_id = ${currentTenant} AND m.user_id = ${person})`;
  await knex.raw(`
    CREATE POLICY colleague ON user_account FOR SELECT TO ${roles.app} USING (${isColleague('user_account.id')});
    CREATE POLICY colleague ON user_totp FOR SELECT TO ${roles.app} USING (${isColleague('user_totp.user_id')})`);
  await grant(knex, 'user_account', {
    app: 'SELECT (id, email, name, status, locked_until, last_login_at, created_at, updated_at)',
  });
  // Colleagues see whether somebody has a second factor, and nothing else of it.
  await grant(knex, 'user_totp', { app: 'SELECT (user_id, confirmed_at)' });
}

async function createInvitations(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE invitation (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      user_id uuid NOT NULL,
      token_hash bytea NOT NULL CONSTRAINT invitation_token_key UNIQUE CHECK (octet_length(token_hash) = 32),
      invited_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      sent_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      accepted_at timestamptz(3),
      revoked_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES membership (tenant_id, user_id),
      CHECK (accepted_at IS NULL OR revoked_at IS NULL)
    );
    CREATE UNIQUE INDEX invitation_open_key ON invitation (tenant_id, user_id)
      WHERE accepted_at IS NULL AND revoked_at IS NULL;
    CREATE INDEX invitation_by_user ON invitation (tenant_id, user_id)`);
  await isolateTenant(knex, 'invitation', {
    app: 'SELECT (tenant_id, id, user_id, invited_by, created_at, sent_at, expires_at, accepted_at, revoked_at)',
    platform: 'SELECT',
  });
  // The token names the tenant. Its row is locked before that tenant is set, which takes the UPDATE policy too.
  await allowPlatform(knex, 'invitation', 'acceptance', 'SELECT');
  await allowPlatform(knex, 'invitation', 'acceptance_lock', 'UPDATE');
  await refuseUpdate(
    knex,
    'invitation',
    'ended_stays',
    '(OLD.accepted_at IS NOT NULL OR OLD.revoked_at IS NOT NULL) AND OLD IS DISTINCT FROM NEW',
  );
}
