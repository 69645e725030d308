import { knex, statement, type Database } from '../database/index.ts';
import type { Job } from './job.ts';

const record = statement<{ name: string; everySeconds: number; at: Date }>('job.succeeded', (p) =>
  knex('job_success').insert({ name: p.name, every_seconds: p.everySeconds, at: p.at }).onConflict('name').merge(['every_seconds', 'at']));

/** Kept where every process sees it: how late a job is must not depend on whom one asks. */
export async function recordSuccess(database: Database, { name, everySeconds }: Job, at: Date): Promise<void> {
  await database.platform({ tenantId: null }, (tx) => tx.run(record, { name, everySeconds, at }));
}
