import type { Knex } from 'knex';
import {
  anyChanges,
  changesOnly,
  columnsExcept,
  exceptFor,
  isolateTenant,
  keepIdentity,
  refuseUpdate,
} from '../row-level-security.ts';

/** Answers of registries of companies, and differences from what is declared. */
export async function companyRegistry(knex: Knex): Promise<void> {
  await createAnswers(knex);
  await createDifferences(knex);
}

/** An answer is written once; only an erasure empties it. */
async function createAnswers(knex: Knex): Promise<void> {
  const erased = ['finding', 'erased_at'];
  await knex.raw(`
    CREATE TABLE registry_answer (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      business_id uuid NOT NULL,
      source text NOT NULL,
      situation text NOT NULL,
      state text,
      city text,
      finding text NOT NULL,
      content_hash text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES business (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX registry_answer_by_business ON registry_answer (tenant_id, business_id, id)`);
  await isolateTenant(knex, 'registry_answer', { app: 'SELECT' });
  await keepIdentity(knex, 'registry_answer');
  await refuseUpdate(
    knex,
    'registry_answer',
    'answer_stays',
    exceptFor(
      anyChanges(await columnsExcept(knex, 'registry_answer', [])),
      await changesOnly(knex, 'registry_answer', erased, 'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL'),
    ),
  );
}

async function createDifferences(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE registry_difference (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      business_id uuid NOT NULL,
      field text NOT NULL,
      severity text NOT NULL,
      -- What differs, sealed, and a digest of it by which it is found again.
      declared text,
      registered text,
      content_hash text NOT NULL,
      resolution text,
      note text,
      resolved_at timestamptz(3),
      resolved_by jsonb,
      -- When it was no longer found.
      ended_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES business (tenant_id, id) ON DELETE CASCADE,
      CHECK ((resolution IS NULL) = (resolved_at IS NULL AND resolved_by IS NULL))
    );
    CREATE INDEX registry_difference_by_business ON registry_difference (tenant_id, business_id, id)`);
  await isolateTenant(knex, 'registry_difference', { app: 'SELECT' });
  await keepIdentity(knex, 'registry_difference');
  await refuseUpdate(
    knex,
    'registry_difference',
    'difference_stays',
    exceptFor(
      anyChanges(['business_id', 'field', 'severity', 'declared', 'registered', 'content_hash']),
      await changesOnly(
        knex,
        'registry_difference',
        ['declared', 'registered', 'note', 'erased_at'],
        'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL',
      ),
    ),
  );
  await refuseUpdate(knex, 'registry_difference', 'erased_stays', 'OLD.erased_at IS NOT NULL');
}
