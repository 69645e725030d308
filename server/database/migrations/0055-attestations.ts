import type { Knex } from 'knex';
import { isolateTenant, keepIdentity, letThrough, refuseDeletion, refuseUpdate } from './row-level-security.ts';

/** What people looked up about the person of an application. Rows are added, and never changed but by an erasure. */
export async function attestations(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE attestation (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      application_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      requirement_key text NOT NULL,
      outcome text NOT NULL CHECK (outcome IN ('pass', 'fail')),
      source text NOT NULL,
      looked_up_at timestamptz(3) NOT NULL,
      note text NOT NULL,
      subject text NOT NULL,
      evidence_document_id uuid,
      created_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, evidence_document_id) REFERENCES document (tenant_id, id)
    )`);
  await knex.raw('CREATE INDEX attestation_by_application ON attestation (tenant_id, application_id, created_at, id)');
  await knex.raw(
    `CREATE INDEX attestation_by_evidence ON attestation (tenant_id, evidence_document_id)
      WHERE evidence_document_id IS NOT NULL`,
  );
  await isolateTenant(knex, 'attestation', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'attestation');
  await refuseUpdate(knex, 'attestation', 'recorded_stays', 'OLD IS DISTINCT FROM NEW');
  await letThrough(knex, 'attestation', 'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL', [
    'erased_at',
    'source',
    'note',
    'subject',
  ]);
  await refuseDeletion(knex, 'attestation', 'sandbox_only', `OLD.environment = 'live'`);
}
