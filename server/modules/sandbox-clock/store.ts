/**
 * Statements on the lead of a sandbox clock, and the lock of simulations. Used by advance-clock.ts and, through the
 * index, by the sandbox and its reset. The clock never goes back except by a reset, because work would become due
 * twice.
 */
import { businessTime, type BusinessTime, DAY_SECONDS, type RealTime, SECOND_MILLISECONDS } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { tenant } from '../../identity/tables.ts';
import { timeIn } from '../../tasks/business-time-store.ts';

type Tenant = { tenantId: string };

const setForward = statement<Tenant & { seconds: number; most: number }, { offset: number }>(
  'sandbox.setForward',
  (p) => sql`
  UPDATE tenant SET sandbox_clock_offset_seconds = sandbox_clock_offset_seconds + ${p.seconds}::bigint
  WHERE id = ${p.tenantId}::uuid AND sandbox_clock_offset_seconds + ${p.seconds}::bigint <= ${p.most}::bigint
  RETURNING sandbox_clock_offset_seconds AS offset`,
);

const setBack = statement<Tenant>(
  'sandbox.setRight',
  (p) => sql`
  UPDATE tenant SET ${tenant.assign({ sandboxClockOffsetSeconds: 0 })}
    WHERE ${tenant.equal({ id: p.tenantId })} AND sandbox_clock_offset_seconds <> 0`,
);

/** Limit of the lead, a hundred years: more than every retention, and years still have four digits. */
const MOST_SECONDS = 100 * 365 * DAY_SECONDS;

interface ClockMove {
  /** Seconds ahead of real time, before and after. */
  readonly from: number;
  readonly to: number;
}

/**
 * Moves the clock forwards only, because otherwise work could become due twice. Simultaneous moves add up. Returns null
 * if the new time is too far ahead.
 */
export async function moveClock(tx: Transaction, seconds: number): Promise<ClockMove | null> {
  if (seconds < 0) throw new Problem('clock_cannot_go_back');
  const [moved] = await tx.run(setForward, { tenantId: tx.tenantId!, seconds, most: MOST_SECONDS });
  return moved === undefined ? null : { from: moved.offset - seconds, to: moved.offset };
}

/**
 * Returns the business time of the sandbox, read from the row, because the cached tenant of a request can be seconds
 * old.
 */
export function sandboxTime(tx: Transaction, now: RealTime): Promise<BusinessTime> {
  return timeIn(tx, 'sandbox', now);
}

export function shiftedBySeconds(now: RealTime, seconds: number): BusinessTime {
  return businessTime(now, seconds * SECOND_MILLISECONDS);
}

/** Returns the clock to real time. Only a reset may call this, because it deletes everything with a later time. */
export async function resetClock(tx: Transaction): Promise<void> {
  await tx.run(setBack, { tenantId: tx.tenantId! });
}

/**
 * Serialises simulations and resets of a tenant, because they lock many rows and would deadlock in different orders. A
 * later one sees everything that an earlier one has committed.
 */
export async function lockSimulations(tx: Transaction): Promise<void> {
  await lockUntilCommit(tx, 'sandbox simulation', tx.tenantId!);
}
