import type { Knex } from 'knex';
import { grant, letThrough, refuseUpdate } from './row-level-security.ts';

const BIOMETRIC = `type IN ('selfie', 'selfie_video')`;

/**
 * Pictures of the body whose file is erased while their record stays (LGPD, art. 16). Only the file goes: hash and
 * status are evidence of what was decided on. The same picture may be taken in again after that, so it is unique among
 * the files that are there.
 */
export async function erasedFiles(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE document ADD COLUMN file_erased_at timestamptz(3)');
  await letThrough(
    knex,
    'document',
    `OLD.file_erased_at IS NULL AND NEW.file_erased_at IS NOT NULL AND OLD.${BIOMETRIC} AND ` +
      'NEW.version = OLD.version + 1',
    ['file_erased_at', 'version', 'updated_at'],
  );
  await refuseUpdate(
    knex,
    'document',
    'file_stays_erased',
    'OLD.file_erased_at IS NOT NULL AND NEW.file_erased_at IS DISTINCT FROM OLD.file_erased_at',
  );
  await knex.raw('ALTER TABLE document DROP CONSTRAINT document_content_key');
  await knex.raw(
    `CREATE UNIQUE INDEX document_content_key ON document (tenant_id, application_id, sha256)
      WHERE file_erased_at IS NULL`,
  );
  await knex.raw(
    `CREATE INDEX document_biometric ON document (tenant_id, environment, application_id)
      WHERE ${BIOMETRIC} AND file_erased_at IS NULL AND status <> 'erased'`,
  );
  // What is stored counts towards the quota of the tenant, which the platform tells.
  await grant(knex, 'document', { platform: 'SELECT (file_erased_at)' });
}
