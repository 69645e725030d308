import type { Knex } from 'knex';
import { allowPlatform, isolateTenant, keepIdentity, letThrough, refuseDeletion } from './row-level-security.ts';

/**
 * Coverage follows from records: each subscription keeps what its applicant was last compared with, and each tenant the
 * versions of lists by which all of its subscriptions were looked at. Before, one row said so of all tenants together,
 * so whoever was out of reach at that moment was never looked at.
 */
export async function monitoredComparisons(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE monitoring_subscription ADD COLUMN compared jsonb, ADD COLUMN rehearsal jsonb');
  await knex.raw(`
    CREATE TABLE monitored_list_set (
      tenant_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      sequences jsonb NOT NULL,
      done_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, environment)
    )`);
  await knex.raw(`
    CREATE TABLE monitoring_algorithm (
      tenant_id uuid NOT NULL,
      environment text NOT NULL CHECK (environment IN ('live', 'sandbox')),
      released text NOT NULL,
      released_at timestamptz(3),
      released_by jsonb,
      note text,
      PRIMARY KEY (tenant_id, environment)
    )`);
  await keepWhatIsKnown(knex);
  await isolateTenant(knex, 'monitored_list_set', { app: 'SELECT, DELETE', platform: 'SELECT' });
  await allowPlatform(knex, 'monitored_list_set', 'follow', 'SELECT');
  await isolateTenant(knex, 'monitoring_algorithm', { app: 'SELECT, DELETE' });
  for (const table of ['monitored_list_set', 'monitoring_algorithm']) {
    await keepIdentity(knex, table);
    await refuseDeletion(knex, table, 'sandbox_only', `OLD.environment = 'live'`);
  }
  await knex.raw('DROP TABLE monitored_list');
  await knex.raw('ALTER TABLE task ADD COLUMN is_bulk boolean NOT NULL DEFAULT false');
  await knex.raw('DROP INDEX task_by_due');
  await knex.raw('CREATE INDEX task_by_due ON task (tenant_id, is_bulk, due_at, id)');
  // The relationship with a customer whose approval was reopened, and who then did not answer, may end as any other.
  await letThrough(
    knex,
    'application',
    `OLD.status = 'expired' AND OLD.status_reason IS NOT DISTINCT FROM 'information_overdue'
      AND OLD.decided_at IS NOT NULL AND OLD.relationship_ended_at IS NULL AND NEW.relationship_ended_at IS NOT NULL
    AND OLD.erased_at IS NULL AND NEW.version = OLD.version + 1`,
    ['relationship_ended_at', 'status_note', 'version', 'updated_at'],
  );
}

/**
 * What subjects were compared with is read from the screenings of their last runs; a list that nobody has followed yet
 * does not count. Of tenants that are suspended nobody knows what they have missed, so everybody of theirs is screened
 * again once they are back. Row-level security also holds for the owner, who alone sees all tenants while it is off.
 */
async function keepWhatIsKnown(knex: Knex): Promise<void> {
  const tables = ['tenant', 'monitoring_subscription', 'monitoring_run', 'screening', 'task'];
  for (const table of tables) await knex.raw(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
  await knex.raw(`
    UPDATE monitoring_subscription s
      SET compared = jsonb_build_object('checks', to_jsonb(s.checks), 'algorithm', r.algorithm_version, 'lines',
      r.lines,
      'lists', (SELECT coalesce(jsonb_agg(l ->> 'listId'), '[]') FROM jsonb_array_elements(r.lists) l
        WHERE EXISTS (SELECT FROM monitored_list m WHERE m.environment = s.environment AND m.list_id = l ->> 'listId')),
      'ownList', (SELECT (l ->> 'sequence')::integer FROM jsonb_array_elements(r.lists) l WHERE l ->> 'listId' = 'own'))
    FROM (SELECT DISTINCT ON (run.tenant_id, run.subscription_id) run.tenant_id, run.subscription_id,
      c.algorithm_version, c.lines, c.lists
      FROM monitoring_run run JOIN screening c ON c.tenant_id = run.tenant_id AND c.id = run.screening_id
        ORDER BY run.tenant_id, run.subscription_id, run.at DESC, run.id DESC) r
    JOIN tenant t ON t.id = r.tenant_id
    WHERE s.tenant_id = r.tenant_id AND s.id = r.subscription_id AND s.status = 'active'
      AND s.checks && '{sanctions,pep}' AND s.last_result <> 'failed' AND t.status IN ('onboarding', 'active')`);
  await knex.raw(`
    INSERT INTO monitored_list_set (tenant_id, environment, sequences, done_at)
    SELECT s.tenant_id, s.environment, m.sequences, m.done_at
      FROM (SELECT DISTINCT tenant_id, environment FROM monitoring_subscription) s
    JOIN (SELECT environment, jsonb_object_agg(list_id, sequence) AS sequences, max(done_at) AS done_at
      FROM monitored_list GROUP BY environment) m ON m.environment = s.environment`);
  // The algorithm of before stays the one that they have released, whatever the release that migrates brings.
  await knex.raw(
    `INSERT INTO monitoring_algorithm (tenant_id, environment, released) SELECT DISTINCT tenant_id, environment, 'm2'
      FROM monitoring_subscription`,
  );
  await knex.raw(`DELETE FROM task WHERE kind = 'monitoring.own_list'`);
  for (const table of tables) await knex.raw(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
}
