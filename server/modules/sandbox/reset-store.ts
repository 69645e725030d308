import { Problem } from '../../contract/problem.ts';
import { tryLockUntilCommit } from '../../database/advisory-lock.ts';
import { type Columns, knex, sql, type Statement, statement, type Table, tables, type Transaction } from '../../database/index.ts';
import type { FileKey } from '../../providers/files/index.ts';
import { clearJournal } from '../../simulators/directory/index.ts';
import { application } from '../applications/index.ts';
import { document } from '../documents/index.ts';
import { lockRecordWriters } from '../recoveries/index.ts';
import { event, feed } from '../recovery-feed/index.ts';
import { lockSimulations, resetClock } from '../sandbox-clock/index.ts';

type Tenant = { tenantId: string };
type Row = { storageKey: FileKey };
type Deletion = Statement<Tenant, Row>;

let deletions: ReadonlyMap<string, Deletion> | null = null;

/**
 * One statement for each table that a reset empties, as the tables declare it (`sandboxReset`): those first whose rows refer to others. What else belongs to
 * a tenant goes along with one of these rows or has a reason to stay.
 */
export function resetStatements(): ReadonlyMap<string, Deletion> {
  return (deletions ??= new Map(emptiedTables().map((table) => [table.name, statement<Tenant, Row>(`sandbox.delete.${table.name}`, (p) => {
    const deletion = sql`DELETE FROM ${knex.raw(table.name)} WHERE ${table.equal({ tenantId: p.tenantId, environment: 'sandbox' })}`;
    return table.name === document.name ? sql`${deletion} RETURNING ${document.select('storageKey')}` : deletion;
  })])));
}

function emptiedTables(): Table<Columns>[] {
  const emptied = tables.filter(({ duties: { sandboxReset } }) => sandboxReset === 'emptied' || (typeof sandboxReset === 'object' && 'emptiedBefore' in sandboxReset));
  const depth = ({ duties: { sandboxReset } }: Table<Columns>): number => {
    if (typeof sandboxReset !== 'object' || !('emptiedBefore' in sandboxReset)) return 0;
    const later = emptied.find(({ name }) => name === sandboxReset.emptiedBefore);
    if (later === undefined) throw new Error(`${sandboxReset.emptiedBefore} is no table that a reset of the sandbox empties`);
    return depth(later) + 1;
  };
  return emptied.sort((one, other) => depth(other) - depth(one));
}

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
  const removed = new Map<string, number>();
  await Promise.all([
    tx.count(restartFeed, tenant),
    ...[...resetStatements()].map(async ([table, deletion]) => {
      if (table === document.name) storageKeys.push(...(await tx.run(deletion, tenant)).map(({ storageKey }) => storageKey));
      else removed.set(table, await tx.count(deletion, tenant));
    }),
    resetClock(tx),
  ]);
  return { applications: removed.get(application.name)!, documents: storageKeys.length, fundsRecoveryEvents: removed.get(event.name)!, storageKeys };
}
