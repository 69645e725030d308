import type { Knex } from 'knex';
import { isolateTenant } from './row-level-security.ts';

/**
 * What has been seen of the steps towards going live: whether a step is done is computed from what it is about, and
 * only that it was once done, fell back or was put aside is remembered here.
 */
export async function onboarding(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE onboarding_step (
      tenant_id uuid NOT NULL,
      step_key text NOT NULL,
      completed_at timestamptz(3),
      regressed_at timestamptz(3),
      dismissed_at timestamptz(3),
      dismissed_by jsonb,
      dismissed_reason text,
      PRIMARY KEY (tenant_id, step_key),
      CHECK (regressed_at IS NULL OR completed_at IS NOT NULL),
      CHECK ((dismissed_at IS NULL) = (dismissed_by IS NULL) AND (dismissed_at IS NULL) = (dismissed_reason IS NULL))
    )`);
  await isolateTenant(knex, 'onboarding_step', { app: 'SELECT, INSERT, UPDATE' });
}
