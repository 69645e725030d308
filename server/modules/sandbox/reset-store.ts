import { Problem } from '../../contract/problem.ts';
import { tryLockUntilCommit } from '../../database/advisory-lock.ts';
import { type Fragment, knex, type Parameter, sql, statement, type Transaction } from '../../database/index.ts';
import { idempotencyRecord } from '../../request/store.ts';
import { clearJournal } from '../../simulators/directory/index.ts';
import { application, attestation, consent } from '../applications/index.ts';
import { document } from '../documents/index.ts';
import { algorithm, listSet } from '../monitoring/index.ts';
import { ownListVersion } from '../own-lists/index.ts';
import { lockRecordWriters, record } from '../recoveries/index.ts';
import { consumer, event, feed, recovery } from '../recovery-feed/index.ts';
import { inbox, stream, unread } from '../recovery-ingestion/index.ts';
import { screening } from '../screenings/index.ts';
import { lockSimulations, resetClock } from '../sandbox-clock/index.ts';
import { secondReview } from '../second-review/index.ts';
import { subscription } from '../subscriptions/index.ts';
import { subjectKey } from '../subject-keys/index.ts';

type Tenant = { tenantId: string };

interface SandboxTable {
  readonly name: string;
  equal(given: { tenantId: Parameter<string>; environment: 'sandbox' }): Fragment;
}

/**
 * The tables that a reset empties, in this order: a consent or an attestation may name a document, so they go first, and all would go with their application.
 * What else belongs to a tenant goes with one of these or has a reason to stay (`server/database/catalogue.test.ts`).
 */
export const emptied: readonly SandboxTable[] = [
  subscription, listSet, algorithm, screening, consent, attestation, document, application, secondReview, ownListVersion, subjectKey, event, recovery, consumer, record, unread, stream, inbox, idempotencyRecord,
];

const deletions = new Map(emptied.map((table) => [table, statement<Tenant, { storageKey: string }>(`sandbox.delete.${table.name}`, (p) => {
  const deletion = sql`DELETE FROM ${knex.raw(table.name)} WHERE ${table.equal({ tenantId: p.tenantId, environment: 'sandbox' })}`;
  return table === document ? sql`${deletion} RETURNING ${document.select('storageKey')}` : deletion;
})]));

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
  const storageKeys: string[] = [];
  const removed = new Map<SandboxTable, number>();
  await Promise.all([
    tx.count(restartFeed, tenant),
    ...[...deletions].map(async ([table, deletion]) => {
      if (table === document) storageKeys.push(...(await tx.run(deletion, tenant)).map(({ storageKey }) => storageKey));
      else removed.set(table, await tx.count(deletion, tenant));
    }),
    resetClock(tx),
  ]);
  return { applications: removed.get(application)!, documents: storageKeys.length, fundsRecoveryEvents: removed.get(event)!, storageKeys };
}
