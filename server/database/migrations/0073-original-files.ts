import type { Knex } from 'knex';
import { forceRowSecurity, grantWritable } from './row-level-security.ts';

/** The checksum of a file as it was sent, which says whether the same file comes again. Until now every file was stored as it was sent. */
export async function originalFiles(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE document ADD COLUMN original_sha256 text CHECK (original_sha256 ~ '^[0-9a-f]{64}$')`);
  // The owner of the table is held to row-level security too, and sees no tenant here.
  await knex.raw('ALTER TABLE document NO FORCE ROW LEVEL SECURITY');
  await knex.raw('UPDATE document SET original_sha256 = sha256');
  await forceRowSecurity(knex, 'document');
  await knex.raw(`
    ALTER TABLE document ALTER COLUMN original_sha256 SET NOT NULL, DROP CONSTRAINT document_content_key,
      ADD CONSTRAINT document_content_key UNIQUE (tenant_id, application_id, original_sha256)`);
  await knex.raw('DROP INDEX document_by_sha256');
  await knex.raw('CREATE INDEX document_by_original ON document (tenant_id, environment, original_sha256)');
  await grantWritable(knex, 'document');
}
