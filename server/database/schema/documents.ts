/**
 * Part of the first migration: tables of documents. Called by index.ts of this folder when a new database is created.
 * Triggers refuse to delete live documents, except from drafts.
 */
import type { Knex } from 'knex';
import {
  anyChanges,
  changesOnly,
  exceptFor,
  isolateTenant,
  refuseDeletion,
  refuseUpdate,
} from '../row-level-security.ts';

/** Documents of applications, and which of them were deleted from drafts. */
export async function documents(knex: Knex): Promise<void> {
  await createDocuments(knex);
  await keepDocuments(knex);
  await keepEvidence(knex);
  await createDeletedDocuments(knex);
}

/** Pictures of the body, whose file is erased while their record stays (LGPD, art. 16). */
const BIOMETRIC = `type IN ('selfie', 'selfie_video')`;

async function createDocuments(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE document (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      application_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      type text NOT NULL,
      side text NOT NULL CHECK (side IN ('front', 'back', 'single')),
      country text,
      expires_on date,
      file_name text NOT NULL,
      mime_type text NOT NULL CHECK (mime_type IN ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')),
      size_bytes bigint NOT NULL CHECK (size_bytes > 0),
      sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
      -- The checksum of the file as it was sent, if only a part of it is kept: it tells when the same file comes again.
      original_sha256 text CHECK (original_sha256 ~ '^[0-9a-f]{64}$'),
      page_count integer,
      status text NOT NULL DEFAULT 'uploaded'
        CHECK (status IN ('uploaded', 'accepted', 'rejected', 'superseded', 'erased')),
      rejection_code text,
      signals text[] NOT NULL DEFAULT '{}',
      -- Which items of a request for information the document answers.
      answers jsonb,
      storage_key text NOT NULL,
      -- Since when the file is sealed under the key of its application.
      sealed_at timestamptz(3),
      file_erased_at timestamptz(3),
      erased_at timestamptz(3),
      version integer NOT NULL DEFAULT 1,
      created_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX document_by_application ON document (tenant_id, application_id, created_at, id);
    -- A file is unique among those that an application has: one that was erased may be sent again.
    CREATE UNIQUE INDEX document_content_key
      ON document (tenant_id, application_id, coalesce(original_sha256, sha256)) WHERE file_erased_at IS NULL;
    -- The same file in another application is a sign of fraud.
    CREATE INDEX document_by_original ON document (tenant_id, environment, coalesce(original_sha256, sha256));
    CREATE INDEX document_by_storage ON document (tenant_id, environment, created_at) INCLUDE (size_bytes)
      WHERE status <> 'erased';
    CREATE INDEX document_unsealed ON document (tenant_id, id) WHERE sealed_at IS NULL AND status <> 'erased';
    CREATE INDEX document_biometric ON document (tenant_id, environment, application_id)
      WHERE ${BIOMETRIC} AND file_erased_at IS NULL AND status <> 'erased'`);
  // Stored files count towards the quota of the tenant, of which the platform gives an account.
  await isolateTenant(knex, 'document', {
    app: 'SELECT, DELETE',
    platform: 'SELECT (tenant_id, id, environment, status, size_bytes, created_at, file_erased_at)',
  });
}

/** What describes an uploaded file. */
const UPLOADED = [
  'type',
  'side',
  'country',
  'expires_on',
  'file_name',
  'mime_type',
  'size_bytes',
  'sha256',
  'page_count',
  'rejection_code',
  'signals',
  'storage_key',
  'created_by',
];
/** The columns that an erasure empties. The others name nobody. */
const ERASED = ['file_name', 'country', 'expires_on', 'signals', 'status'];
const STAMP = ['version', 'updated_at'];
const NEXT_VERSION = 'NEW.version = OLD.version + 1';

/** Refuses changes of live documents and of what was erased, except for the few that are named here. */
async function keepDocuments(knex: Knex): Promise<void> {
  const permit = (columns: readonly string[], when: string): Promise<string> =>
    changesOnly(knex, 'document', columns, when);
  const isUsable = `OLD.status IN ('uploaded', 'accepted')`;
  const erasure = await permit(
    ['erased_at', ...ERASED, ...STAMP],
    'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL',
  );
  const sealing = await permit(['sealed_at'], 'OLD.sealed_at IS NULL AND NEW.sealed_at IS NOT NULL');
  // A document that may be used no longer is rejected, with the reason.
  const rejection = await permit(
    ['status', 'rejection_code', ...STAMP],
    `${isUsable} AND NEW.status = 'rejected' AND NEW.rejection_code IS NOT NULL AND ${NEXT_VERSION}`,
  );
  // Only the file goes: hash and status are evidence of what was decided on.
  const erasureOfFile = await permit(
    ['file_erased_at', ...STAMP],
    `OLD.file_erased_at IS NULL AND NEW.file_erased_at IS NOT NULL AND OLD.${BIOMETRIC} AND ${NEXT_VERSION}`,
  );
  // A newer document takes the place of an older one, which stays.
  const replacement = `${isUsable} AND NEW.status = 'superseded' AND ${NEXT_VERSION} AND NOT ${anyChanges(UPLOADED)}`;

  await refuseUpdate(
    knex,
    'document',
    'live_stays',
    exceptFor(
      `OLD.environment = 'live' AND OLD IS DISTINCT FROM NEW`,
      replacement,
      erasure,
      sealing,
      rejection,
      erasureOfFile,
    ),
  );
  await refuseUpdate(
    knex,
    'document',
    'erased_stays',
    exceptFor('OLD.erased_at IS NOT NULL AND OLD IS DISTINCT FROM NEW', sealing, rejection, erasureOfFile),
  );
  await refuseUpdate(
    knex,
    'document',
    'sealed_stays',
    'OLD.sealed_at IS NOT NULL AND NEW.sealed_at IS DISTINCT FROM OLD.sealed_at',
  );
  await refuseUpdate(
    knex,
    'document',
    'file_stays_erased',
    'OLD.file_erased_at IS NOT NULL AND NEW.file_erased_at IS DISTINCT FROM OLD.file_erased_at',
  );
}

/** Lets a live document be deleted from a draft only: its application's row says whether it is evidence by now. */
async function keepEvidence(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION refuse_evidence_deletion() RETURNS trigger LANGUAGE plpgsql
      SET search_path = pg_catalog, public, pg_temp AS $$
    BEGIN
      PERFORM FROM application WHERE tenant_id = OLD.tenant_id AND id = OLD.application_id AND status = 'draft';
      IF NOT FOUND THEN
        RAISE EXCEPTION 'live documents are deleted from drafts only' USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN OLD;
    END $$;
    CREATE TRIGGER drafts_only BEFORE DELETE ON document FOR EACH ROW WHEN (OLD.environment = 'live')
      EXECUTE FUNCTION refuse_evidence_deletion()`);
}

/** Creates the record that a document existed, by which the timeline of its application finds its events. */
async function createDeletedDocuments(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE deleted_document (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      application_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      deleted_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX deleted_document_by_application ON deleted_document (tenant_id, application_id, deleted_at, id)`);
  await isolateTenant(knex, 'deleted_document', { app: 'SELECT' });
  await refuseUpdate(knex, 'deleted_document', 'recorded_stays', 'OLD IS DISTINCT FROM NEW');
  await refuseDeletion(knex, 'deleted_document', 'sandbox_only', `OLD.environment = 'live'`);
}
