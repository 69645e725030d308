import type { Knex } from 'knex';
import { isolateTenant, keepIdentity } from './row-level-security.ts';

/**
 * Recoveries that a list of the directory names and that were not read yet. So a list is read on at its own cadence
 * although reading recoveries takes longer, and a crash forgets none of them.
 */
export async function unreadRecoveries(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE dict_unread (
      tenant_id uuid NOT NULL REFERENCES tenant,
      env text NOT NULL CHECK (env IN ('live', 'sandbox')),
      -- The participant that it concerns.
      ispb text NOT NULL,
      funds_recovery_id uuid NOT NULL,
      listed_at timestamptz(3) NOT NULL,
      -- The documents that the lists showed: a counterparty gets its own from nowhere else.
      reports jsonb NOT NULL,
      refunds jsonb NOT NULL,
      PRIMARY KEY (tenant_id, env, ispb, funds_recovery_id)
    )`);
  await knex.raw('CREATE INDEX dict_unread_by_time ON dict_unread (tenant_id, env, ispb, listed_at)');
  await isolateTenant(knex, 'dict_unread', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'dict_unread');
}
