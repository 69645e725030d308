import { knex, statement, type Database } from '../../../database/index.ts';
import type { Participant } from './participant.ts';

const findOffset = statement<{ tenantId: string }, { seconds: number }>('ingestion.sandboxOffset', (p) =>
  knex('tenant').select('sandbox_clock_offset_seconds as seconds').where({ id: p.tenantId }));

/** The clock by which a participant's deadlines run: that of a sandbox can be ahead. */
export async function businessTime(database: Database, { env, tenantId }: Participant, now: Date): Promise<Date> {
  if (env === 'live') return now;
  const [row] = await database.transaction({ tenantId, readOnly: true }, (tx) => tx.run(findOffset, { tenantId }));
  return new Date(now.getTime() + (row?.seconds ?? 0) * 1000);
}
