import type { Knex } from 'knex';
import { createPool } from '../pool.ts';
import { roles } from '../roles.ts';
import type { MigrationTools } from './index.ts';
import { allowPlatform, currentTenant, isolateTenant, keepIdentity } from './row-level-security.ts';

/**
 * What the service does in the background. A task is a row that is there until it is done; which tenant has any is told
 * to the queue of graphile-worker (server/tasks), whose tables are made here in a schema of their own.
 */
export async function tasks(knex: Knex, tools: MigrationTools): Promise<void> {
  await knex.raw(`
    CREATE TABLE task (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      kind text NOT NULL,
      subject_id uuid NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      due_at timestamptz(3) NOT NULL,
      lease uuid,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )`);
  await knex.raw('CREATE INDEX task_by_due ON task (tenant_id, due_at, id)');
  await isolateTenant(knex, 'task', { app: 'SELECT, DELETE', platform: 'SELECT' });
  await allowPlatform(knex, 'task', 'find', 'SELECT');
  await keepIdentity(knex, 'task');
  await installQueue(tools);
  await grantQueue(knex);
}

/** The migrations of the package, as the owner of our tables. They run in transactions of their own, each once. */
async function installQueue({ owner, log }: MigrationTools): Promise<void> {
  const { Logger, runMigrations } = await import('graphile-worker');
  const { pool, close } = createPool(owner, { size: 1, log });
  try {
    await runMigrations({ pgPool: pool, schema: 'graphile_worker', logger: new Logger(() => () => {}) });
  } finally {
    await close();
  }
}

/**
 * Both roles get what the functions and statements of the package touch. Its tables have row-level security, so a right
 * without a policy reaches no row.
 */
async function grantQueue(knex: Knex): Promise<void> {
  const { app, platform, worker } = roles;
  const { rows } = await knex.raw<{ rows: { signature: string }[] }>(
    `SELECT oid::regprocedure::text AS signature FROM pg_proc
      WHERE pronamespace = 'graphile_worker'::regnamespace AND proname IN ('add_job', 'add_jobs')`,
  );
  const table = (name: string): string => `graphile_worker._private_${name}`;
  for (const statement of [
    `GRANT USAGE ON SCHEMA graphile_worker TO ${app}, ${platform}, ${worker}`,
    `GRANT EXECUTE ON FUNCTION ${rows.map(({ signature }) => signature).join(', ')} TO ${app}`,
    `GRANT SELECT, INSERT ON ${table('tasks')} TO ${app}, ${worker}`,
    `GRANT SELECT, INSERT ON ${table('job_queues')} TO ${app}`,
    `GRANT SELECT, INSERT, UPDATE ON ${table('jobs')} TO ${app}`,
    `GRANT SELECT ON graphile_worker.migrations, ${table('known_crontabs')} TO ${worker}`,
    `GRANT SELECT, UPDATE ON ${table('job_queues')} TO ${worker}`,
    `GRANT SELECT, UPDATE, DELETE ON ${table('jobs')} TO ${worker}`,
    // A request wakes its own tenant, and says nothing but whom.
    `CREATE POLICY tenant ON ${table('jobs')} TO ${app}
      USING (payload::text = json_build_object('tenantId', ${currentTenant})::text)
      WITH CHECK (payload::text = json_build_object('tenantId', ${currentTenant})::text)`,
    `CREATE POLICY wake ON ${table('tasks')} TO ${app} USING (identifier = 'wake') WITH CHECK (identifier = 'wake')`,
    ...['tasks', 'jobs', 'job_queues', 'known_crontabs'].map(
      (name) => `CREATE POLICY work ON ${table(name)} TO ${worker} USING (true) WITH CHECK (true)`,
    ),
  ])
    await knex.raw(statement);
}
