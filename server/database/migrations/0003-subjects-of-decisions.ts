/**
 * Migration that lets decisions and evidence belong to a business. Run once for each database by migrate.ts, in the
 * order of the numbers. It must never be edited once it is released, because databases have recorded it as done.
 */
import type { Knex } from 'knex';
import { anyChanges, refuseUpdate } from '../row-level-security.ts';

const TABLES = ['decision', 'waiver', 'attestation', 'information_request', 'document'];

/**
 * Decisions, and the evidence that they rest on, may belong to a business instead of an application. There is no table
 * of businesses yet, so `business_id` has no foreign key: the migration that creates that table adds it, with the same
 * cascade as that of `application_id`. Live documents of a business cannot be deleted before a trigger permits it,
 * because `drafts_only` finds no draft of an application for them.
 */
export async function subjectsOfDecisions(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    await knex.raw(`
      ALTER TABLE ${table} ALTER COLUMN application_id DROP NOT NULL, ADD COLUMN business_id uuid,
        ADD CONSTRAINT ${table}_subject CHECK (num_nonnulls(application_id, business_id) = 1)`);
    // Triggers of the tables permit an erasure, which would otherwise be able to move a row to another subject.
    await refuseUpdate(knex, table, 'subject_stays', anyChanges(['application_id', 'business_id']));
  }
  for (const table of ['decision', 'waiver', 'attestation', 'information_request']) {
    await knex.raw(`
      CREATE INDEX ${table}_of_business ON ${table} (tenant_id, business_id, sequence) WHERE business_id IS NOT NULL`);
  }
  await knex.raw(`
    CREATE UNIQUE INDEX decision_pending_of_business ON decision (tenant_id, business_id)
      WHERE status = 'pending_review' AND business_id IS NOT NULL;
    CREATE UNIQUE INDEX information_request_open_of_business ON information_request (tenant_id, business_id)
      WHERE status = 'open' AND business_id IS NOT NULL;
    CREATE INDEX document_of_business ON document (tenant_id, business_id, created_at, id)
      WHERE business_id IS NOT NULL;
    CREATE UNIQUE INDEX document_content_of_business
      ON document (tenant_id, business_id, coalesce(original_sha256, sha256))
      WHERE file_erased_at IS NULL AND business_id IS NOT NULL`);
  // Texts about a business are sealed under a key of the business.
  await knex.raw(`
    ALTER TABLE subject_key DROP CONSTRAINT subject_key_subject_type_check,
      ADD CONSTRAINT subject_key_subject_type_check
        CHECK (subject_type IN ('application', 'business', 'screening', 'own_list'))`);
}
