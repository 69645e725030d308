import type { Knex } from 'knex';
import { isolateTenant, keepIdentity, refuseDeletion, refuseUpdate } from '../row-level-security.ts';

/** Checks of applicants, and the challenges and frames by which a living person is recognised. */
export async function verifications(knex: Knex): Promise<void> {
  await createChallenges(knex);
  await knex.raw(`
    CREATE TABLE verification (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      application_id uuid NOT NULL,
      type text NOT NULL CHECK (type IN ('document_ocr', 'face_match', 'liveness', 'registry')),
      registry_source text CHECK (registry_source IN ('receita_cpf', 'bc_protege')),
      document_ids jsonb NOT NULL,
      selfie_document_id uuid,
      challenge_id uuid,
      mrz_lines text,
      subject text NOT NULL,
      wanted_outcome text,
      legal_basis_consent_id uuid,
      status text NOT NULL
        CHECK (status IN ('queued', 'processing', 'passed', 'failed', 'inconclusive', 'error', 'cancelled')),
      attempt integer NOT NULL CHECK (attempt BETWEEN 1 AND 5),
      result text,
      error_code text,
      override text,
      overridden_to text CHECK (overridden_to IN ('passed', 'failed')),
      expires_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      started_at timestamptz(3),
      finished_at timestamptz(3),
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, challenge_id) REFERENCES liveness_challenge (tenant_id, id),
      CHECK ((type = 'registry') = (registry_source IS NOT NULL)),
      CHECK (override IS NULL OR overridden_to IS NOT NULL),
      CHECK (result IS NULL OR status IN ('passed', 'failed', 'inconclusive')),
      CHECK (result IS NOT NULL OR erased_at IS NOT NULL OR status NOT IN ('passed', 'failed', 'inconclusive')),
      CHECK ((status = 'error') = (error_code IS NOT NULL))
    );
    CREATE INDEX verification_of_application ON verification (tenant_id, application_id, sequence);
    CREATE INDEX verification_by_creation ON verification (tenant_id, environment, created_at, id);
    CREATE INDEX verification_by_challenge ON verification (tenant_id, challenge_id) WHERE challenge_id IS NOT NULL`);
  await isolateTenant(knex, 'verification', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'verification');
  await refuseUpdate(
    knex,
    'verification',
    'result_stays',
    `OLD.status NOT IN ('queued', 'processing') AND NEW.erased_at IS NULL
      AND ROW (OLD.status, OLD.result, OLD.error_code) IS DISTINCT FROM ROW (NEW.status, NEW.result, NEW.error_code)`,
  );
  await refuseDeletion(knex, 'verification', 'sandbox_only', `OLD.environment = 'live'`);
}

async function createChallenges(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE liveness_challenge (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      application_id uuid NOT NULL,
      nonce text NOT NULL,
      actions text[] NOT NULL,
      frame_count integer NOT NULL DEFAULT 0 CHECK (frame_count BETWEEN 0 AND 16),
      expires_at timestamptz(3) NOT NULL,
      consumed_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX liveness_challenge_of_application ON liveness_challenge (tenant_id, application_id)`);
  await isolateTenant(knex, 'liveness_challenge', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'liveness_challenge');
  await refuseUpdate(
    knex,
    'liveness_challenge',
    'used_once',
    'OLD.consumed_at IS NOT NULL AND OLD.consumed_at IS DISTINCT FROM NEW.consumed_at',
  );
  await refuseDeletion(knex, 'liveness_challenge', 'sandbox_only', `OLD.environment = 'live'`);
  await knex.raw(`
    CREATE TABLE liveness_frame (
      tenant_id uuid NOT NULL,
      challenge_id uuid NOT NULL,
      number integer NOT NULL CHECK (number BETWEEN 1 AND 16),
      application_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      sha256 bytea NOT NULL,
      content jsonb,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, challenge_id, number),
      FOREIGN KEY (tenant_id, challenge_id) REFERENCES liveness_challenge (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX liveness_frame_held ON liveness_frame (tenant_id, application_id) WHERE content IS NOT NULL`);
  await isolateTenant(knex, 'liveness_frame', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'liveness_frame');
  await refuseDeletion(knex, 'liveness_frame', 'sandbox_only', `OLD.environment = 'live'`);
}
