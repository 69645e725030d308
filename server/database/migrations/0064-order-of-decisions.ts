import type { Knex } from 'knex';
import { forceRowSecurity, refuseUpdate } from './row-level-security.ts';

/** Tables whose last row about something counts, with the columns of what it is about. */
const ORDERED: Readonly<Record<string, string>> = {
  hit_decision: 'tenant_id, subject_id, list_id, entity_mac',
  screening: 'tenant_id, subject_id',
  decision: 'tenant_id, application_id',
  waiver: 'tenant_id, application_id',
  consent: 'tenant_id, application_id',
  attestation: 'tenant_id, application_id',
  information_request: 'tenant_id, application_id',
};

/** Indexes by the time at which a request began, which are used no longer. */
const REPLACED = [
  'hit_decision_by_subject',
  'screening_by_subject',
  'decision_by_application',
  'waiver_by_application',
  'consent_by_application',
  'attestation_by_application',
  'information_request_by_application',
];

/**
 * What was decided is ordered by a number that the database gives while it holds the lock of what is decided about. The
 * time at which a request began is no order: of two requests, the one that began earlier may wait for the lock longer.
 */
export async function orderOfDecisions(knex: Knex): Promise<void> {
  for (const [table, subject] of Object.entries(ORDERED)) {
    await knex.raw(`ALTER TABLE ${table} ADD COLUMN sequence bigint`);
    // The owner of the tables is held to row-level security too, and sees no tenant here.
    await knex.raw(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
    await knex.raw(
      `UPDATE ${table} t SET sequence = numbered.place FROM (SELECT tenant_id, id, row_number() OVER (ORDER BY ` +
        `created_at, id) AS place FROM ${table}) AS numbered WHERE numbered.tenant_id = ` +
        't.tenant_id AND numbered.id = t.id',
    );
    await knex.raw(
      `ALTER TABLE ${table} ALTER COLUMN sequence SET NOT NULL, ALTER COLUMN sequence ADD GENERATED ALWAYS AS IDENTITY`,
    );
    await knex.raw(
      `SELECT setval(pg_get_serial_sequence('${table}', 'sequence'), coalesce(max(sequence), 0) + 1, false)
        FROM ${table}`,
    );
    await forceRowSecurity(knex, table);
    await knex.raw(`CREATE INDEX ${table}_in_order ON ${table} (${subject}, sequence)`);
    await refuseUpdate(
      knex,
      table,
      'order_stays',
      table === 'hit_decision'
        ? `OLD.state <> 'proposed' AND NEW.sequence <> OLD.sequence`
        : 'NEW.sequence <> OLD.sequence',
    );
  }
  for (const index of REPLACED) await knex.raw(`DROP INDEX ${index}`);
}
