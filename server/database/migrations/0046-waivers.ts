import type { Knex } from 'knex';
import { isolateTenant, keepIdentity, letThrough, refuseDeletion, refuseUpdate } from './row-level-security.ts';

/**
 * Requirements that a person waived for one application, and took back. Rows are added, and never
 * changed but by an erasure.
 */
export async function waivers(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE waiver (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      application_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      action text NOT NULL CHECK (action IN ('granted', 'revoked')),
      requirement_key text NOT NULL,
      reason_code text NOT NULL,
      note text NOT NULL,
      created_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw('CREATE INDEX waiver_by_application ON waiver (tenant_id, application_id, created_at, id)');
  await isolateTenant(knex, 'waiver', { app: 'SELECT' });
  await keepIdentity(knex, 'waiver');
  await refuseUpdate(knex, 'waiver', 'recorded_stays', 'OLD IS DISTINCT FROM NEW');
  await letThrough(knex, 'waiver', 'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL', ['erased_at', 'note']);
  await refuseDeletion(knex, 'waiver', 'sandbox_only', `OLD.environment = 'live'`);
}
