import type { Knex } from 'knex';
import { isolateTenant, keepIdentity } from './row-level-security.ts';

/**
 * Entries of lists that a tenant has simulated in its sandbox: each is an applicant of its own, sealed with the key of
 * the application, so that nothing of it can be read once that is erased.
 */
export async function simulatedEntries(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE simulated_entry (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment = 'sandbox'),
      application_id uuid NOT NULL,
      list_id text NOT NULL,
      content jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw('CREATE INDEX simulated_entry_by_application ON simulated_entry (tenant_id, application_id, id)');
  await isolateTenant(knex, 'simulated_entry', { app: 'SELECT' });
  await keepIdentity(knex, 'simulated_entry');
}
