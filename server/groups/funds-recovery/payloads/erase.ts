import type { AnyPrincipal, Environment } from '../../../contract/principal.ts';
import type { Transaction } from '../../../database/index.ts';
import { Problem } from '../../../http/problem.ts';
import { assertWritable } from '../../../http/writable.ts';
import { lockRecordWriters } from '../ingestion/store/records.ts';
import { dropPersonalData } from './personal-data.ts';
import { eraseEvents, eraseInbox, eraseRecord, findEnvironment, lockRecord, type ErasableRecord } from './store.ts';

export interface Request {
  readonly tx: Transaction;
  readonly principal: AnyPrincipal;
  readonly params: { readonly fundsRecoveryId: string };
  readonly visible: readonly Environment[];
  readonly sandboxEnabled: boolean;
  readonly touched: (environment: Environment) => void;
  readonly now: Date;
}

/** What an erasure has removed; all zero, and not new, when it was done before. */
export interface Erased {
  readonly events: number;
  readonly pages: number;
  readonly isNew: boolean;
}

const day = 24 * 60 * 60_000;
/** The directory repeats a notification for a week; a day on both sides for clocks that differ. */
const before = day;
const after = 8 * day;

/**
 * Erases what the directory said of a recovery and the persons in it. Its events stay with their other fields, so that no
 * reader is disturbed; the record goes on without personal data, marked, so that nothing comes back with a later read.
 */
export async function erasePayloads(request: Request): Promise<Erased> {
  const { tx, now } = request;
  const recovery = { tenantId: request.principal.tenantId, id: request.params.fundsRecoveryId, env: await environmentOf(request) };
  // Whoever derives events from this record waits, and finds the mark when it goes on.
  await lockRecordWriters(tx, recovery.env);
  const [record] = await tx.run(lockRecord, recovery);
  const events = await tx.count(eraseEvents, recovery);
  if (record === undefined) return { events, pages: 0, isNew: events > 0 };
  await tx.run(eraseRecord, { ...recovery, snapshot: JSON.stringify(dropPersonalData(record.snapshot)), now });
  const pages = await tx.count(eraseInbox, { ...recovery, ...heardOf(record) });
  return { events, pages, isNew: record.erased_at === null || events > 0 };
}

/** When pages can have named it. */
function heardOf(record: ErasableRecord): { from: Date; to: Date } {
  return { from: new Date(Date.parse(record.created_at) - before), to: new Date(Date.parse(record.last_modified) + after) };
}

async function environmentOf({ tx, principal: { tenantId }, params, visible, sandboxEnabled, touched }: Request): Promise<Environment> {
  const rows = await tx.run(findEnvironment, { tenantId, id: params.fundsRecoveryId });
  const env = rows.find((row) => visible.includes(row.env))?.env;
  if (env === undefined) throw new Problem('not_found');
  assertWritable(env, { sandboxEnabled });
  touched(env);
  return env;
}
