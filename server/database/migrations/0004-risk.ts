import type { Knex } from 'knex';
import { columnsExcept, anyChanges, isolateTenant, keepIdentity, refuseUpdate } from '../row-level-security.ts';

/** Risk: assessments, the overrides of their levels, comparisons of models, and re-assessments of all subjects. */
export async function risk(knex: Knex): Promise<void> {
  await createAssessments(knex);
  await createOverrides(knex);
  await createComparisons(knex);
  await createReassessments(knex);
  // The last request for the activation of a version is the one with the highest number.
  await knex.raw('ALTER TABLE definition_activation ADD COLUMN sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY');
}

async function createAssessments(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE risk_assessment (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      application_id uuid NOT NULL,
      trigger text NOT NULL,
      -- Versions of definitions. They have no foreign keys, because version 1 has no row until another one is drafted.
      model_id uuid NOT NULL,
      model_number integer NOT NULL,
      model_checksum text NOT NULL,
      lists jsonb NOT NULL,
      -- In units of 0.0001.
      score integer NOT NULL CHECK (score BETWEEN 0 AND 1000000),
      base_level text NOT NULL CHECK (base_level IN ('low', 'medium', 'high')),
      level text NOT NULL CHECK (level IN ('low', 'medium', 'high', 'prohibited')),
      requires_enhanced boolean NOT NULL,
      -- The explanation and the facts, sealed under the key of the application.
      result text NOT NULL,
      snapshot text NOT NULL,
      inputs_checksum text NOT NULL,
      effective_level text NOT NULL CHECK (effective_level IN ('low', 'medium', 'high', 'prohibited')),
      overridden_until timestamptz(3),
      superseded_by_id uuid,
      created_at timestamptz(3) NOT NULL,
      last_recalculated_at timestamptz(3) NOT NULL,
      level_changed_at timestamptz(3) NOT NULL,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX risk_assessment_current ON risk_assessment (tenant_id, application_id)
      WHERE superseded_by_id IS NULL;
    CREATE INDEX risk_assessment_by_application ON risk_assessment (tenant_id, application_id, created_at, id);
    CREATE INDEX risk_assessment_by_created ON risk_assessment (tenant_id, environment, created_at, id);
    CREATE INDEX risk_assessment_by_score ON risk_assessment (tenant_id, environment, score, id)
      WHERE superseded_by_id IS NULL`);
  await isolateTenant(knex, 'risk_assessment', { app: 'SELECT' });
  await keepIdentity(knex, 'risk_assessment');
  const changing = ['effective_level', 'overridden_until', 'superseded_by_id', 'last_recalculated_at'];
  const erased = ['result', 'snapshot', 'inputs_checksum', 'erased_at'];
  await refuseUpdate(
    knex,
    'risk_assessment',
    'recorded_stays',
    anyChanges(await columnsExcept(knex, 'risk_assessment', [...changing, ...erased, 'level_changed_at'])),
  );
  await refuseUpdate(
    knex,
    'risk_assessment',
    'explanation_stays',
    `${anyChanges(['result', 'snapshot', 'inputs_checksum'])} AND NEW.erased_at IS NULL`,
  );
}

async function createOverrides(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE risk_override (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      application_id uuid NOT NULL,
      assessment_id uuid NOT NULL,
      level text NOT NULL CHECK (level IN ('low', 'medium', 'high', 'prohibited')),
      reason_code text NOT NULL,
      note text NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      ended_at timestamptz(3),
      erased_at timestamptz(3),
      sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, assessment_id) REFERENCES risk_assessment (tenant_id, id) ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX risk_override_current ON risk_override (tenant_id, application_id) WHERE ended_at IS NULL;
    CREATE INDEX risk_override_by_application ON risk_override (tenant_id, application_id);
    CREATE INDEX risk_override_by_assessment ON risk_override (tenant_id, assessment_id, sequence);
    CREATE INDEX risk_override_due ON risk_override (tenant_id, environment, expires_at) WHERE ended_at IS NULL`);
  await isolateTenant(knex, 'risk_override', { app: 'SELECT' });
  await keepIdentity(knex, 'risk_override');
  await refuseUpdate(
    knex,
    'risk_override',
    'recorded_stays',
    anyChanges(await columnsExcept(knex, 'risk_override', ['note', 'ended_at', 'erased_at'])),
  );
}

async function createComparisons(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE risk_comparison (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      kind text NOT NULL CHECK (kind IN ('backtest', 'shadow')),
      subject_type text NOT NULL,
      model_id uuid NOT NULL,
      model_number integer NOT NULL,
      model_checksum text NOT NULL,
      baseline_id uuid NOT NULL,
      baseline_number integer NOT NULL,
      baseline_checksum text NOT NULL,
      lists jsonb NOT NULL,
      population jsonb,
      status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
      task_id uuid,
      total integer NOT NULL DEFAULT 0,
      done integer NOT NULL DEFAULT 0,
      results jsonb,
      ends_at timestamptz(3),
      created_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      started_at timestamptz(3),
      completed_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      CHECK ((kind = 'shadow') = (ends_at IS NOT NULL))
    );
    CREATE INDEX risk_comparison_by_model ON risk_comparison (tenant_id, model_id, created_at, id);
    CREATE UNIQUE INDEX risk_backtest_running ON risk_comparison (tenant_id)
      WHERE kind = 'backtest' AND status IN ('queued', 'running');
    CREATE UNIQUE INDEX risk_shadow_running ON risk_comparison (tenant_id, environment, subject_type)
      WHERE kind = 'shadow' AND status = 'running'`);
  await isolateTenant(knex, 'risk_comparison', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'risk_comparison');
  await knex.raw(`
    CREATE TABLE risk_compared (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      comparison_id uuid NOT NULL,
      application_id uuid NOT NULL,
      from_level text NOT NULL,
      to_level text NOT NULL,
      score_before integer NOT NULL,
      score_after integer NOT NULL,
      top_factors text[] NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, comparison_id, application_id),
      FOREIGN KEY (tenant_id, comparison_id) REFERENCES risk_comparison (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX risk_compared_in_order ON risk_compared (tenant_id, comparison_id, id);
    CREATE INDEX risk_compared_by_application ON risk_compared (tenant_id, application_id)`);
  await isolateTenant(knex, 'risk_compared', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'risk_compared');
}

async function createReassessments(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE risk_reassessment (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      -- The model or list that became active; null for the first assessments of existing applications.
      definition_id uuid,
      -- The last application that was assessed, in the order of their ids.
      position uuid,
      total integer NOT NULL,
      done integer NOT NULL DEFAULT 0,
      failed integer NOT NULL DEFAULT 0,
      started_at timestamptz(3) NOT NULL,
      completed_at timestamptz(3),
      PRIMARY KEY (tenant_id, id)
    );
    CREATE INDEX risk_reassessment_by_definition ON risk_reassessment (tenant_id, definition_id)
      WHERE definition_id IS NOT NULL`);
  await isolateTenant(knex, 'risk_reassessment', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'risk_reassessment');
}
