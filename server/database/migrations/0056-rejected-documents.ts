import type { Knex } from 'knex';
import { letThrough } from './row-level-security.ts';

/** A document that may be used no longer is rejected, with the reason; whatever else was uploaded stays. */
export async function rejectedDocuments(knex: Knex): Promise<void> {
  await letThrough(
    knex,
    'document',
    "OLD.status IN ('uploaded', 'accepted') AND NEW.status = 'rejected' AND NEW.rejection_code IS NOT NULL AND " +
      'NEW.version = OLD.version + 1',
    ['status', 'rejection_code', 'version', 'updated_at'],
  );
}
