/**
 * What the ledgers of this module (waivers, attestations, requests for information) have in common: room, order in
 * time, sealing, and refusals. Used by those three. The caller must hold the lock on the subject, or two records could
 * get the same time or exceed the limit.
 */
import { type BusinessTime, type BusinessTimestamp, nextChangeTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Columns, Table, Transaction } from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { sealedRow, sealingKey } from '../subject-keys/index.ts';
import { subjectMembers } from '../../rules/subject-rows.ts';

/**
 * Subject of a ledger. The transaction must hold the lock on the row of the subject, so that simultaneous records see
 * each other.
 */
export interface LedgerSubject {
  readonly subject: Subject;
  readonly environment: Environment;
  /** Business time of the record. */
  readonly now: BusinessTime;
}

interface Recorded {
  readonly createdAt: BusinessTimestamp;
}

/** Highest number of records in a ledger of a subject, so that a response can show all of them. */
const MAX_RECORDS = 100;
const NAME: Readonly<Record<Subject['kind'], string>> = {
  application: 'an application',
  business: 'a business',
};

/** Rejects a record in a full ledger. `records` names the records in the message. */
export function assertRoom(
  ledger: readonly Recorded[],
  { kind }: Subject,
  { pointer, records }: { readonly pointer: string; readonly records: string },
): void {
  if (ledger.length >= MAX_RECORDS)
    throw refusal(pointer, 'too_many', `must not be recorded: ${NAME[kind]} has at most ${MAX_RECORDS} ${records}`);
}

/**
 * Returns the time of a new record. It is later than that of the previous record, so that the order of times is the
 * order in which the ledger was written.
 */
export function timeOfRecord([newest]: readonly Recorded[], now: BusinessTime): BusinessTimestamp {
  return newest === undefined ? now.toISOString() : nextChangeTime(now, newest.createdAt);
}

/** Seals a new record and adds the members that name its subject. */
export async function sealedRecord<C extends Columns, R extends { readonly id: string }>(
  tx: Transaction,
  table: Table<C>,
  record: R,
  { subject, environment, now }: LedgerSubject,
): Promise<R & ReturnType<typeof subjectMembers> & { readonly tenantId: string; readonly environment: Environment }> {
  const key = await sealingKey(tx, { type: subject.kind, id: subject.id }, { environment, now });
  return {
    ...sealedRow(table, record, key),
    tenantId: tx.tenantId!,
    ...subjectMembers(subject),
    environment,
  };
}

export function refusal(pointer: string, code: string, message: string): Problem {
  return new Problem('validation_failed', { errors: [{ pointer, code, message }] });
}

/** Returns the fault of a requirement that the subject does not have. */
export function unknownAt(pointer: string, { kind }: Subject): FieldError {
  return { pointer, code: 'unknown', message: `must be a requirement of the ${kind}` };
}

export function unknownRequirement(subject: Subject): Problem {
  return new Problem('unknown_requirement', { errors: [unknownAt('/requirementKey', subject)] });
}
