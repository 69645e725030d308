/**
 * Migration that creates the tables of reports to the authority. Run once for each database by migrate.ts, in the
 * order of the numbers. It must never be edited once it is released, because databases have recorded it as done.
 */
import type { Knex } from 'knex';
import {
  anyChanges,
  isolateTenant,
  keepIdentity,
  refuseDeletion,
  refuseUpdate,
  sealTable,
} from '../row-level-security.ts';

/**
 * Reports to the authority. They refer to no other table, because a lock on the row of their case, or its erasure, must
 * not depend on whether there is a report. Only transactions of the sealed audit log see them.
 */
export async function reports(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE report (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      kind text NOT NULL CHECK (kind IN ('suspicious_operation', 'cash_operation', 'non_occurrence')),
      status text NOT NULL CHECK (status IN ('draft', 'decided_report', 'decided_no_report', 'filed')),
      case_id uuid,
      year integer,
      wrapped_key bytea NOT NULL,
      content text NOT NULL,
      selected_at timestamptz(3),
      selection_due_at timestamptz(3),
      analysis_due_at timestamptz(3),
      decided_at timestamptz(3),
      report_due_at timestamptz(3),
      due_at timestamptz(3),
      was_late boolean NOT NULL,
      filed_at timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      version integer NOT NULL DEFAULT 1,
      PRIMARY KEY (tenant_id, id),
      CHECK (num_nonnulls(case_id, year) = 1),
      CHECK ((kind = 'non_occurrence') = (year IS NOT NULL)),
      CHECK ((status = 'filed') = (filed_at IS NOT NULL)),
      CHECK ((due_at IS NOT NULL) = (status IN ('draft', 'decided_report')))
    );
    CREATE INDEX report_by_time ON report (tenant_id, environment, created_at, id);
    CREATE UNIQUE INDEX report_open ON report (tenant_id, case_id, kind) WHERE status IN ('draft', 'decided_report');
    CREATE UNIQUE INDEX report_of_year ON report (tenant_id, environment, year) WHERE year IS NOT NULL;

    CREATE TABLE report_document (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      report_id uuid NOT NULL,
      file_name text NOT NULL,
      mime_type text NOT NULL,
      size_bytes bigint NOT NULL,
      sha256 text NOT NULL,
      content bytea NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, report_id) REFERENCES report (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX report_document_of_report ON report_document (tenant_id, report_id, id)`);
  for (const table of ['report', 'report_document']) {
    await isolateTenant(knex, table, { app: 'SELECT, DELETE' });
    await sealTable(knex, table);
    await keepIdentity(knex, table);
    await refuseDeletion(knex, table, 'sandbox_only', `OLD.environment = 'live'`);
  }
  await refuseUpdate(knex, 'report', 'kind_stays', anyChanges(['kind', 'case_id', 'year', 'wrapped_key']));
  await refuseUpdate(knex, 'report', 'end_stays', `OLD.status IN ('filed', 'decided_no_report')`);
}
