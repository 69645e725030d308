import type { Knex } from 'knex';
import { grant, keepIdentity } from './row-level-security.ts';

/**
 * The credentials of the demo, sealed: there is one for a database, whichever of the processes
 * that share it came first.
 */
export async function demo(knex: Knex): Promise<void> {
  await knex.raw('CREATE TABLE demo (one boolean PRIMARY KEY DEFAULT true CHECK (one), sealed bytea NOT NULL)');
  await grant(knex, 'demo', { platform: 'SELECT' });
  await keepIdentity(knex, 'demo');
}
