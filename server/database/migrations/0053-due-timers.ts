/** Lets the periodic job of timers find in one statement which tenants have any that are due. */
import type { Knex } from 'knex';
import { allowPlatform, grant } from '../row-level-security.ts';

export async function dueTimers(knex: Knex): Promise<void> {
  await allowPlatform(knex, 'workflow_timer', 'due', 'SELECT');
  await grant(knex, 'workflow_timer', { platform: 'SELECT' });
}
