import type { Knex } from 'knex';
import { grant } from './row-level-security.ts';

/** How much mail callers caused within a day, by keyed hashes of who caused it and who got it. */
export async function mailQuota(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE mail_quota (
      key text PRIMARY KEY,
      used integer NOT NULL CHECK (used > 0),
      began_at timestamptz(3) NOT NULL
    )`);
  await knex.raw('CREATE INDEX mail_quota_by_began ON mail_quota (began_at)');
  await grant(knex, 'mail_quota', { platform: 'SELECT, INSERT, UPDATE, DELETE' });
}
