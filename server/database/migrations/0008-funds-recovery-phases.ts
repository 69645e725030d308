import type { Knex } from 'knex';
import { isolateTenant } from './row-level-security.ts';

/**
 * One row per recovery, written with its events: the status and the instant its phase began. The polling cadence
 * asks which phases are open; asking the events would cost more as the feed grows.
 */
export async function fundsRecoveryPhases(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE fr_recovery (
      tenant_id uuid NOT NULL,
      env text NOT NULL,
      funds_recovery_id uuid NOT NULL,
      status text NOT NULL,
      phase_began_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, env, funds_recovery_id),
      FOREIGN KEY (tenant_id, env) REFERENCES fr_feed (tenant_id, env)
    )`);
  await knex.raw(`
    CREATE INDEX fr_recovery_open ON fr_recovery (tenant_id, env, status, phase_began_at)
      WHERE status NOT IN ('COMPLETED', 'CANCELLED')`);
  await isolateTenant(knex, 'fr_recovery', { app: 'SELECT, INSERT, UPDATE, DELETE' });
  await knex.raw(`
    CREATE TRIGGER sandbox_only BEFORE DELETE ON fr_recovery FOR EACH ROW WHEN (OLD.env = 'live')
      EXECUTE FUNCTION refuse_live_deletion()`);
}
