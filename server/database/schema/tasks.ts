/**
 * Part of the first migration: tasks, jobs and the queue of graphile-worker. Called by index.ts of this folder when a
 * new database is created. The queue's own migrations run on another connection, so they are not undone if this one
 * fails.
 */
import type { Knex } from 'knex';
import type { MigrationTools } from '../migration.ts';
import { createPool } from '../pool.ts';
import { roles } from '../roles.ts';
import { allowPlatform, currentTenant, grant, isolateTenant } from '../row-level-security.ts';

/**
 * Work in the background. A task is a row that exists until it is done; the queue of graphile-worker (server/tasks) is
 * told which tenant has any.
 */
export async function tasks(knex: Knex, tools: MigrationTools): Promise<void> {
  await createTasks(knex);
  await createJobs(knex);
  await installQueue(tools);
  await protectQueue(knex);
}

async function createTasks(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE task (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      kind text NOT NULL,
      subject_id uuid NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      -- One of many that are written at once, which wait for those that somebody waits for.
      is_bulk boolean NOT NULL DEFAULT false,
      due_at timestamptz(3) NOT NULL,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (tenant_id, id)
    );
    CREATE INDEX task_by_due ON task (tenant_id, is_bulk, due_at, id)`);
  await isolateTenant(knex, 'task', { app: 'SELECT, DELETE', platform: 'SELECT' });
  await allowPlatform(knex, 'task', 'find', 'SELECT');
}

/** Creates what belongs to no tenant: the last success of each job, and the credentials of the demo. */
async function createJobs(knex: Knex): Promise<void> {
  await knex.raw(`
    -- When each periodic job last succeeded, in whichever process.
    CREATE TABLE job_success (
      name text PRIMARY KEY,
      every_seconds double precision NOT NULL CHECK (every_seconds > 0),
      at timestamptz(3) NOT NULL
    );

    -- The credentials of the demo, sealed: processes that share a database have one demo, whichever came first.
    CREATE TABLE demo (one boolean PRIMARY KEY DEFAULT true CHECK (one), sealed bytea NOT NULL)`);
  await grant(knex, 'job_success', { platform: 'SELECT' });
  await grant(knex, 'demo', { platform: 'SELECT' });
}

/**
 * Runs the migrations of the package, which create its tables in a schema of their own, as the owner of our tables.
 * They run on another connection in transactions of their own, each once.
 */
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
 * Grants both roles what the functions and statements of the package touch. Its tables have row-level security, so a
 * right without a policy reaches no row.
 */
async function protectQueue(knex: Knex): Promise<void> {
  const { app, platform, worker } = roles;
  const { rows } = await knex.raw<{ rows: { signature: string }[] }>(
    `SELECT oid::regprocedure::text AS signature FROM pg_proc
      WHERE pronamespace = 'graphile_worker'::regnamespace AND proname IN ('add_job', 'add_jobs')`,
  );
  const addJobs = rows.map(({ signature }) => signature).join(', ');
  const jobsOfTenant = `payload::text = json_build_object('tenantId', ${currentTenant})::text`;
  await knex.raw(`
    SET LOCAL search_path = graphile_worker, public;
    GRANT USAGE ON SCHEMA graphile_worker TO ${app}, ${platform}, ${worker};
    GRANT EXECUTE ON FUNCTION ${addJobs} TO ${app};
    GRANT SELECT, INSERT ON _private_tasks TO ${app}, ${worker};
    GRANT SELECT, INSERT ON _private_job_queues TO ${app};
    GRANT SELECT, INSERT, UPDATE ON _private_jobs TO ${app};
    GRANT SELECT ON migrations, _private_known_crontabs TO ${worker};
    GRANT SELECT, UPDATE ON _private_job_queues TO ${worker};
    GRANT SELECT, UPDATE, DELETE ON _private_jobs TO ${worker};

    -- A request wakes its own tenant, and the job names nothing but the tenant.
    CREATE POLICY tenant ON _private_jobs TO ${app} USING (${jobsOfTenant}) WITH CHECK (${jobsOfTenant});
    CREATE POLICY wake ON _private_tasks TO ${app} USING (identifier = 'wake') WITH CHECK (identifier = 'wake');
    CREATE POLICY work ON _private_tasks TO ${worker} USING (true) WITH CHECK (true);
    CREATE POLICY work ON _private_jobs TO ${worker} USING (true) WITH CHECK (true);
    CREATE POLICY work ON _private_job_queues TO ${worker} USING (true) WITH CHECK (true);
    CREATE POLICY work ON _private_known_crontabs TO ${worker} USING (true) WITH CHECK (true);
    SET LOCAL search_path = DEFAULT`);
}
