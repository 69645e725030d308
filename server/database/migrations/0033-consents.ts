import type { Knex } from 'knex';
import { isolateTenant, keepIdentity, refuseDeletion, refuseUpdate } from './row-level-security.ts';

/** Consents of the person, which are only ever added; and documents, which leave a draft and nothing else. */
export async function consents(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE consent (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      application_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      action text NOT NULL CHECK (action IN ('granted', 'withdrawn')),
      purpose text NOT NULL,
      legal_basis text NOT NULL,
      text_version text NOT NULL,
      text_sha256 text NOT NULL CHECK (text_sha256 ~ '^[0-9a-f]{64}$'),
      locale text NOT NULL,
      channel text NOT NULL,
      captured_at timestamptz(3) NOT NULL,
      ip text,
      user_agent text,
      evidence_document_id uuid,
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, evidence_document_id) REFERENCES document (tenant_id, id)
    )`);
  await knex.raw('CREATE INDEX consent_by_application ON consent (tenant_id, application_id, created_at, id)');
  await knex.raw(
    `CREATE INDEX consent_by_evidence ON consent (tenant_id, evidence_document_id)
      WHERE evidence_document_id IS NOT NULL`,
  );
  await isolateTenant(knex, 'consent', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'consent');
  await refuseUpdate(knex, 'consent', 'recorded_stays', 'OLD IS DISTINCT FROM NEW');
  await refuseDeletion(knex, 'consent', 'sandbox_only', `OLD.environment = 'live'`);
  await letDraftsLoseDocuments(knex);
  await rememberDeletedDocuments(knex);
}

/** A live document could not be deleted at all. Its application's row says whether it is evidence by now. */
async function letDraftsLoseDocuments(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION refuse_evidence_deletion() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      PERFORM FROM application WHERE tenant_id = OLD.tenant_id AND id = OLD.application_id AND status = 'draft';
      IF NOT FOUND THEN
        RAISE EXCEPTION 'live documents are deleted from drafts only' USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN OLD;
    END $$`);
  await knex.raw('REVOKE EXECUTE ON FUNCTION refuse_evidence_deletion() FROM PUBLIC');
  await knex.raw('DROP TRIGGER sandbox_only ON document');
  await knex.raw(`
    CREATE TRIGGER drafts_only BEFORE DELETE ON document FOR EACH ROW WHEN (OLD.environment = 'live')
      EXECUTE FUNCTION refuse_evidence_deletion()`);
}

/** That a document was there: the timeline of its application finds its events by it. */
async function rememberDeletedDocuments(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE deleted_document (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      application_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      deleted_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw(
    'CREATE INDEX deleted_document_by_application ON deleted_document (tenant_id, application_id, deleted_at, id)',
  );
  await isolateTenant(knex, 'deleted_document', { app: 'SELECT' });
  await keepIdentity(knex, 'deleted_document');
  await refuseUpdate(knex, 'deleted_document', 'recorded_stays', 'OLD IS DISTINCT FROM NEW');
  await refuseDeletion(knex, 'deleted_document', 'sandbox_only', `OLD.environment = 'live'`);
}
