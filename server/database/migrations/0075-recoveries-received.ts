import type { Knex } from 'knex';

/**
 * Finds out at the cost of one index entry whether a tenant receives infraction reports, which decides how
 * often it reads the feed.
 */
export async function recoveriesReceived(knex: Knex): Promise<void> {
  await knex.raw("CREATE INDEX fr_record_received ON fr_record (tenant_id, env) WHERE role <> 'SENT'");
}
