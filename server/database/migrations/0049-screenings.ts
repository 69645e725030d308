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
 * Screenings and their hits. Who was screened, and why a hit has its score, is sealed: with the key of the application
 * where there is one, so that nothing of it can be read once that is erased, and else with a key of the screening.
 */
export async function screenings(knex: Knex): Promise<void> {
  await knex.raw(
    `ALTER TABLE subject_key DROP CONSTRAINT subject_key_subject_type_check,
      ADD CONSTRAINT subject_key_subject_type_check CHECK (subject_type IN ('application', 'screening'))`,
  );
  await knex.raw(`
    CREATE TABLE screening (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      application_id uuid,
      subject_id uuid NOT NULL,
      previous_screening_id uuid,
      diff jsonb,
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
  await knex.raw('CREATE INDEX screening_by_subject ON screening (tenant_id, subject_id, created_at, id)');
  await knex.raw(
    'CREATE INDEX screening_by_application ON screening (tenant_id, application_id) WHERE application_id IS NOT NULL',
  );
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
      subject_id uuid NOT NULL,
      entity_mac bytea NOT NULL,
      entity_hash bytea NOT NULL,
      subject_hash bytea NOT NULL,
      status text NOT NULL CHECK (status IN ('open', 'true_positive', 'false_positive', 'inconclusive')),
      decision_id uuid,
      content jsonb NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, screening_id, position),
      FOREIGN KEY (tenant_id, screening_id) REFERENCES screening (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw('CREATE INDEX screening_hit_by_entity ON screening_hit (tenant_id, subject_id, list_id, entity_mac)');
  await knex.raw(`
    CREATE TABLE hit_decision (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      screening_id uuid NOT NULL,
      hit_id uuid NOT NULL,
      subject_id uuid NOT NULL,
      list_id text NOT NULL,
      list_sequence integer NOT NULL,
      entity_mac bytea NOT NULL,
      entity_hash bytea NOT NULL,
      subject_hash bytea NOT NULL,
      status text NOT NULL CHECK (status IN ('true_positive', 'false_positive', 'inconclusive')),
      reason_code text NOT NULL,
      note text NOT NULL,
      state text NOT NULL CHECK (state IN ('proposed', 'effective', 'returned')),
      created_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      reviewed_by jsonb,
      review_note text,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, screening_id) REFERENCES screening (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw(
    'CREATE INDEX hit_decision_by_subject ON hit_decision (tenant_id, subject_id, list_id, entity_mac, created_at, id)',
  );
  await knex.raw('CREATE INDEX hit_decision_by_screening ON hit_decision (tenant_id, screening_id)');
  // What was found and decided stays. What becomes of it is written beside it.
  const outcome = {
    screening: ['result', 'open_hit_count'],
    screening_hit: ['status', 'decision_id'],
    hit_decision: ['state', 'reviewed_by', 'review_note'],
  };
  for (const [table, changing] of Object.entries(outcome)) {
    await isolateTenant(knex, table, { app: table === 'screening' ? 'SELECT, DELETE' : 'SELECT' });
    await keepIdentity(knex, table);
    await refuseDeletion(knex, table, 'sandbox_only', `OLD.environment = 'live'`);
    await refuseUpdate(knex, table, 'recorded_stays', anyChanges(await columnsExcept(knex, table, changing)));
  }
  await refuseUpdate(knex, 'hit_decision', 'verdict_stays', `OLD.state <> 'proposed' AND NEW.state <> OLD.state`);
}
