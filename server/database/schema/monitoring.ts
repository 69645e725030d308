/**
 * Part of the first migration: subscriptions, runs and alerts. Called by index.ts of this folder when a new database is
 * created. A unique index allows one current subscription for an application.
 */
import type { Knex } from 'knex';
import {
  allowPlatform,
  anyChanges,
  columnsExcept,
  isolateTenant,
  refuseDeletion,
  refuseUpdate,
} from '../row-level-security.ts';

/** Whom a tenant monitors, the runs, and what they have found. */
export async function monitoring(knex: Knex): Promise<void> {
  await createSubscriptions(knex);
  await createRuns(knex);
  await createAlerts(knex);
  await createProgress(knex);
}

async function createSubscriptions(knex: Knex): Promise<void> {
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
      -- What the applicant was last compared with, from which coverage follows; and the same of the algorithm that is
      -- tried out before it is released.
      compared jsonb,
      rehearsal jsonb,
      version integer NOT NULL DEFAULT 1,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      PRIMARY KEY (tenant_id, id),
      CHECK ((status = 'paused') = (pause_until IS NOT NULL)),
      CHECK ((status = 'ended') = (end_reason IS NOT NULL)),
      FOREIGN KEY (tenant_id, application_id) REFERENCES application (tenant_id, id) ON DELETE CASCADE
    );
    CREATE UNIQUE INDEX monitoring_subscription_standing ON monitoring_subscription (tenant_id, application_id)
      WHERE status <> 'ended';
    CREATE INDEX monitoring_subscription_by_application ON monitoring_subscription (tenant_id, application_id);
    CREATE INDEX monitoring_subscription_by_created
      ON monitoring_subscription (tenant_id, environment, created_at, id);
    CREATE INDEX monitoring_subscription_due ON monitoring_subscription (tenant_id, environment, next_run_at)
      WHERE status = 'active' AND next_run_at IS NOT NULL`);
  await isolateTenant(knex, 'monitoring_subscription', { app: 'SELECT, DELETE' });
  const identity = ['tenant_id', 'id', 'environment', 'application_id', 'created_at', 'created_by'];
  await refuseUpdate(knex, 'monitoring_subscription', 'recorded_stays', anyChanges(identity));
  await refuseUpdate(knex, 'monitoring_subscription', 'end_stays', `OLD.status = 'ended' AND NEW.status <> 'ended'`);
  await refuseDeletion(knex, 'monitoring_subscription', 'sandbox_only', `OLD.environment = 'live'`);
}

async function createRuns(knex: Knex): Promise<void> {
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
    );
    CREATE INDEX monitoring_run_by_subscription ON monitoring_run (tenant_id, subscription_id, at, id)`);
  await isolateTenant(knex, 'monitoring_run', { app: 'SELECT' });
  await refuseUpdate(
    knex,
    'monitoring_run',
    'recorded_stays',
    anyChanges(await columnsExcept(knex, 'monitoring_run', [])),
  );
  await refuseDeletion(knex, 'monitoring_run', 'sandbox_only', `OLD.environment = 'live'`);
}

/** The columns of an alert that its next occurrence, its triage or its mail changes. */
const CHANGING = [
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
  'told_at',
];

async function createAlerts(knex: Knex): Promise<void> {
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
      -- When those who are responsible for compliance were told of the alert by mail.
      told_at timestamptz(3),
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, application_id, dedupe_key),
      FOREIGN KEY (tenant_id, subscription_id) REFERENCES monitoring_subscription (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX monitoring_alert_by_subscription ON monitoring_alert (tenant_id, subscription_id);
    CREATE INDEX monitoring_alert_by_last_seen ON monitoring_alert (tenant_id, environment, last_seen_at, id);
    CREATE INDEX monitoring_alert_by_first_seen ON monitoring_alert (tenant_id, environment, first_seen_at, id);
    CREATE INDEX monitoring_alert_untold ON monitoring_alert (tenant_id)
      WHERE told_at IS NULL AND environment = 'live' AND status = 'open' AND severity IN ('high', 'critical')`);
  await isolateTenant(knex, 'monitoring_alert', { app: 'SELECT' });
  await refuseUpdate(
    knex,
    'monitoring_alert',
    'recorded_stays',
    anyChanges(await columnsExcept(knex, 'monitoring_alert', CHANGING)),
  );
  await refuseDeletion(knex, 'monitoring_alert', 'sandbox_only', `OLD.environment = 'live'`);
}

async function createProgress(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The versions of lists with which all subscriptions of a tenant were compared.
    CREATE TABLE monitored_list_set (
      tenant_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      sequences jsonb NOT NULL,
      done_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, environment)
    );

    -- The algorithm of comparison that a tenant has released.
    CREATE TABLE monitoring_algorithm (
      tenant_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      released text NOT NULL,
      released_at timestamptz(3),
      released_by jsonb,
      note text,
      PRIMARY KEY (tenant_id, environment)
    )`);
  await isolateTenant(knex, 'monitored_list_set', { app: 'SELECT, DELETE', platform: 'SELECT' });
  await allowPlatform(knex, 'monitored_list_set', 'follow', 'SELECT');
  await isolateTenant(knex, 'monitoring_algorithm', { app: 'SELECT, DELETE' });
  for (const table of ['monitored_list_set', 'monitoring_algorithm'])
    await refuseDeletion(knex, table, 'sandbox_only', `OLD.environment = 'live'`);
}
