import type { Knex } from 'knex';
import { roles } from '../roles.ts';
import { grant, keepIdentity } from './row-level-security.ts';

/**
 * Versions of watch lists that lack so much of the active one that a second administrator of the platform
 * has to send the same file.
 */
export async function proposedLists(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE watch_list_proposal (
      id uuid PRIMARY KEY,
      list_id text NOT NULL,
      -- The sequence of the live version that it was compared with.
      after integer NOT NULL CHECK (after > 0),
      version text NOT NULL,
      format text NOT NULL,
      published_on date,
      sha256 text NOT NULL,
      entry_count integer NOT NULL,
      added integer NOT NULL,
      changed integer NOT NULL,
      match_changed integer NOT NULL,
      removed integer NOT NULL,
      proposed_at timestamptz(3) NOT NULL,
      proposed_by jsonb NOT NULL
    )`);
  await knex.raw('CREATE INDEX watch_list_proposal_by_list ON watch_list_proposal (list_id)');
  await knex.raw(`GRANT SELECT ON watch_list_proposal TO ${roles.platform}`);
  await keepIdentity(knex, 'watch_list_proposal');
  // What staff of the platform propose is reviewed by staff of the platform.
  await knex.raw(`ALTER TABLE second_review DROP CONSTRAINT checker_is_another, ADD CONSTRAINT checker_is_another
    CHECK (checker IS NULL OR (checker ->> 'type' = CASE subject_type WHEN 'list_version' THEN 'platform_user'
      ELSE 'user' END AND checker ->> 'id' <> ALL (maker_persons)))`);
  await grant(knex, 'second_review', { platform: 'SELECT' });
}
