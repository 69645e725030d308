import type { Knex } from 'knex';
import { anyChanges, grant, grantWritable, refuseUpdate } from './row-level-security.ts';

/** The columns that an erasure empties, of every table that holds something about an applicant. What is left names nobody. */
const PERSONAL: Readonly<Record<string, readonly string[]>> = {
  application: [
    'full_name', 'applicant', 'metadata', 'external_id', 'status_note', 'tax_id_mac', 'email_mac', 'expires_at', 'version', 'updated_at',
  ],
  consent: ['ip', 'user_agent'],
  decision: ['note', 'applicant_message', 'four_eyes_reasons'],
  document: ['file_name', 'country', 'expires_on', 'signals', 'status', 'version', 'updated_at'],
  information_request: ['items', 'internal_note'],
  second_review: ['note'],
};

/** When a relationship ended, from which the law counts; and that a record was erased, which is the one change that what has ended still takes. */
export async function erasure(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE application ADD COLUMN relationship_ended_at timestamptz(3)');
  for (const table of Object.keys(PERSONAL)) await knex.raw(`ALTER TABLE ${table} ADD COLUMN erased_at timestamptz(3)`);
  await letRelationshipsEnd(knex);
  for (const [table, personal] of Object.entries(PERSONAL)) {
    await letErase(knex, table, personal);
    await grantWritable(knex, table);
  }
  await grant(knex, 'application', { platform: 'SELECT (relationship_ended_at, erased_at)' });
}

/** Of what was decided, only that an approved person is no longer a customer is added; and, as before, it may be reopened. */
async function letRelationshipsEnd(knex: Knex): Promise<void> {
  const others = await columnsExcept(knex, 'application', ['relationship_ended_at', 'status_note', 'version', 'updated_at']);
  await knex.raw('DROP TRIGGER decided_stays ON application');
  await refuseUpdate(knex, 'application', 'decided_stays', `OLD.status IN ('approved', 'rejected') AND OLD IS DISTINCT FROM NEW
    AND NOT (NEW.status = 'in_review' AND NEW.version = OLD.version + 1 AND NEW.valid_until IS NULL AND NEW.decided_at IS NOT DISTINCT FROM OLD.decided_at)
    AND NOT (OLD.status = 'approved' AND OLD.relationship_ended_at IS NULL AND NEW.relationship_ended_at IS NOT NULL AND NEW.version = OLD.version + 1 AND NOT ${anyChanges(others)})`);
}

/** What refuses updates of the table lets an erasure through, which changes nothing but the personal columns; afterwards nothing changes at all. */
async function letErase(knex: Knex, table: string, personal: readonly string[]): Promise<void> {
  const others = await columnsExcept(knex, table, ['erased_at', ...personal]);
  const erasing = `OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL AND NOT ${anyChanges(others)}`;
  const { rows } = await knex.raw<{ rows: { name: string; condition: string }[] }>(`
    SELECT tgname AS name, substring(pg_get_triggerdef(oid) FROM 'WHEN \\((.*)\\) EXECUTE FUNCTION') AS condition FROM pg_trigger
    WHERE tgrelid = ?::regclass AND tgfoid = 'refuse_change'::regproc AND pg_get_triggerdef(oid) LIKE '% BEFORE UPDATE ON %'`, [table]);
  for (const { name, condition } of rows) {
    await knex.raw(`DROP TRIGGER ${name} ON ${table}`);
    await refuseUpdate(knex, table, name, `(${condition}) AND NOT (${erasing})`);
  }
  await refuseUpdate(knex, table, 'erased_stays', 'OLD.erased_at IS NOT NULL AND OLD IS DISTINCT FROM NEW');
}

async function columnsExcept(knex: Knex, table: string, except: readonly string[]): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    'SELECT attname AS name FROM pg_attribute WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum', [table]);
  return rows.map(({ name }) => name).filter((name) => !except.includes(name));
}
