/** Database, worker and kinds of tasks for the tests of background tasks. */
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { createLog } from '../../base/log.ts';
import { uuidv7 } from '../../base/uuid.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { roles } from '../../database/roles.ts';
import type { JobServices } from '../job.ts';
import { enqueueTask, type StepKind } from '../task.ts';
import { TaskWorker } from '../worker.ts';

type Kind = StepKind<JobServices>;

const affect = statement<{ tenantId: string; subjectId: string; what: string }>(
  'test.affect',
  (p) => sql`
  INSERT INTO effect (tenant_id, subject_id, what) VALUES (${p.tenantId}, ${p.subjectId}, ${p.what})`,
);
export const leave = (tx: Transaction, subjectId: string, what: string) =>
  tx.run(affect, { tenantId: tx.tenantId!, subjectId, what });

/** Creates a kind of task that leaves an effect if it is given up. */
export function kind(name: string, step: Kind['step']): Kind {
  return { name, step, giveUp: async ({ tx, subjectId }) => void leave(tx, subjectId, 'given up') };
}

/** Kind of task that leaves one effect. */
export const once = kind('once', async ({ tx, subjectId }) => {
  await leave(tx, subjectId, 'done');
  return null;
});

/** Database and workers of a test file. */
export class TaskSite {
  test!: TestDatabase;
  /** Lines of the log in the current test. */
  lines: string[] = [];
  /** Milliseconds by which the clock of the service is ahead of that of the database. */
  ahead = 0;
  /** Registry of the worker that was created last. */
  registry!: Registry;

  readonly worker = (...kinds: Kind[]): TaskWorker<JobServices> => {
    this.registry = new Registry();
    const log = createLog('info', { write: (line) => this.lines.push(line) });
    const services = { database: this.test.database, log, clock: () => new Date(Date.now() + this.ahead) };
    return new TaskWorker(services, kinds, this.registry);
  };

  readonly enqueue = (tenantId: string, { name }: Kind, subjectId = uuidv7()): Promise<string> =>
    this.test.database.transaction({ tenantId }, async (tx) =>
      enqueueTask(tx, { name }, subjectId, new Date(Date.now() + this.ahead)),
    );

  readonly effects = async (tenantId: string): Promise<string[]> => {
    const rows = await this.test.sql<{ what: string }>('SELECT what FROM effect WHERE tenant_id = $1 ORDER BY at', [
      tenantId,
    ]);
    return rows.map(({ what }) => what);
  };

  readonly tasksOf = (tenantId: string): Promise<{ attempts: number; wait: number }[]> =>
    this.test.sql<{ attempts: number; wait: number }>(
      `SELECT attempts, round(extract(epoch FROM due_at - now()))::integer AS wait FROM task WHERE tenant_id = $1
        ORDER BY id`,
      [tenantId],
    );

  readonly entriesOf = (tenantId: string): Promise<object[]> =>
    this.test.sql(`SELECT id FROM graphile_worker._private_jobs WHERE payload ->> 'tenantId' = $1`, [tenantId]);
}

/** Prepares a database in which tasks leave effects, for the tests of a file. */
export function taskSite(): TaskSite {
  const site = new TaskSite();
  beforeAll(async () => {
    site.test = await createTestDatabase();
    await site.test.sql(
      `CREATE TABLE effect (tenant_id uuid, subject_id uuid, what text, at timestamptz DEFAULT clock_timestamp())`,
    );
    await site.test.sql(`GRANT INSERT, SELECT ON effect TO ${roles.app}`);
  });
  afterAll(() => site.test.close());
  beforeEach(() => {
    site.lines = [];
    site.ahead = 0;
  });
  return site;
}
