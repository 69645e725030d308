/** A minimal application, written directly. Used by tests of the database. */
import { uuidv7 } from '../../server/base/uuid.ts';
import { type Database, knex } from '../../server/database/index.ts';

/** Writes a minimal application of the tenant as the app role, and returns its id. */
export async function addApplication(
  database: Database,
  tenantId: string,
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const id = uuidv7();
  await database.transaction({ tenantId }, (tx) =>
    tx.query(
      knex('application').insert({
        tenant_id: tenantId,
        id,
        environment: 'sandbox',
        status: 'draft',
        level: 'standard',
        purpose: 'account_opening',
        channel: 'api',
        full_name: 'Maria da Silva',
        applicant: { fullName: 'Maria da Silva' },
        created_by: { type: 'system' },
        ...overrides,
      }),
    ),
  );
  return id;
}
