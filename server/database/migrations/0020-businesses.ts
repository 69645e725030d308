import type { Knex } from 'knex';
import { isolateTenant, keepIdentity, refuseDeletion, refuseUpdate } from '../row-level-security.ts';

/** Companies of a tenant. The registration names the company, so it never changes. */
export async function businesses(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE business (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      external_id text,
      legal_name text NOT NULL,
      trade_name text,
      registration jsonb NOT NULL,
      registration_number text NOT NULL,
      legal_form text NOT NULL,
      version integer NOT NULL,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )`);
  await knex.raw(`
    CREATE UNIQUE INDEX business_by_registration
      ON business (tenant_id, environment, registration_number, registration);
    CREATE UNIQUE INDEX business_by_external_id ON business (tenant_id, environment, external_id);
    CREATE INDEX business_by_creation ON business (tenant_id, environment, created_at, id)`);
  await isolateTenant(knex, 'business', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'business');
  await refuseUpdate(
    knex,
    'business',
    'registration_stays',
    `ROW (OLD.registration, OLD.registration_number) IS DISTINCT FROM ROW (NEW.registration, NEW.registration_number)`,
  );
  await refuseDeletion(knex, 'business', 'sandbox_only', `OLD.environment = 'live'`);
}
