/**
 * Migration that adds leases to tasks. Run once for each database by migrate.ts, in the order of the numbers. It must
 * never be edited once it is released, because databases have recorded it as done.
 */
import type { Knex } from 'knex';

/** A worker that does the work of a task without a transaction has a lease on it (server/tasks). */
export async function leases(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE task ADD COLUMN lease uuid');
}
