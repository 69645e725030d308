/**
 * Migration that creates the tables of versioned documents (module definitions). Run once for each database by
 * migrate.ts, in the order of the numbers. It must never be edited once it is released, because databases have recorded
 * it as done.
 */
import type { Knex } from 'knex';
import { isolateTenant, keepIdentity, refuseDeletion, refuseUpdate } from '../row-level-security.ts';

/** Versioned documents that two people put into effect. */
export async function definitions(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE definition (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      kind text NOT NULL,
      key text NOT NULL,
      number integer NOT NULL CHECK (number > 0),
      status text NOT NULL CHECK (status IN ('draft', 'pending_activation', 'active', 'retired')),
      document jsonb NOT NULL,
      checksum text NOT NULL CHECK (checksum ~ '^[0-9a-f]{64}$'),
      created_by jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      activated_at timestamptz(3),
      retired_at timestamptz(3),
      version integer NOT NULL DEFAULT 1,
      updated_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, environment, kind, key, number),
      CHECK ((status = 'retired') = (retired_at IS NOT NULL)),
      CHECK (status <> 'active' OR activated_at IS NOT NULL)
    )`);
  await knex.raw(
    `CREATE UNIQUE INDEX definition_active ON definition (tenant_id, environment, kind, key) WHERE status = 'active'`,
  );
  await isolateTenant(knex, 'definition', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'definition');
  await refuseUpdate(
    knex,
    'definition',
    'name_stays',
    'ROW (OLD.kind, OLD.key, OLD.number) IS DISTINCT FROM ROW (NEW.kind, NEW.key, NEW.number)',
  );
  await refuseUpdate(
    knex,
    'definition',
    'document_stays',
    `OLD.status <> 'draft' AND ROW (OLD.document, OLD.checksum) IS DISTINCT FROM ROW (NEW.document, NEW.checksum)`,
  );
  await refuseUpdate(knex, 'definition', 'retired_stays', `OLD.status = 'retired'`);
  await refuseUpdate(knex, 'definition', 'activated_by_review', `OLD.status = 'draft' AND NEW.status = 'active'`);
  await refuseDeletion(knex, 'definition', 'sandbox_only', `OLD.environment = 'live'`);
  await knex.raw(`
    CREATE TABLE definition_activation (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      definition_id uuid NOT NULL,
      checksum text NOT NULL,
      evidence jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, definition_id) REFERENCES definition (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw(
    'CREATE INDEX definition_activation_by_definition ON definition_activation (tenant_id, definition_id)',
  );
  await isolateTenant(knex, 'definition_activation', { app: 'SELECT, DELETE' });
  await keepIdentity(knex, 'definition_activation');
}
