import type { Knex } from 'knex';
import { anyChanges, isolateTenant, keepIdentity, refuseDeletion, refuseUpdate } from './row-level-security.ts';

/** What is asked; whether it was answered may still change. */
const ASKED = ['application_id', 'items', 'internal_note', 'due_at', 'created_by'];

/** What a document is. */
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

/** What applicants are asked for during a review. */
export async function informationRequests(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE information_request (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      application_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      status text NOT NULL CHECK (status IN ('open', 'answered', 'overdue', 'cancelled')),
      items jsonb NOT NULL,
      internal_note text,
      due_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      answered_at timestamptz(3),
      provided text[] NOT NULL DEFAULT '{}',
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE,
      CHECK ((status = 'answered') = (answered_at IS NOT NULL))
    )`);
  await knex.raw(
    `CREATE INDEX information_request_by_application
      ON information_request (tenant_id, application_id, created_at, id)`,
  );
  await knex.raw(
    `CREATE UNIQUE INDEX information_request_open ON information_request (tenant_id, application_id)
      WHERE status = 'open'`,
  );
  await isolateTenant(knex, 'information_request', { app: 'SELECT' });
  await keepIdentity(knex, 'information_request');
  await refuseUpdate(
    knex,
    'information_request',
    'ended_stays',
    `(OLD.status <> 'open' AND OLD IS DISTINCT FROM NEW) OR ${anyChanges(ASKED)}`,
  );
  await refuseDeletion(knex, 'information_request', 'sandbox_only', `OLD.environment = 'live'`);
  await letAnswersChange(knex);
  await letDocumentsBeSuperseded(knex);
}

/**
 * What was submitted is what is decided, but for what the applicant is asked for; and who does not
 * answer is not waited for.
 */
async function letAnswersChange(knex: Knex): Promise<void> {
  await knex.raw('DROP TRIGGER submitted_stays ON application');
  await refuseUpdate(
    knex,
    'application',
    'submitted_stays',
    `OLD.status <> 'draft' AND (NEW.status = 'draft' OR (NEW.status = 'expired' AND OLD.status <> 'needs_information')
    OR (OLD.submitted_at IS NOT NULL AND NEW.submitted_at IS NULL)
      OR ${anyChanges(['level', 'purpose', 'channel', 'product_codes', 'external_id', 'metadata'])}
    OR (NOT (OLD.status = 'needs_information' AND NEW.status = 'needs_information')
      AND ${anyChanges(['applicant', 'full_name', 'tax_id_mac', 'email_mac'])}))`,
  );
}

/** A newer document takes the place of an older one, which stays. */
async function letDocumentsBeSuperseded(knex: Knex): Promise<void> {
  await knex.raw('DROP TRIGGER live_stays ON document');
  await refuseUpdate(
    knex,
    'document',
    'live_stays',
    `OLD.environment = 'live' AND OLD IS DISTINCT FROM NEW AND (${anyChanges(UPLOADED)}
    OR NOT (OLD.status IN ('uploaded', 'accepted') AND NEW.status = 'superseded' AND NEW.version = OLD.version + 1))`,
  );
}
