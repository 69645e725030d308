import type { Knex } from 'knex';
import { allowPlatform } from './row-level-security.ts';

/** Recoveries are listed by their last change and by what is due, those included that a sandbox made up. */
export async function recoveryReading(knex: Knex): Promise<void> {
  await knex.raw('CREATE INDEX fr_record_by_change ON fr_record (tenant_id, env, last_modified, funds_recovery_id)');
  await knex.raw(
    `CREATE INDEX fr_record_by_deadline ON fr_record (tenant_id, env, next_deadline_at)
      WHERE next_deadline_at IS NOT NULL`,
  );
  // Null: no directory was ever asked for it, nor is to be. A simulation made it up.
  await knex.raw('ALTER TABLE fr_record ALTER COLUMN last_read_at DROP NOT NULL');
  await knex.raw('DROP POLICY polling ON fr_record');
  await allowPlatform(knex, 'fr_record', 'polling', 'SELECT', "env = 'sandbox' AND last_read_at IS NOT NULL");
}
