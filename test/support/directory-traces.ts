import { randomUUID } from 'node:crypto';
import type { Environment } from '../../server/contract/principal.ts';
import type { Database } from '../../server/database/index.ts';
import { derive } from '../../server/groups/funds-recovery/ingestion/derive.ts';
import { standardLimits } from '../../server/groups/funds-recovery/ingestion/limits.ts';
import { keep } from '../../server/groups/funds-recovery/ingestion/store/inbox.ts';
import { saveRecords } from '../../server/groups/funds-recovery/ingestion/store/records.ts';
import { openStream } from '../../server/groups/funds-recovery/ingestion/store/streams.ts';
import { FoldedDirectory } from './folded-directory.ts';

/** What following the directory leaves beside the feed: a position, a page as it came, and what is known of a recovery. */
export async function leaveTraces(database: Database, tenantId: string, env: Environment): Promise<void> {
  const [ispb, at] = ['9ABCDEFG', new Date()];
  const nothing = new FoldedDirectory(() => ({ tenantId, ispb, now: at.getTime(), runs: [], notifications: [] }));
  const participant = { env, ispb, tenantId, directory: nothing, source: 'DICT', members: new Map([[ispb, tenantId]]), includeIndirect: false } as const;
  const time = at.toISOString();
  const { record } = derive(null, {
    ispb, at, notifications: [], page: null, graph: null, reports: [], refunds: [], gapSince: null,
    recovery: { Id: randomUUID(), Status: 'CREATED', RootTransactionId: 'E1', ReporterParticipant: ispb, CreationTime: time, LastModified: time },
    read: { source: 'DICT', correlationId: '0', receivedAt: time, signature: 'VERIFIED', sha256: '0' },
  }, standardLimits);
  await database.transaction({ tenantId }, async (tx) => {
    await openStream(tx, participant);
    await keep(tx, participant, { at, sha256: randomUUID(), xml: Buffer.from('<a/>'), verdict: 'processed' });
    await saveRecords(tx, env, [record], at);
  });
}
