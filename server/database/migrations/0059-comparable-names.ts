import type { Knex } from 'knex';
import { refuseUpdate } from './row-level-security.ts';

/**
 * Whether every name of who was screened could be compared. The names are sealed, so the result of a screening cannot
 * be told again from them when its hits are decided.
 */
export async function comparableNames(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE screening ADD COLUMN comparable boolean NOT NULL DEFAULT true');
  await refuseUpdate(knex, 'screening', 'comparable_stays', 'NEW.comparable <> OLD.comparable');
}
