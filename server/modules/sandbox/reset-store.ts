/**
 * Empties the sandbox of a tenant, in the order that the tables declare (`sandboxReset`). Called by the handlers. Every
 * statement names the environment, and triggers refuse live rows. A table that is missing here keeps its sandbox rows;
 * one in a wrong order fails on a reference.
 */
import { Problem } from '../../contract/problem.ts';
import { tryLockUntilCommit } from '../../database/advisory-lock.ts';
import { type Columns, fromTables, knex, sql, statement, type Table, type Transaction } from '../../database/index.ts';
import { runSealed } from '../../database/sealed-statement.ts';
import type { FileKey } from '../../providers/files/index.ts';
import { clearJournal } from '../../simulators/directory/index.ts';
import { application } from '../applications/index.ts';
import { document } from '../documents/index.ts';
import { lockRecordWriters } from '../recoveries/index.ts';
import { event, feed } from '../recovery-feed/index.ts';
import { lockSimulations, resetClock } from '../sandbox-clock/index.ts';

type Tenant = { tenantId: string };
type Row = { storageKey: FileKey };

/**
 * Statements for the tables that a reset empties, as the tables declare (`sandboxReset`), in the order of their
 * references: referring rows first. Other tables of a tenant are emptied by cascade or have a reason to stay.
 */
const deletions = fromTables(
  (all) =>
    new Map(
      emptiedOf(all).map((table) => [
        table.name,
        {
          isSealed: table.duties.isSealed === true,
          deletion: statement<Tenant, Row>(`sandbox.delete.${table.name}`, (p) => {
            const deletion = sql`DELETE FROM ${knex.raw(table.name)}
            WHERE ${table.equal({ tenantId: p.tenantId, environment: 'sandbox' })}`;
            return table.name === document.name
              ? sql`${deletion} RETURNING ${document.select('storageKey')}`
              : deletion;
          }),
        },
      ]),
    ),
);

function emptiedOf(all: readonly Table<Columns>[]): Table<Columns>[] {
  const nextOf = ({ duties: { sandboxReset } }: Table<Columns>): string | null =>
    typeof sandboxReset === 'object' && 'emptiedBefore' in sandboxReset ? sandboxReset.emptiedBefore : null;
  const emptied = all.filter((table) => table.duties.sandboxReset === 'emptied' || nextOf(table) !== null);
  const depth = (table: Table<Columns>): number => {
    const next = nextOf(table);
    if (next === null) return 0;
    const later = emptied.find(({ name }) => name === next);
    if (later === undefined)
      throw new Error(`emptiedBefore names ${next}, which must be a table that a reset of the sandbox empties`);
    return depth(later) + 1;
  };
  return emptied.sort((one, other) => depth(other) - depth(one));
}

/**
 * Starts a new generation, which makes every cursor into the old feed expire. Takes the lock of publishers, so it must
 * run before the events are deleted.
 */
const restartFeed = statement<Tenant>(
  'sandbox.restartFeed',
  (p) => sql`
  UPDATE fr_feed SET ${feed.assign({ generation: sql`generation + 1`, lastSeq: 0, floorSeq: 0 })}
  WHERE ${feed.equal({ tenantId: p.tenantId, environment: 'sandbox' })}`,
);

interface SandboxReset {
  readonly applications: number;
  readonly documents: number;
  readonly fundsRecoveryEvents: number;
  /** Files to delete after the commit. */
  readonly storageKeys: readonly string[];
}

/**
 * Deletes every sandbox row of the tenant. Each statement names the environment, row-level security confines it to the
 * tenant, and triggers refuse to delete live rows. Stored responses of idempotent requests are deleted too, because
 * they describe deleted records. The clock returns to real time.
 */
export async function resetSandbox(tx: Transaction): Promise<SandboxReset> {
  const tenant = { tenantId: tx.tenantId! };
  if (!(await tryLockUntilCommit(tx, 'sandbox reset', tenant.tenantId)))
    throw new Problem('reset_in_progress', { retryable: true, retryAfter: 1 });
  await lockSimulations(tx);
  await lockRecordWriters(tx, 'sandbox');
  await clearJournal(tx);
  const storageKeys: string[] = [];
  const removed = new Map<string, number>();
  await Promise.all([
    tx.count(restartFeed, tenant),
    ...[...deletions()].map(async ([table, { deletion, isSealed }]) => {
      if (isSealed) await runSealed(tx, deletion, tenant);
      else if (table === document.name)
        storageKeys.push(...(await tx.run(deletion, tenant)).map(({ storageKey }) => storageKey));
      else removed.set(table, await tx.count(deletion, tenant));
    }),
    resetClock(tx),
  ]);
  return {
    applications: removed.get(application.name)!,
    documents: storageKeys.length,
    fundsRecoveryEvents: removed.get(event.name)!,
    storageKeys,
  };
}
