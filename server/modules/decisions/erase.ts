/**
 * Erasure of a subject: destroys its key and empties its rows, unless the law demands that the record is kept
 * (`retention_hold`). Used, through the index, by the modules of subjects, which lock the subject first and end what
 * follows it. Files are returned to the caller, who deletes them after the commit.
 */
import { type BusinessTime, readBusinessTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { FileKey } from '../../providers/files/index.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import { holdUntil } from '../../rules/retention.ts';
import { listStoredFiles } from '../documents/index.ts';
import { publish, type SubjectEvent } from '../subject-events/index.ts';
import { destroyKey } from '../subject-keys/index.ts';
import { normOf } from '../tenant-settings/index.ts';
import { eraseNotesOfReviews } from './decide.ts';
import { emptyRecords } from './erase-store.ts';
import type { Lived } from './lifecycle.ts';

type Hold = Required<Pick<components['schemas']['Problem'], 'holdUntil' | 'legalBasis'>>;

/** Rejects the erasure of a record that the law demands to keep. */
export function assertNotHeld(
  record: Lived,
  retention: components['schemas']['RetentionSettings'],
  now: BusinessTime,
): void {
  const hold = holdOf(record, retention);
  if (hold !== null && (hold.holdUntil === null || hold.holdUntil >= calendarDate(now)))
    throw new Problem('retention_hold', hold);
}

/**
 * Returns until when the law demands the retention of a record, and which law; null if the record was never submitted,
 * because no retention period has started then.
 */
function holdOf(
  record: Lived,
  { customerYears, rejectedYears }: components['schemas']['RetentionSettings'],
): Hold | null {
  const { status, submittedAt, decidedAt, validUntil, relationshipEndedAt, updatedAt } = record;
  if (submittedAt === null) return null;
  // An approved subject remains a customer after the approval has expired.
  if (status === 'approved' || (status === 'expired' && validUntil !== null)) {
    return {
      holdUntil: holdUntil(relationshipEndedAt === null ? null : readBusinessTime(relationshipEndedAt), customerYears),
      legalBasis: normOf('/retention/customerYears'),
    };
  }
  // A withdrawn or expired record does not change any more, so `updatedAt` is when it ended.
  const endedAt = readBusinessTime(status === 'rejected' ? (decidedAt ?? updatedAt) : updatedAt);
  return { holdUntil: holdUntil(endedAt, rejectedYears), legalBasis: normOf('/retention/rejectedYears') };
}

/** Destroys the key of a subject and empties its rows. Returns the files to delete once the erasure is committed. */
export async function eraseSubject(
  tx: Transaction,
  erased: Omit<SubjectEvent<'subject.erased'>, 'type'>,
): Promise<FileKey[]> {
  const { subject, at } = erased;
  const files = await listStoredFiles(tx, subject);
  destroyKey(tx, { type: subject.kind, id: subject.id }, at);
  await eraseNotesOfReviews(tx, subject, at);
  emptyRecords(tx, subject, at);
  await publish(tx, { type: 'subject.erased', ...erased });
  return [...files.values()].map(({ storageKey }) => storageKey);
}
