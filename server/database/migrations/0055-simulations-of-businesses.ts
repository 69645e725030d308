import type { Knex } from 'knex';
import {
  anyChanges,
  changesOnly,
  columnsExcept,
  exceptFor,
  isolateTenant,
  refuseUpdate,
} from '../row-level-security.ts';

/** What the registry of the sandbox says otherwise of a business, and powers of the sandbox that a simulation ends. */
export async function simulationsOfBusinesses(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE simulated_registry_change (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment = 'sandbox'),
      business_id uuid NOT NULL,
      change text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES business (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX simulated_registry_change_by_business ON simulated_registry_change (tenant_id, business_id, id)`);
  await isolateTenant(knex, 'simulated_registry_change', { app: 'SELECT' });
  await refuseUpdate(
    knex,
    'simulated_registry_change',
    'recorded_stays',
    anyChanges(await columnsExcept(knex, 'simulated_registry_change', [])),
  );
  await letSimulationsEnd(knex);
}

/** Lets the last day of a confirmed power become an earlier one, of the sandbox only. */
async function letSimulationsEnd(knex: Knex): Promise<void> {
  const revision = ['version', 'updated_at'];
  const erasure = await changesOnly(
    knex,
    'power',
    ['instrument', 'confirmation_note', 'erased_at', ...revision],
    'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL',
  );
  const simulated = await changesOnly(
    knex,
    'power',
    ['instrument', 'valid_until', ...revision],
    `OLD.environment = 'sandbox' AND OLD.status = 'active' AND NEW.valid_until IS NOT NULL
      AND (OLD.valid_until IS NULL OR NEW.valid_until < OLD.valid_until)`,
  );
  await knex.raw('DROP TRIGGER confirmed_stays ON power');
  await refuseUpdate(
    knex,
    'power',
    'confirmed_stays',
    exceptFor(
      `OLD.status <> 'draft' AND ${anyChanges([
        'type',
        'instrument',
        'document_id',
        'valid_from',
        'valid_until',
        'rule_count',
        'evidence_digest',
        'review_id',
        'confirmed_at',
        'confirmed_by',
        'confirmation_note',
      ])}`,
      erasure,
      simulated,
    ),
  );
}
