import { DAY_SECONDS } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { tenant } from '../../identity/tables.ts';

type Tenant = { tenantId: string };

const setForward = statement<Tenant & { seconds: number; most: number }, { offset: number }>('sandbox.setForward', (p) => sql`
  UPDATE tenant SET sandbox_clock_offset_seconds = sandbox_clock_offset_seconds + ${p.seconds}::bigint
  WHERE id = ${p.tenantId}::uuid AND sandbox_clock_offset_seconds + ${p.seconds}::bigint <= ${p.most}::bigint
  RETURNING sandbox_clock_offset_seconds AS offset`);

const setRight = statement<Tenant>('sandbox.setRight', (p) => sql`
  UPDATE tenant SET ${tenant.assign({ sandboxClockOffsetSeconds: 0 })} WHERE ${tenant.equal({ id: p.tenantId })} AND sandbox_clock_offset_seconds <> 0`);

const findOffset = statement<Tenant, { offset: number }>('sandbox.offset', (p) => sql`
  SELECT sandbox_clock_offset_seconds AS offset FROM tenant WHERE ${tenant.equal({ id: p.tenantId })}`);

/** A hundred years: far enough for every retention, and no date has more than four digits of year. */
const MOST_SECONDS = 100 * 365 * DAY_SECONDS;

interface ClockMove {
  /** Seconds ahead of real time, before and after. */
  readonly from: number;
  readonly to: number;
}

/** Forwards only: what is due would otherwise become due twice. Simultaneous moves add up. Null when that is too far ahead. */
export async function moveClock(tx: Transaction, seconds: number): Promise<ClockMove | null> {
  if (seconds < 0) throw new Problem('clock_cannot_go_back');
  const [moved] = await tx.run(setForward, { tenantId: tx.tenantId!, seconds, most: MOST_SECONDS });
  return moved === undefined ? null : { from: moved.offset - seconds, to: moved.offset };
}

/** The business time of the sandbox, read from the row: what a request remembers of its tenant can be seconds old. */
export async function sandboxTime(tx: Transaction, now: Date): Promise<Date> {
  const [row] = await tx.run(findOffset, { tenantId: tx.tenantId! });
  return shiftedBySeconds(now, row!.offset);
}

export function shiftedBySeconds(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

/** Back to real time, which only a reset may do: it leaves nothing that has seen another time. */
export async function resetClock(tx: Transaction): Promise<void> {
  await tx.run(setRight, { tenantId: tx.tenantId! });
}

/**
 * Simulations of a tenant, and its resets, happen one after the other: they take many rows, and in different orders would
 * wait for one another for ever. Everything after it sees what the one before has committed.
 */
export async function lockSimulations(tx: Transaction): Promise<void> {
  await lockUntilCommit(tx, 'sandbox simulation', tx.tenantId!);
}
