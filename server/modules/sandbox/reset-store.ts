import { Problem } from '../../contract/problem.ts';
import { tryLockUntilCommit } from '../../database/advisory-lock.ts';
import { knex, sql, statement, type Transaction } from '../../database/index.ts';
import { clearJournal } from '../../simulators/directory/index.ts';
import { lockRecordWriters } from '../recoveries/index.ts';
import { lockSimulations, resetClock } from '../sandbox-clock/index.ts';

type Tenant = { tenantId: string };

const deleteDocuments = statement<Tenant, { storage_key: string }>('sandbox.deleteDocuments', (p) =>
  knex('document').where({ tenant_id: p.tenantId, environment: 'sandbox' }).del('storage_key'));

const deleteFrom = (table: string, column: 'env' | 'environment') => statement<Tenant>(`sandbox.delete.${table}`, (p) =>
  knex(table).where({ tenant_id: p.tenantId, [column]: 'sandbox' }).del());

const deleteApplications = deleteFrom('application', 'environment');
const deleteIdempotencyRecords = deleteFrom('idempotency_record', 'environment');
const deleteEvents = deleteFrom('fr_event', 'env');
const deleteRecoveries = deleteFrom('fr_recovery', 'env');
const deleteConsumers = deleteFrom('fr_consumer', 'env');
const deleteRecords = deleteFrom('fr_record', 'env');
const deleteStreams = deleteFrom('dict_stream', 'env');
const deleteInbox = deleteFrom('dict_inbox', 'env');

/** The new generation makes every cursor into the old feed expire. Takes the lock of publishers, so it comes before the events go. */
const restartFeed = statement<Tenant>('sandbox.restartFeed', (p) =>
  knex('fr_feed').where({ tenant_id: p.tenantId, env: 'sandbox' })
    .update({ generation: sql`generation + 1`, last_seq: 0, floor_seq: 0 }));

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
  const [documents, applications, , fundsRecoveryEvents] = await Promise.all([
    tx.run(deleteDocuments, tenant),
    tx.count(deleteApplications, tenant),
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
  return { applications, documents: documents.length, fundsRecoveryEvents, storageKeys: documents.map(({ storage_key }) => storage_key) };
}
