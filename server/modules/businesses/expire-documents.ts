/**
 * Simulates in the sandbox that documents of a business have expired yesterday. Exported by the index and called by the
 * module sandbox, which refuses live businesses; the database expires no live document by it.
 */
import { addMilliseconds, type BusinessTime, DAY_MILLISECONDS } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import type { Invalidated, Requirement } from '../decisions/index.ts';
import { expireEvidence, listDocuments } from '../documents/index.ts';
import { reviewAgain } from './change-businesses.ts';
import { assessedOf, readContents } from './contents.ts';
import { subjectOf } from './record.ts';
import { requirementsOf } from './requirements.ts';
import { lockBusiness } from './store.ts';

/** Effects of documents that have expired. */
interface ExpiredDocuments {
  /** Expiry date that the documents have now. */
  readonly expiresOn: string;
  /** The documents with their previous expiry dates, YYYY-MM-DD; null if a document had none. */
  readonly documents: readonly { readonly documentId: string; readonly expiredOn: string | null }[];
  /** Requirements whose status changed because documents expired. */
  readonly requirements: readonly Requirement[];
  /** Waiting decision that was invalidated because its evidence has changed. */
  readonly invalidated: Invalidated | null;
}

/**
 * Expires one document of a business, or all of them, by the clock of the sandbox. Returns null if there is no such
 * business any more.
 */
export async function expireDocumentsOfBusiness(
  tx: Transaction,
  { businessId, targetId }: { readonly businessId: string; readonly targetId: string },
  sandboxNow: BusinessTime,
): Promise<ExpiredDocuments | null> {
  const found = await lockBusiness(tx, businessId);
  if (found === null || found.erasedAt !== null) return null;
  const { erasedAt: _, ...business } = found;
  const timeIn = () => sandboxNow;
  const contents = await readContents(tx, businessId);
  const expiresOn = calendarDate(addMilliseconds(sandboxNow, -DAY_MILLISECONDS));
  const [rows, after] = await Promise.all([
    tx.run(expireEvidence, {
      tenantId: tx.tenantId!,
      id: targetId,
      today: calendarDate(sandboxNow),
      yesterday: expiresOn,
      at: sandboxNow,
    }),
    listDocuments(tx, subjectOf({ id: businessId })),
  ]);
  const items = (documents: typeof contents.documents) =>
    requirementsOf(assessedOf(business, { ...contents, documents }, { timeIn })).items;
  const known = items(contents.documents);
  return {
    expiresOn,
    documents: rows.map((row) => ({ documentId: row.id, expiredOn: row.expiresOn })),
    requirements: items(after).filter(({ status }, index) => status !== known[index]?.status),
    invalidated: rows.length === 0 ? null : await reviewAgain({ tx, timeIn }, business),
  };
}
