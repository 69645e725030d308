import type { Knex } from 'knex';
import { anyChanges, isolateTenant, keepIdentity, refuseDeletion, refuseUpdate } from './row-level-security.ts';

/** What is exported; how far it is may still change. */
const ASKED = ['format', 'include_proofs', 'filter', 'environments', 'first_sequence'];

/**
 * Exports of the audit log: which part of it, and how far a task has read it. The bytes follow from
 * that, so they are not kept.
 */
export async function auditExports(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE audit_export (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'ready', 'failed')),
      format text NOT NULL CHECK (format IN ('ndjson', 'csv')),
      include_proofs boolean NOT NULL,
      filter jsonb NOT NULL,
      environments text[] NOT NULL,
      first_sequence bigint NOT NULL,
      last_sequence bigint NOT NULL,
      position bigint NOT NULL,
      tree_size bigint,
      event_count bigint NOT NULL DEFAULT 0,
      size_bytes bigint NOT NULL DEFAULT 0,
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      ready_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      CHECK ((status = 'ready') = (ready_at IS NOT NULL))
    )`);
  await knex.raw(`CREATE UNIQUE INDEX audit_export_running ON audit_export (tenant_id) WHERE status = 'running'`);
  await isolateTenant(knex, 'audit_export', { app: 'SELECT' });
  await keepIdentity(knex, 'audit_export');
  await refuseUpdate(
    knex,
    'audit_export',
    'ended_stays',
    `(OLD.status <> 'running' AND OLD IS DISTINCT FROM NEW) OR ${anyChanges(ASKED)}`,
  );
  await refuseDeletion(knex, 'audit_export', 'stays', 'true');
}
