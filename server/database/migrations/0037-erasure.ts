import type { Knex } from 'knex';
import { anyChanges, columnsExcept, grant, letThrough, refuseUpdate } from './row-level-security.ts';

/**
 * The columns that an erasure empties, of every table that holds something about an applicant.
 * What is left names nobody.
 */
const PERSONAL: Readonly<Record<string, readonly string[]>> = {
  application: [
    'full_name',
    'applicant',
    'metadata',
    'external_id',
    'status_note',
    'tax_id_mac',
    'email_mac',
    'expires_at',
    'version',
    'updated_at',
  ],
  consent: ['ip', 'user_agent'],
  decision: ['note', 'applicant_message', 'four_eyes_reasons'],
  document: ['file_name', 'country', 'expires_on', 'signals', 'status', 'version', 'updated_at'],
  information_request: ['items', 'internal_note'],
  second_review: ['note'],
};

/**
 * When a relationship ended, from which the law counts; and that a record was erased, which is the one change that
 * what has ended still takes.
 */
export async function erasure(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE application ADD COLUMN relationship_ended_at timestamptz(3)');
  for (const table of Object.keys(PERSONAL)) await knex.raw(`ALTER TABLE ${table} ADD COLUMN erased_at timestamptz(3)`);
  await letRelationshipsEnd(knex);
  for (const [table, personal] of Object.entries(PERSONAL)) {
    // Of its other columns an erasure changes none; afterwards nothing changes at all.
    await letThrough(knex, table, 'OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL', ['erased_at', ...personal]);
    await refuseUpdate(knex, table, 'erased_stays', 'OLD.erased_at IS NOT NULL AND OLD IS DISTINCT FROM NEW');
  }
  await grant(knex, 'application', { platform: 'SELECT (relationship_ended_at, erased_at)' });
}

/**
 * Of what was decided, only that an approved person is no longer a customer is added; and, as
 * before, it may be reopened.
 */
async function letRelationshipsEnd(knex: Knex): Promise<void> {
  const others = await columnsExcept(knex, 'application', [
    'relationship_ended_at',
    'status_note',
    'version',
    'updated_at',
  ]);
  await knex.raw('DROP TRIGGER decided_stays ON application');
  await refuseUpdate(
    knex,
    'application',
    'decided_stays',
    `OLD.status IN ('approved', 'rejected') AND OLD IS DISTINCT FROM NEW
    AND NOT (NEW.status = 'in_review' AND NEW.version = OLD.version + 1 AND NEW.valid_until IS NULL
      AND NEW.decided_at IS NOT DISTINCT FROM OLD.decided_at)
    AND NOT (OLD.status = 'approved' AND OLD.relationship_ended_at IS NULL AND NEW.relationship_ended_at IS NOT NULL
      AND NEW.version = OLD.version + 1 AND NOT ${anyChanges(others)})`,
  );
}
