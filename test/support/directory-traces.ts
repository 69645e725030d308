/** Rows of the ingestion of the directory, for tests that need one in every table. */
import { randomUUID } from 'node:crypto';
import type { Environment } from '../../server/contract/operation.ts';
import type { Database } from '../../server/database/index.ts';
import { derive } from '../../server/modules/recoveries/derive.ts';
import { standardStageLimits } from '../../server/modules/recoveries/recovery.ts';
import { saveRecords } from '../../server/modules/recoveries/store.ts';
import { keepPage } from '../../server/modules/recovery-ingestion/inbox-store.ts';
import { openStream } from '../../server/modules/recovery-ingestion/store.ts';
import { keepUnread } from '../../server/modules/recovery-ingestion/unread-store.ts';
import { FoldedDirectory } from './folded-directory.ts';

/**
 * Inserts the rows that following the directory stores beside the feed: a position, a page as received, the known state
 * of a recovery, and the mark of one whose reports are not read yet.
 */
export async function insertDirectoryRows(database: Database, tenantId: string, env: Environment): Promise<void> {
  const [ispb, at] = ['9ABCDEFG', new Date()];
  const nothing = new FoldedDirectory(() => ({
    tenantId,
    ispb,
    now: at.getTime(),
    runs: [],
    notifications: [],
  }));
  const participant = {
    environment: env,
    ispb,
    tenantId,
    directory: nothing,
    source: 'DICT',
    members: new Map([[ispb, tenantId]]),
    includeIndirect: false,
  } as const;
  const time = at.toISOString();
  const { record } = derive(
    null,
    {
      ispb,
      at,
      notifications: [],
      page: null,
      graph: null,
      reports: [],
      refunds: [],
      gapSince: null,
      recovery: {
        Id: randomUUID(),
        Status: 'CREATED',
        RootTransactionId: 'E1',
        ReporterParticipant: ispb,
        CreationTime: time,
        LastModified: time,
      },
      read: {
        source: 'DICT',
        correlationId: '0',
        receivedAt: time,
        signature: 'VERIFIED',
        sha256: '0',
      },
    },
    standardStageLimits,
  );
  await database.transaction({ tenantId }, async (tx) => {
    await openStream(tx, participant);
    await keepPage(tx, participant, {
      at,
      sha256: randomUUID(),
      xml: Buffer.from('<a/>'),
      verdict: 'processed',
    });
    await saveRecords(tx, env, [record]);
    await keepUnread(tx, participant, { id: randomUUID(), reports: [], refunds: [] }, at);
  });
}
