import type { Knex } from 'knex';
import { allowPlatform, isolateTenant } from './row-level-security.ts';

/**
 * What a tenant has set, and nothing that it has not: the platform's defaults are merged in on reading, so that a
 * better default reaches every tenant that did not decide otherwise. A tenant without a row is at version 1.
 */
export async function settings(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE tenant_settings (
      tenant_id uuid PRIMARY KEY REFERENCES tenant,
      document jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(document) = 'object'),
      version integer NOT NULL DEFAULT 1 CHECK (version > 0),
      updated_by jsonb,
      updated_at timestamptz(3) NOT NULL DEFAULT now()
    )`);
  await isolateTenant(knex, 'tenant_settings', { app: 'SELECT, INSERT, UPDATE', platform: 'SELECT' });
  // Whether people must have a second factor, and how long their sessions last, is read before a tenant is set.
  await allowPlatform(knex, 'tenant_settings', 'authentication', 'SELECT');
}
