import type { Knex } from 'knex';
import { grant } from './row-level-security.ts';

/** Where people signed in before, so that the failures of strangers elsewhere do not lock them out there. */
export async function knownPlaces(knex: Knex): Promise<void> {
  // account: the keyed hash of the e-mail address that a counter is about, so that all of one account end together.
  await knex.raw('ALTER TABLE login_throttle ADD COLUMN account text');
  await knex.raw('CREATE INDEX login_throttle_by_account ON login_throttle (account)');
  // place: a keyed hash of the account with the site of a client's address or with the token of a device.
  await knex.raw(`
    CREATE TABLE known_place (
      account text NOT NULL,
      place text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('site', 'device')),
      seen_at timestamptz(3) NOT NULL,
      PRIMARY KEY (account, place)
    )`);
  await knex.raw('CREATE INDEX known_place_by_seen ON known_place (seen_at)');
  await grant(knex, 'known_place', { platform: 'SELECT, INSERT, UPDATE, DELETE' });
}
