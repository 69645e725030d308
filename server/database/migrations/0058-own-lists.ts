import type { Knex } from 'knex';
import {
  anyChanges,
  columnsExcept,
  isolateTenant,
  keepIdentity,
  refuseDeletion,
  refuseUpdate,
} from './row-level-security.ts';

/**
 * Lists that tenants have of their own, one in each environment. What is on one is sealed, in parts, under a key of its
 * version, which is destroyed when the version ends; of a version that has ended nothing stays but its name, its
 * checksum and its counts.
 */
export async function ownLists(knex: Knex): Promise<void> {
  await knex.raw(
    `ALTER TABLE subject_key DROP CONSTRAINT subject_key_subject_type_check,
      ADD CONSTRAINT subject_key_subject_type_check CHECK (subject_type IN ('application', 'screening', 'own_list'))`,
  );
  await knex.raw(`
    CREATE TABLE own_list_version (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      sequence integer NOT NULL CHECK (sequence > 0),
      version text NOT NULL,
      sha256 text NOT NULL,
      entry_count integer NOT NULL,
      added integer NOT NULL,
      changed integer NOT NULL,
      match_changed integer NOT NULL,
      removed integer NOT NULL,
      ingested_at timestamptz(3) NOT NULL,
      checked_at timestamptz(3) NOT NULL,
      ingested_by jsonb NOT NULL,
      ended_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, environment, sequence),
      UNIQUE (tenant_id, environment, version)
    )`);
  await knex.raw(
    'CREATE UNIQUE INDEX own_list_version_standing ON own_list_version (tenant_id, environment) WHERE ended_at IS NULL',
  );
  await knex.raw(`
    CREATE TABLE own_list_part (
      tenant_id uuid NOT NULL,
      version_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      part integer NOT NULL,
      content jsonb NOT NULL,
      PRIMARY KEY (tenant_id, version_id, part),
      FOREIGN KEY (tenant_id, version_id) REFERENCES own_list_version (tenant_id, id) ON DELETE CASCADE
    )`);
  await isolateTenant(knex, 'own_list_version', { app: 'SELECT, DELETE' });
  await isolateTenant(knex, 'own_list_part', { app: 'SELECT, DELETE' });
  for (const table of ['own_list_version', 'own_list_part']) {
    await keepIdentity(knex, table);
  }
  await refuseDeletion(knex, 'own_list_version', 'sandbox_only', `OLD.environment = 'live'`);
  await refuseUpdate(
    knex,
    'own_list_version',
    'recorded_stays',
    anyChanges(await columnsExcept(knex, 'own_list_version', ['checked_at', 'ended_at'])),
  );
  await refuseUpdate(knex, 'own_list_version', 'end_stays', 'OLD.ended_at IS NOT NULL');
}
