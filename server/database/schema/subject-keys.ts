/**
 * Part of the first migration: the wrapped keys of subjects. Called by index.ts of this folder when a new database is
 * created. A destroyed key cannot be replaced.
 */
import type { Knex } from 'knex';
import { isolateTenant, refuseDeletion, refuseUpdate } from '../row-level-security.ts';

/** Keys under which everything about a subject is sealed, so that destroying one key erases it all. */
export async function subjectKeys(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE subject_key (
      tenant_id uuid NOT NULL,
      subject_type text NOT NULL CHECK (subject_type IN ('application', 'screening', 'own_list')),
      subject_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      -- The key, encrypted; null after it was destroyed.
      wrapped bytea,
      created_at timestamptz(3) NOT NULL,
      destroyed_at timestamptz(3),
      PRIMARY KEY (tenant_id, subject_type, subject_id),
      CHECK ((wrapped IS NULL) = (destroyed_at IS NOT NULL))
    )`);
  await isolateTenant(knex, 'subject_key', { app: 'SELECT, DELETE' });
  // A key is destroyed once and never replaced: what was sealed under it could not be opened any more.
  await refuseUpdate(
    knex,
    'subject_key',
    'key_stays',
    'OLD IS DISTINCT FROM NEW AND NOT (OLD.wrapped IS NOT NULL AND NEW.wrapped IS NULL AND ' +
      'NEW.destroyed_at IS NOT NULL)',
  );
  await refuseDeletion(knex, 'subject_key', 'sandbox_only', `OLD.environment = 'live'`);
}
