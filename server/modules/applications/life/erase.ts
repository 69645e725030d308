/**
 * Erasure of an applicant on request: destroys the key of the application, empties its rows and ends its monitoring.
 * Called by the handler. Refused while the application is being decided and while the law demands retention
 * (`retention_hold`). Files are returned to the caller, who deletes them after the commit.
 */
import { readBusinessTime } from '../../../base/time.ts';
import type { components } from '../../../contract/generated/types.ts';
import { Problem } from '../../../contract/problem.ts';
import type { FileKey } from '../../../providers/files/index.ts';
import { calendarDate } from '../../../rules/brazilian-calendar.ts';
import { holdUntil } from '../../../rules/retention.ts';
import { eraseNotesOfReviews } from '../../decisions/index.ts';
import { listStoredFiles } from '../../documents/index.ts';
import { destroyKey } from '../../subject-keys/index.ts';
import { closeAlerts } from '../../subscriptions/index.ts';
import { normOf, readSettings } from '../../tenant-settings/index.ts';
import { assertNotUnderReview, type ApplicationRecord, subjectOf } from '../record/application.ts';
import { beginChange, type ChangeRequest } from '../record/change-applications.ts';
import { followStatus } from './monitoring.ts';
import { emptyRecords } from './erase-store.ts';

interface Erased {
  readonly application: ApplicationRecord;
  readonly erasedAt: string;
  /** Files to delete once the erasure is committed. */
  readonly files: readonly FileKey[];
}

/**
 * Erases all data about the applicant and destroys the key of the application, unless the law demands their retention.
 */
export async function eraseApplication(ctx: ChangeRequest): Promise<Erased> {
  const {
    tx,
    principal: { tenantId },
  } = ctx;
  const [{ before, now }, { retention }] = await Promise.all([beginChange(ctx), readSettings(tx, tenantId)]);
  assertNotUnderReview(before.status);
  const hold = holdOf(before, retention);
  if (hold !== null && (hold.holdUntil === null || hold.holdUntil >= calendarDate(now)))
    throw new Problem('retention_hold', hold);
  const key = { tenantId, applicationId: before.id, now };
  const files = await listStoredFiles(tx, subjectOf(before));
  destroyKey(tx, { type: 'application', id: before.id }, now);
  await eraseNotesOfReviews(tx, subjectOf(before), now);
  await followStatus(tx, [{ ...before, isErased: true }], { at: now, now: ctx.now });
  closeAlerts(tx, before.id);
  emptyRecords(tx, key);
  return {
    application: before,
    files: [...files.values()].map(({ storageKey }) => storageKey),
    erasedAt: now.toISOString(),
  };
}

type Hold = Required<Pick<components['schemas']['Problem'], 'holdUntil' | 'legalBasis'>>;

/**
 * Returns until when the law demands the retention of a record, and which law; null if the application was never
 * submitted, because no retention period has started then.
 */
function holdOf(
  record: ApplicationRecord,
  { customerYears, rejectedYears }: components['schemas']['RetentionSettings'],
): Hold | null {
  const { status, submittedAt, decidedAt, validUntil, relationshipEndedAt, updatedAt } = record;
  if (submittedAt === null) return null;
  // An approved applicant remains a customer after the approval has expired.
  if (status === 'approved' || (status === 'expired' && validUntil !== null)) {
    return {
      holdUntil: holdUntil(relationshipEndedAt === null ? null : readBusinessTime(relationshipEndedAt), customerYears),
      legalBasis: normOf('/retention/customerYears'),
    };
  }
  // A withdrawn or expired application does not change any more, so `updatedAt` is when it ended.
  const endedAt = readBusinessTime(status === 'rejected' ? (decidedAt ?? updatedAt) : updatedAt);
  return { holdUntil: holdUntil(endedAt, rejectedYears), legalBasis: normOf('/retention/rejectedYears') };
}
