/**
 * Erases the personal data of one recovery on request: payloads, pages and snapshot. Called by the handler. Takes the
 * locks of the record writers and marks the record, so that a later read of the directory brings nothing back.
 * Repeating it changes nothing.
 */
import { DAY_MILLISECONDS, type RealTime } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import { assertEnvironmentWritable } from '../../identity/tenant.ts';
import { dropPersonalData } from '../../rules/personal-data.ts';
import { lockRecordWriters, type RecoveryRequest, visibleRecovery } from '../recoveries/index.ts';
import { type ErasableRecord, eraseEvents, eraseInbox, eraseRecord, lockRecord } from './store.ts';

interface ErasureRequest extends RecoveryRequest {
  readonly sandboxEnabled: boolean;
  readonly now: RealTime;
}

/** Counts of an erasure. */
interface ErasureResult {
  readonly events: number;
  readonly pages: number;
  /** Whether an earlier erasure had left nothing to do. */
  readonly isRepeated: boolean;
}

/**
 * Margins around the notifications of a recovery. The directory repeats a notification for a week; a day is added on
 * both sides for clock differences.
 */
const marginBefore = DAY_MILLISECONDS;
const marginAfter = 8 * DAY_MILLISECONDS;

/**
 * Erases the directory's documents of a recovery and the personal data in them. The events stay with their other
 * fields, so that no reader is disturbed; the record stays without personal data and is marked, so that a later read
 * restores nothing.
 */
export async function erasePayloads(request: ErasureRequest): Promise<ErasureResult> {
  const {
    tx,
    now,
    principal: { tenantId },
  } = request;
  const { environment, id } = await visibleRecovery(request);
  assertEnvironmentWritable(environment, request);
  const recovery = { tenantId, id, environment };
  // A transaction that derives events from this record waits here, and then sees the mark.
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

/** Returns the period in which pages can have named the recovery. */
function mentionWindow({ createdAt: created, updatedAt: modified }: ErasableRecord): { from: Date; to: Date } {
  return { from: new Date(Date.parse(created) - marginBefore), to: new Date(Date.parse(modified) + marginAfter) };
}
