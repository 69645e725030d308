import type { Knex } from 'knex';
import { grantWritable } from './row-level-security.ts';

/** All times of a record come from the clock of the service: with the database's clock beside it, a record could be changed before it was created. */
export async function timesOfTheService(knex: Knex): Promise<void> {
  for (const table of ['tenant', 'tenant_settings', 'user_account']) await grantWritable(knex, table);
}
