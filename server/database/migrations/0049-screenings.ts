import type { Knex } from 'knex';
import { anyChanges, columnsExcept, grantWritable, isolateTenant, keepIdentity, refuseDeletion, refuseUpdate } from './row-level-security.ts';

/**
 * Screenings and their hits. Who was screened, and why a hit has its score, is sealed: with the key of the application where there is one, so that nothing of it can be
 * read once that is erased, and else with a key of the screening.
 */
export async function screenings(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE subject_key DROP CONSTRAINT subject_key_subject_type_check, ADD CONSTRAINT subject_key_subject_type_check CHECK (subject_type IN ('application', 'screening'))`);
  await knex.raw(`
    CREATE TABLE screening (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      application_id uuid,
      result text NOT NULL,
      subject jsonb NOT NULL,
      criteria jsonb NOT NULL,
      lists jsonb NOT NULL,
      stale_lists text[] NOT NULL,
      hit_count integer NOT NULL,
      open_hit_count integer NOT NULL,
      truncated boolean NOT NULL,
      algorithm_version text NOT NULL,
      duration_ms integer NOT NULL,
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw('CREATE INDEX screening_by_created ON screening (tenant_id, environment, created_at, id)');
  await knex.raw('CREATE INDEX screening_by_application ON screening (tenant_id, application_id, created_at, id) WHERE application_id IS NOT NULL');
  await knex.raw(`
    CREATE TABLE screening_hit (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      screening_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      position integer NOT NULL,
      list_id text NOT NULL,
      category text NOT NULL,
      score double precision NOT NULL,
      content jsonb NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, screening_id, position),
      FOREIGN KEY (tenant_id, screening_id) REFERENCES screening (tenant_id, id) ON DELETE CASCADE
    )`);
  for (const table of ['screening', 'screening_hit']) {
    await isolateTenant(knex, table, { app: table === 'screening' ? 'SELECT, DELETE' : 'SELECT' });
    await grantWritable(knex, table);
    await keepIdentity(knex, table);
    await refuseDeletion(knex, table, 'sandbox_only', `OLD.environment = 'live'`);
  }
  for (const table of ['screening', 'screening_hit']) await refuseUpdate(knex, table, 'recorded_stays', anyChanges(await columnsExcept(knex, table, [])));
}
