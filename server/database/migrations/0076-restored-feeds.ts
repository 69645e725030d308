import type { Knex } from 'knex';
import { allowPlatform, refuseUpdate } from './row-level-security.ts';

/**
 * Lets the service end all cursors of a feed after a restore: a new generation of a live feed is allowed where
 * nothing else of the feed changes. The platform role compares the positions of all feeds with the marker that is
 * kept outside the database.
 */
export async function restoredFeeds(knex: Knex): Promise<void> {
  await knex.raw('DROP TRIGGER live_goes_on ON fr_feed');
  await refuseUpdate(
    knex,
    'fr_feed',
    'live_goes_on',
    `
    OLD.env = 'live' AND NEW.generation <> OLD.generation AND (NEW.last_seq, NEW.floor_seq) <> (OLD.last_seq, OLD.floor_seq)`,
  );
  await allowPlatform(knex, 'fr_feed', 'restored', 'SELECT');
}
