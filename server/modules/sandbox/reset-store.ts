import { Problem } from '../../contract/problem.ts';
import { tryLockUntilCommit } from '../../database/advisory-lock.ts';
import { type Fragment, knex, type Parameter, sql, statement, type Transaction } from '../../database/index.ts';
import { idempotencyRecord } from '../../request/store.ts';
import { clearJournal } from '../../simulators/directory/index.ts';
import { application, consent } from '../applications/index.ts';
import { document } from '../documents/index.ts';
import { lockRecordWriters, record } from '../recoveries/index.ts';
import { consumer, event, feed, recovery } from '../recovery-feed/index.ts';
import { inbox, stream } from '../recovery-ingestion/index.ts';
import { lockSimulations, resetClock } from '../sandbox-clock/index.ts';
import { secondReview } from '../second-review/index.ts';
import { subjectKey } from '../subject-keys/index.ts';

type Tenant = { tenantId: string };

const deleteDocuments = statement<Tenant, { storageKey: string }>('sandbox.deleteDocuments', (p) => sql`
  DELETE FROM document WHERE ${document.equal({ tenantId: p.tenantId, environment: 'sandbox' })} RETURNING ${document.select('storageKey')}`);

const deleteFrom = (table: { readonly name: string; equal(given: { tenantId: Parameter<string>; environment: 'sandbox' }): Fragment }) =>
  statement<Tenant>(`sandbox.delete.${table.name}`, (p) => sql`DELETE FROM ${knex.raw(table.name)} WHERE ${table.equal({ tenantId: p.tenantId, environment: 'sandbox' })}`);

const deleteConsents = deleteFrom(consent);
const deleteApplications = deleteFrom(application);
const deleteReviews = deleteFrom(secondReview);
const deleteKeys = deleteFrom(subjectKey);
const deleteIdempotencyRecords = deleteFrom(idempotencyRecord);
const deleteEvents = deleteFrom(event);
const deleteRecoveries = deleteFrom(recovery);
const deleteConsumers = deleteFrom(consumer);
const deleteRecords = deleteFrom(record);
const deleteStreams = deleteFrom(stream);
const deleteInbox = deleteFrom(inbox);

/** The new generation makes every cursor into the old feed expire. Takes the lock of publishers, so it comes before the events go. */
const restartFeed = statement<Tenant>('sandbox.restartFeed', (p) => sql`
  UPDATE fr_feed SET ${feed.assign({ generation: sql`generation + 1`, lastSeq: 0, floorSeq: 0 })}
  WHERE ${feed.equal({ tenantId: p.tenantId, environment: 'sandbox' })}`);

interface SandboxReset {
  readonly applications: number;
  readonly documents: number;
  readonly fundsRecoveryEvents: number;
  /** Files to remove once the rows are gone for good. */
  readonly storageKeys: readonly string[];
}

/**
 * Removes every sandbox row of the tenant. Each statement names the environment, row-level security confines it to the
 * tenant, and triggers refuse to delete live rows. Answers kept for idempotency go too: they tell of records that are gone. The clock
 * returns to real time.
 */
export async function resetSandbox(tx: Transaction): Promise<SandboxReset> {
  const tenant = { tenantId: tx.tenantId! };
  if (!await tryLockUntilCommit(tx, 'sandbox reset', tenant.tenantId)) throw new Problem('reset_in_progress', { retryable: true, retryAfter: 1 });
  await lockSimulations(tx);
  await lockRecordWriters(tx, 'sandbox');
  await clearJournal(tx);
  // A consent may name a document, so it goes first.
  const [, documents, applications, , , , fundsRecoveryEvents] = await Promise.all([
    tx.count(deleteConsents, tenant),
    tx.run(deleteDocuments, tenant),
    tx.count(deleteApplications, tenant),
    tx.count(deleteReviews, tenant),
    tx.count(deleteKeys, tenant),
    tx.count(restartFeed, tenant),
    tx.count(deleteEvents, tenant),
    tx.count(deleteRecoveries, tenant),
    tx.count(deleteConsumers, tenant),
    tx.count(deleteRecords, tenant),
    tx.count(deleteStreams, tenant),
    tx.count(deleteInbox, tenant),
    tx.count(deleteIdempotencyRecords, tenant),
    resetClock(tx),
  ]);
  return { applications, documents: documents.length, fundsRecoveryEvents, storageKeys: documents.map(({ storageKey }) => storageKey) };
}
