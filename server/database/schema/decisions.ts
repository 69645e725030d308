/**
 * Part of the first migration: tables of decisions and second reviews. Called by index.ts of this folder when a new
 * database is created. Constraints refuse a reviewer who is the maker.
 */
import type { Knex } from 'knex';
import { anyChanges, exceptFor, isolateTenant, refuseDeletion, refuseUpdate } from '../row-level-security.ts';
import { erasureOf, keepErased, keepOrder } from './evidence.ts';

/** Decisions about applications, and the second review that some decisions of several areas need. */
export async function decisions(knex: Knex): Promise<void> {
  await createDecisions(knex);
  await createSecondReviews(knex);
}

async function createDecisions(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE decision (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      application_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      -- The order of decisions, as of other evidence (evidence.ts).
      sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
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
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE,
      CHECK ((outcome = 'reject') = (reject_type IS NOT NULL)),
      CHECK ((status = 'effective') = (effective_at IS NOT NULL))
    );
    CREATE INDEX decision_in_order ON decision (tenant_id, application_id, sequence);
    CREATE UNIQUE INDEX decision_pending ON decision (tenant_id, application_id) WHERE status = 'pending_review'`);
  await isolateTenant(knex, 'decision', { app: 'SELECT' });
  const erasure = await erasureOf(knex, 'decision', ['note', 'applicant_message', 'four_eyes_reasons']);
  await refuseUpdate(
    knex,
    'decision',
    'decided_stays',
    exceptFor(`(OLD.status <> 'pending_review' AND OLD IS DISTINCT FROM NEW) OR ${anyChanges(DECIDED)}`, erasure),
  );
  await keepErased(knex, 'decision');
  await keepOrder(knex, 'decision');
  await refuseDeletion(knex, 'decision', 'sandbox_only', `OLD.environment = 'live'`);
}

/** The columns that a second review does not change. */
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

async function createSecondReviews(knex: Knex): Promise<void> {
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
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, subject_type, subject_id),
      -- Proposals of the platform's staff are reviewed by the platform's staff.
      CONSTRAINT checker_is_another CHECK (checker IS NULL OR (checker ->> 'type' = CASE subject_type
        WHEN 'list_version' THEN 'platform_user' ELSE 'user' END AND checker ->> 'id' <> ALL (maker_persons))),
      CHECK ((state IN ('confirmed', 'returned')) = (checker IS NOT NULL))
    )`);
  await isolateTenant(knex, 'second_review', { app: 'SELECT, DELETE', platform: 'SELECT' });
  const submitted = ['subject_type', 'subject_id', 'maker', 'maker_persons', 'digest'];
  const erasure = await erasureOf(knex, 'second_review', ['note']);
  await refuseUpdate(
    knex,
    'second_review',
    'closed_stays',
    exceptFor(`(OLD.state <> 'pending' AND OLD IS DISTINCT FROM NEW) OR ${anyChanges(submitted)}`, erasure),
  );
  await keepErased(knex, 'second_review');
  await refuseDeletion(knex, 'second_review', 'sandbox_only', `OLD.environment = 'live'`);
}
