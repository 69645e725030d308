import type { Knex } from 'knex';

/** A worker that does the work of a task without a transaction has a lease on it (server/tasks). */
export async function leases(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE task ADD COLUMN lease uuid');
}
