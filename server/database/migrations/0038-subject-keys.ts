import type { Knex } from 'knex';
import { isolateTenant, keepIdentity, letThrough, refuseDeletion, refuseUpdate } from './row-level-security.ts';

/** Keys of subjects, under which what is kept about them is sealed; and since when a document is. */
export async function subjectKeys(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE subject_key (
      tenant_id uuid NOT NULL,
      subject_type text NOT NULL CHECK (subject_type IN ('application')),
      subject_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      wrapped bytea,
      created_at timestamptz(3) NOT NULL,
      destroyed_at timestamptz(3),
      PRIMARY KEY (tenant_id, subject_type, subject_id),
      CHECK ((wrapped IS NULL) = (destroyed_at IS NOT NULL))
    )`);
  await isolateTenant(knex, 'subject_key', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'subject_key');
  // A key is destroyed once, and is never another one: what was sealed under it could not be opened any more.
  await refuseUpdate(
    knex,
    'subject_key',
    'key_stays',
    'OLD IS DISTINCT FROM NEW AND NOT (OLD.wrapped IS NOT NULL AND NEW.wrapped IS NULL AND ' +
      'NEW.destroyed_at IS NOT NULL)',
  );
  await refuseDeletion(knex, 'subject_key', 'sandbox_only', `OLD.environment = 'live'`);
  await knex.raw('ALTER TABLE document ADD COLUMN sealed_at timestamptz(3)');
  await knex.raw(
    `CREATE INDEX document_unsealed ON document (tenant_id, id) WHERE sealed_at IS NULL AND status <> 'erased'`,
  );
  await letThrough(knex, 'document', 'OLD.sealed_at IS NULL AND NEW.sealed_at IS NOT NULL', ['sealed_at']);
  await refuseUpdate(
    knex,
    'document',
    'sealed_stays',
    'OLD.sealed_at IS NOT NULL AND NEW.sealed_at IS DISTINCT FROM OLD.sealed_at',
  );
}
