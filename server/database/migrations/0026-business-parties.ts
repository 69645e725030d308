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

/** Applications of the people of companies. A link stands beside the graph, so that the graph keeps its version. */
export async function businessParties(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE business_party (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      business_id uuid NOT NULL,
      party_key text NOT NULL,
      linked_application_id uuid NOT NULL,
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      erased_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, business_id) REFERENCES business (tenant_id, id) ON DELETE CASCADE,
      FOREIGN KEY (tenant_id, linked_application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX business_party_by_business ON business_party (tenant_id, business_id, party_key);
    CREATE INDEX business_party_by_application ON business_party (tenant_id, linked_application_id)`);
  await isolateTenant(knex, 'business_party', { app: 'SELECT' });
  await keepIdentity(knex, 'business_party');
  await refuseUpdate(
    knex,
    'business_party',
    'link_stays',
    exceptFor(
      anyChanges(await columnsExcept(knex, 'business_party', [])),
      await changesOnly(
        knex,
        'business_party',
        ['party_key', 'erased_at'],
        'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL',
      ),
    ),
  );
}
