import type { Knex } from 'knex';
import { anyChanges, isolateTenant, keepIdentity, refuseDeletion, refuseUpdate } from './row-level-security.ts';

/** What is decided; how it stands may still change. */
const DECIDED = [
  'application_id',
  'outcome',
  'reject_type',
  'reason_codes',
  'note',
  'applicant_message',
  'four_eyes_reasons',
  'evidence_digest',
  'manifest',
  'policy_version',
  'made_by',
];

/** Decisions, the second review that some of them need, and what an approval is good for. */
export async function decisions(knex: Knex): Promise<void> {
  await knex.raw(
    'ALTER TABLE application ADD COLUMN valid_until timestamptz(3), ADD COLUMN review_due_at timestamptz(3)',
  );
  await letApplicationsReopen(knex);
  await knex.raw(`
    CREATE TABLE decision (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      application_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      outcome text NOT NULL CHECK (outcome IN ('approve', 'reject')),
      reject_type text CHECK (reject_type IN ('final', 'retry')),
      reason_codes text[] NOT NULL,
      note text NOT NULL,
      applicant_message text,
      status text NOT NULL CHECK (status IN ('pending_review', 'effective', 'returned', 'invalidated')),
      four_eyes_reasons text[] NOT NULL,
      evidence_digest text NOT NULL,
      manifest jsonb NOT NULL,
      policy_version integer NOT NULL,
      made_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      effective_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE,
      CHECK ((outcome = 'reject') = (reject_type IS NOT NULL)),
      CHECK ((status = 'effective') = (effective_at IS NOT NULL))
    )`);
  await knex.raw('CREATE INDEX decision_by_application ON decision (tenant_id, application_id, created_at, id)');
  await knex.raw(
    `CREATE UNIQUE INDEX decision_pending ON decision (tenant_id, application_id) WHERE status = 'pending_review'`,
  );
  await isolateTenant(knex, 'decision', { app: 'SELECT' });
  await keepIdentity(knex, 'decision');
  await refuseUpdate(
    knex,
    'decision',
    'decided_stays',
    `(OLD.status <> 'pending_review' AND OLD IS DISTINCT FROM NEW)
    OR ${anyChanges(DECIDED)}`,
  );
  await refuseDeletion(knex, 'decision', 'sandbox_only', `OLD.environment = 'live'`);
  await addSecondReviews(knex);
}

/**
 * What was decided may come back into the review, with the next version and nothing else changed; what was withdrawn
 * or has expired does not.
 */
async function letApplicationsReopen(knex: Knex): Promise<void> {
  await knex.raw('DROP TRIGGER ended_stays ON application');
  await refuseUpdate(
    knex,
    'application',
    'ended_stays',
    `OLD.status IN ('withdrawn', 'expired') AND OLD IS DISTINCT FROM NEW`,
  );
  await refuseUpdate(
    knex,
    'application',
    'decided_stays',
    `OLD.status IN ('approved', 'rejected') AND OLD IS DISTINCT FROM NEW
    AND NOT (NEW.status = 'in_review' AND NEW.version = OLD.version + 1 AND NEW.valid_until IS NULL
      AND NEW.decided_at IS NOT DISTINCT FROM OLD.decided_at)`,
  );
}

async function addSecondReviews(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE second_review (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      subject_type text NOT NULL,
      subject_id uuid NOT NULL,
      maker jsonb NOT NULL,
      maker_persons text[] NOT NULL,
      digest text NOT NULL,
      state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'confirmed', 'returned', 'invalidated')),
      checker jsonb,
      note text,
      created_at timestamptz(3) NOT NULL,
      closed_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, subject_type, subject_id),
      CONSTRAINT checker_is_another CHECK (checker IS NULL
        OR (checker ->> 'type' = 'user' AND checker ->> 'id' <> ALL (maker_persons))),
      CHECK ((state IN ('confirmed', 'returned')) = (checker IS NOT NULL))
    )`);
  await isolateTenant(knex, 'second_review', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'second_review');
  await refuseUpdate(
    knex,
    'second_review',
    'closed_stays',
    "(OLD.state <> 'pending' AND OLD IS DISTINCT FROM NEW) OR " +
      `${anyChanges(['subject_type', 'subject_id', 'maker', 'maker_persons', 'digest'])}`,
  );
  await refuseDeletion(knex, 'second_review', 'sandbox_only', `OLD.environment = 'live'`);
}
