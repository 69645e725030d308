import type { Knex } from 'knex';
import { isolateTenant } from './row-level-security.ts';

/**
 * KYC applications and their documents: columns for what is filtered, sorted or checked, JSON for the rest.
 * Tables that every request writes do not reference `tenant`: each check would lock its one row again. The
 * audit row of the same transaction fails for a tenant that does not exist.
 */
export async function applications(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE application (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      external_id text,
      status text NOT NULL CHECK (status IN ('draft', 'submitted', 'in_review', 'needs_information', 'pending_approval',
        'approved', 'rejected', 'withdrawn', 'expired')),
      status_reason text,
      status_note text,
      level text NOT NULL CHECK (level IN ('basic', 'standard', 'enhanced')),
      purpose text NOT NULL
        CHECK (purpose IN ('account_opening', 'periodic_review', 'event_review', 'merchant_onboarding', 'other')),
      channel text NOT NULL CHECK (channel IN ('web', 'mobile', 'branch', 'partner', 'api')),
      full_name text NOT NULL,
      tax_id_mac bytea CHECK (octet_length(tax_id_mac) = 32),
      email_mac bytea CHECK (octet_length(email_mac) = 32),
      applicant jsonb NOT NULL,
      product_codes text[] NOT NULL DEFAULT '{}',
      metadata jsonb NOT NULL DEFAULT '{}',
      submitted_at timestamptz(3),
      decided_at timestamptz(3),
      expires_at timestamptz(3),
      resubmission_count integer NOT NULL DEFAULT 0,
      created_by jsonb NOT NULL,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, id),
      CONSTRAINT application_external_id_key UNIQUE (tenant_id, environment, external_id)
    )`);
  for (const column of ['created_at', 'updated_at', 'submitted_at']) {
    await knex.raw(`CREATE INDEX application_by_${column} ON application (tenant_id, environment, ${column}, id)`);
  }
  await knex.raw(
    `CREATE INDEX application_by_tax_id ON application (tenant_id, environment, tax_id_mac)
      WHERE tax_id_mac IS NOT NULL`,
  );
  await knex.raw(
    'CREATE INDEX application_by_email ON application (tenant_id, environment, email_mac) WHERE email_mac IS NOT NULL',
  );
  await isolateTenant(knex, 'application', { app: 'SELECT, INSERT, UPDATE, DELETE' });

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
      page_count integer,
      status text NOT NULL DEFAULT 'uploaded'
        CHECK (status IN ('uploaded', 'accepted', 'rejected', 'superseded', 'erased')),
      rejection_code text,
      signals text[] NOT NULL DEFAULT '{}',
      storage_key text NOT NULL,
      created_by jsonb NOT NULL,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      updated_at timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE,
      CONSTRAINT document_content_key UNIQUE (tenant_id, application_id, sha256)
    )`);
  await knex.raw('CREATE INDEX document_by_application ON document (tenant_id, application_id, created_at, id)');
  // The same file in another application is a fraud signal.
  await knex.raw('CREATE INDEX document_by_sha256 ON document (tenant_id, environment, sha256)');
  await isolateTenant(knex, 'document', { app: 'SELECT, INSERT, UPDATE, DELETE' });

  await knex.raw(`
    CREATE FUNCTION refuse_live_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'live rows of % are never deleted', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END $$`);
  for (const table of ['application', 'document']) {
    await knex.raw(`
      CREATE TRIGGER sandbox_only BEFORE DELETE ON ${table} FOR EACH ROW WHEN (OLD.environment = 'live')
        EXECUTE FUNCTION refuse_live_deletion()`);
  }
}
