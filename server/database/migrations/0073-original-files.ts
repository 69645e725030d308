import type { Knex } from 'knex';

/** The checksum of a file as it was sent, if a part of it is kept only. It says whether the same file comes again. */
export async function originalFiles(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE document ADD COLUMN original_sha256 text CHECK (original_sha256 ~ '^[0-9a-f]{64}$')`);
  await knex.raw('DROP INDEX document_content_key');
  await knex.raw(
    `CREATE UNIQUE INDEX document_content_key
      ON document (tenant_id, application_id, coalesce(original_sha256, sha256)) WHERE file_erased_at IS NULL`,
  );
  await knex.raw('DROP INDEX document_by_sha256');
  await knex.raw(
    'CREATE INDEX document_by_original ON document (tenant_id, environment, coalesce(original_sha256, sha256))',
  );
}
