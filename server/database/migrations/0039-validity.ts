import type { Knex } from 'knex';
import { letThrough } from './row-level-security.ts';

/** An approval ends when it no longer holds; whoever was approved may cease to be a customer after that, too. */
export async function validity(knex: Knex): Promise<void> {
  await knex.raw(
    `CREATE INDEX application_by_validity ON application (tenant_id, environment, valid_until)
      WHERE status = 'approved'`,
  );
  await letThrough(
    knex,
    'application',
    "OLD.status = 'approved' AND NEW.status = 'expired' AND OLD.valid_until IS NOT NULL AND " +
      'NEW.version = OLD.version + 1',
    ['status', 'status_reason', 'version', 'updated_at'],
  );
  await letThrough(
    knex,
    'application',
    `OLD.status = 'expired' AND OLD.valid_until IS NOT NULL AND OLD.relationship_ended_at IS NULL
      AND NEW.relationship_ended_at IS NOT NULL AND OLD.erased_at IS NULL
    AND NEW.version = OLD.version + 1`,
    ['relationship_ended_at', 'status_note', 'version', 'updated_at'],
  );
}
