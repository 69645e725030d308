import type { Knex } from 'knex';
import { refuseUpdate, anyChanges } from '../row-level-security.ts';

const TABLES = ['decision', 'waiver', 'attestation', 'information_request', 'document'];

/** Businesses are decided about: they have a status, and what belongs to them is deleted with them. */
export async function decisionsOfBusinesses(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE business
      ADD COLUMN level text NOT NULL DEFAULT 'standard',
      ADD COLUMN status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'in_review', 'needs_information',
        'pending_approval', 'approved', 'rejected', 'withdrawn', 'expired')),
      ADD COLUMN status_reason text,
      ADD COLUMN status_note text,
      ADD COLUMN resubmission_count integer NOT NULL DEFAULT 0,
      ADD COLUMN submitted_at timestamptz(3),
      ADD COLUMN decided_at timestamptz(3),
      ADD COLUMN valid_until timestamptz(3),
      ADD COLUMN review_due_at timestamptz(3),
      ADD COLUMN relationship_ended_at timestamptz(3),
      ADD COLUMN expires_at timestamptz(3)`);
  for (const table of TABLES)
    await knex.raw(`
      ALTER TABLE ${table} ADD FOREIGN KEY (tenant_id, business_id) REFERENCES business (tenant_id, id)
        ON DELETE CASCADE`);
  await knex.raw(`
    ALTER TABLE deleted_document ALTER COLUMN application_id DROP NOT NULL, ADD COLUMN business_id uuid,
      ADD CONSTRAINT deleted_document_subject CHECK (num_nonnulls(application_id, business_id) = 1),
      ADD FOREIGN KEY (tenant_id, business_id) REFERENCES business (tenant_id, id) ON DELETE CASCADE;
    CREATE INDEX deleted_document_of_business ON deleted_document (tenant_id, business_id, deleted_at, id)
      WHERE business_id IS NOT NULL`);
  await refuseUpdate(knex, 'deleted_document', 'subject_stays', anyChanges(['application_id', 'business_id']));
  await letDraftsDelete(knex);
}

/** Lets a live document be deleted from a draft of a business, too. */
async function letDraftsDelete(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION refuse_evidence_deletion() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      PERFORM FROM application WHERE tenant_id = OLD.tenant_id AND id = OLD.application_id AND status = 'draft'
        UNION ALL
        SELECT FROM business WHERE tenant_id = OLD.tenant_id AND id = OLD.business_id AND status = 'draft';
      IF NOT FOUND THEN
        RAISE EXCEPTION 'live documents are deleted from drafts only' USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN OLD;
    END $$`);
}
