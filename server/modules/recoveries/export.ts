/**
 * Streams recoveries as CSV. Called by the handler of the export. Reads in batches and holds no database connection
 * while the client reads, however slowly. No column contains personal data.
 */
import { Readable } from 'node:stream';
import { csvLine } from '../../base/csv.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Database } from '../../database/index.ts';
import { batchAfter, type RecordFilter } from './list-store.ts';
import { presentRecord } from './present.ts';

type Recovery = components['schemas']['FundsRecoveryRecord'];

/** Columns, named as the members of a recovery. None contains personal data. */
const COLUMNS: Readonly<Record<string, (recovery: Recovery) => unknown>> = {
  id: ({ id }) => id,
  environment: ({ environment }) => environment,
  participant: ({ participant }) => participant,
  role: ({ role }) => role,
  status: ({ status }) => status,
  situationType: ({ situationType }) => situationType,
  rootTransactionId: ({ rootTransactionId }) => rootTransactionId,
  currency: ({ money }) => money.currency,
  rootAmount: ({ money }) => money.rootAmount,
  refundableAmount: ({ money }) => money.refundableAmount,
  refundedAmount: ({ money }) => money.refundedAmount,
  nextDeadlineStage: ({ nextDeadline }) => nextDeadline?.stage,
  nextDeadlineAt: ({ nextDeadline }) => nextDeadline?.dueAt,
  createdAt: ({ createdAt }) => createdAt,
  analysedAt: ({ analysedAt }) => analysedAt,
  updatedAt: ({ updatedAt }) => updatedAt,
};

/** Batch size. The documents of a whole batch are in memory at the same time. */
const BATCH = 250;

/**
 * Streams the recoveries as CSV. Between two batches no database connection is in use, however slow the reader is. If
 * the filter is null, only the header is sent.
 */
export function recoveriesAsCsv(database: Database, tenantId: string, filter: RecordFilter | null): Readable {
  return Readable.from(linesOf(database, tenantId, filter), { objectMode: false });
}

async function* linesOf(database: Database, tenantId: string, filter: RecordFilter | null): AsyncGenerator<string> {
  yield csvLine(Object.keys(COLUMNS));
  if (filter === null) return;
  for (let last: string | null = null, isMore = true; isMore; ) {
    const rows = await database.transaction({ tenantId, readOnly: true }, (tx) =>
      batchAfter(tx, tenantId, filter, { after: last, count: BATCH }),
    );
    const recoveries = rows.map(presentRecord);
    if (rows.length > 0)
      yield recoveries.map((recovery) => csvLine(Object.values(COLUMNS).map((column) => column(recovery)))).join('');
    last = rows.at(-1)?.id ?? null;
    isMore = rows.length === BATCH;
  }
}
