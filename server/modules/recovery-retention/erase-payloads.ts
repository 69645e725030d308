import { DAY_MILLISECONDS } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import { assertEnvironmentWritable } from '../../identity/tenant.ts';
import { dropPersonalData } from '../../rules/personal-data.ts';
import { lockRecordWriters, type RecoveryRequest, visibleRecovery } from '../recoveries/index.ts';
import { type ErasableRecord, eraseEvents, eraseInbox, eraseRecord, lockRecord } from './store.ts';

interface ErasureRequest extends RecoveryRequest {
  readonly sandboxEnabled: boolean;
  readonly now: Date;
}

/** What an erasure has removed. */
interface ErasureResult {
  readonly events: number;
  readonly pages: number;
  /** Nothing was left to do: it was done before. */
  readonly isRepeated: boolean;
}

/** The directory repeats a notification for a week; a day on both sides for clocks that differ. */
const marginBefore = DAY_MILLISECONDS;
const marginAfter = 8 * DAY_MILLISECONDS;

/**
 * Erases what the directory said of a recovery and the persons in it. Its events stay with their other fields, so that no
 * reader is disturbed; the record goes on without personal data, marked, so that nothing comes back with a later read.
 */
export async function erasePayloads(request: ErasureRequest): Promise<ErasureResult> {
  const { tx, now, principal: { tenantId } } = request;
  const { environment, id } = await visibleRecovery(request);
  assertEnvironmentWritable(environment, request);
  const recovery = { tenantId, id, environment };
  // Whoever derives events from this record waits, and finds the mark when it goes on.
  await lockRecordWriters(tx, environment);
  const [record] = await tx.run(lockRecord, recovery);
  if (record === undefined) throw new Problem('not_found');
  const [events, pages] = await Promise.all([
    tx.count(eraseEvents, recovery),
    tx.count(eraseInbox, { ...recovery, ...mentionWindow(record) }),
    tx.run(eraseRecord, { ...recovery, snapshot: dropPersonalData(record.snapshot), now }),
  ]);
  return { events, pages, isRepeated: record.erasedAt !== null && events + pages === 0 };
}

/** When pages can have named it. */
function mentionWindow({ createdAt: created, updatedAt: modified }: ErasableRecord): { from: Date; to: Date } {
  return { from: new Date(Date.parse(created) - marginBefore), to: new Date(Date.parse(modified) + marginAfter) };
}
