import type { Knex } from 'knex';
import {
  anyChanges,
  columnsExcept,
  grant,
  isolateTenant,
  keepIdentity,
  refuseDeletion,
  refuseUpdate,
} from './row-level-security.ts';

/**
 * Whom a tenant monitors, the runs, and what they have found. `monitored_list` says up to which version of each list
 * everybody was looked at again; it belongs to the platform, because one pass serves all tenants.
 */
export async function monitoring(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE monitoring_subscription (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      application_id uuid NOT NULL,
      checks text[] NOT NULL CHECK (cardinality(checks) > 0),
      interval_days integer,
      status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'ended')),
      pause_reason text,
      pause_until timestamptz(3),
      end_reason text,
      waiting_for text,
      next_run_at timestamptz(3),
      last_run_at timestamptz(3),
      last_result text,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      PRIMARY KEY (tenant_id, id),
      CHECK ((status = 'paused') = (pause_until IS NOT NULL)),
      CHECK ((status = 'ended') = (end_reason IS NOT NULL)),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw(
    `CREATE UNIQUE INDEX monitoring_subscription_standing ON monitoring_subscription (tenant_id, application_id)
      WHERE status <> 'ended'`,
  );
  await knex.raw(
    'CREATE INDEX monitoring_subscription_by_application ON monitoring_subscription (tenant_id, application_id)',
  );
  await knex.raw(
    `CREATE INDEX monitoring_subscription_by_created
      ON monitoring_subscription (tenant_id, environment, created_at, id)`,
  );
  await knex.raw(
    `CREATE INDEX monitoring_subscription_due ON monitoring_subscription (tenant_id, environment, next_run_at)
      WHERE status = 'active' AND next_run_at IS NOT NULL`,
  );
  await knex.raw(`
    CREATE TABLE monitoring_run (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      subscription_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      at timestamptz(3) NOT NULL,
      trigger text NOT NULL,
      result text NOT NULL,
      screening_id uuid,
      new_alerts integer NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, subscription_id) REFERENCES monitoring_subscription (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw('CREATE INDEX monitoring_run_by_subscription ON monitoring_run (tenant_id, subscription_id, at, id)');
  await knex.raw(`
    CREATE TABLE monitoring_alert (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      subscription_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      application_id uuid NOT NULL,
      kind text NOT NULL,
      severity text NOT NULL CHECK (severity IN ('info', 'low', 'medium', 'high', 'critical')),
      status text NOT NULL DEFAULT 'open'
        CHECK (status IN ('open', 'acknowledged', 'dismissed', 'escalated', 'resolved')),
      dedupe_key bytea NOT NULL,
      occurrences integer NOT NULL DEFAULT 1,
      first_seen_at timestamptz(3) NOT NULL,
      last_seen_at timestamptz(3) NOT NULL,
      sla_due_at timestamptz(3) NOT NULL,
      screening_id uuid,
      hit_id uuid,
      list_id text,
      entity_mac bytea,
      entity_hash bytea,
      score double precision,
      score_before double precision,
      document_id uuid,
      due_on date,
      outcome text,
      reason_code text,
      note text,
      triaged_by jsonb,
      triaged_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, application_id, dedupe_key),
      FOREIGN KEY (tenant_id, subscription_id) REFERENCES monitoring_subscription (tenant_id, id) ON DELETE CASCADE
    )`);
  await knex.raw('CREATE INDEX monitoring_alert_by_subscription ON monitoring_alert (tenant_id, subscription_id)');
  await knex.raw(
    'CREATE INDEX monitoring_alert_by_last_seen ON monitoring_alert (tenant_id, environment, last_seen_at, id)',
  );
  await knex.raw(
    'CREATE INDEX monitoring_alert_by_first_seen ON monitoring_alert (tenant_id, environment, first_seen_at, id)',
  );
  // Whom a change of an entity concerns that was a hit before.
  await knex.raw('CREATE INDEX screening_hit_of_entity ON screening_hit (tenant_id, list_id, entity_mac)');
  const changing = {
    monitoring_subscription: [
      'checks',
      'interval_days',
      'status',
      'pause_reason',
      'pause_until',
      'end_reason',
      'waiting_for',
      'next_run_at',
      'last_run_at',
      'last_result',
      'version',
      'updated_at',
    ],
    monitoring_run: [],
    monitoring_alert: [
      'severity',
      'status',
      'occurrences',
      'last_seen_at',
      'sla_due_at',
      'screening_id',
      'hit_id',
      'score',
      'score_before',
      'outcome',
      'reason_code',
      'note',
      'triaged_by',
      'triaged_at',
    ],
  };
  for (const [table, columns] of Object.entries(changing)) {
    await isolateTenant(knex, table, { app: table === 'monitoring_subscription' ? 'SELECT, DELETE' : 'SELECT' });
    await keepIdentity(knex, table);
    await refuseDeletion(knex, table, 'sandbox_only', `OLD.environment = 'live'`);
    await refuseUpdate(knex, table, 'recorded_stays', anyChanges(await columnsExcept(knex, table, columns)));
  }
  await refuseUpdate(knex, 'monitoring_subscription', 'end_stays', `OLD.status = 'ended' AND NEW.status <> 'ended'`);
  await knex.raw(`
    CREATE TABLE monitored_list (
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      list_id text NOT NULL,
      sequence integer NOT NULL,
      done_at timestamptz(3) NOT NULL,
      PRIMARY KEY (environment, list_id)
    )`);
  await grant(knex, 'monitored_list', { platform: 'SELECT' });
  await keepIdentity(knex, 'monitored_list');
}
