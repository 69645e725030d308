/**
 * Erasure of a business on request: destroys its key and empties its rows, with those of its owners, its powers and its
 * receipts, which their tables declare. Called by the handler. Refused while the business is being decided and while
 * the law demands retention (`retention_hold`) of it or of one of its branches, whose receipts it destroys too. Files
 * are returned to the caller, who deletes them after the commit.
 */
import type { RealTime } from '../../base/time.ts';
import type { FileKey } from '../../providers/files/index.ts';
import { assertNotHeld, eraseSubject } from '../decisions/index.ts';
import { closeAlerts, endSubscriptions } from '../subscriptions/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { beginChange, type ChangeRequest } from './change-businesses.ts';
import { life, subjectOf } from './record.ts';
import { type Business, lockBranches } from './store.ts';

interface Erased {
  readonly business: Business;
  readonly erasedAt: string;
  /** Files to delete once the erasure is committed. */
  readonly files: readonly FileKey[];
}

/** Erases all data about a business and its people, unless the law demands their retention. */
export async function eraseBusiness(ctx: ChangeRequest & { readonly now: RealTime }): Promise<Erased> {
  const { tx } = ctx;
  const [{ before, now }, { retention }] = await Promise.all([beginChange(ctx), readSettings(tx, tx.tenantId!)]);
  life.assertNotUnderReview(before.status);
  assertNotHeld(before, retention, now);
  for (const branch of await lockBranches(tx, before)) assertNotHeld(branch, retention, now);
  const { environment } = before;
  const subject = subjectOf(before);
  await endSubscriptions(tx, [subject], 'erased', now);
  closeAlerts(tx, subject);
  const files = await eraseSubject(tx, {
    subject,
    environment,
    at: now,
    now: ctx.now,
  });
  return { business: before, files, erasedAt: now.toISOString() };
}
