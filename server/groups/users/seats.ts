import type { Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { countSeatsTaken, type Terms } from './store/members.ts';

/** One more person may work for the tenant, whose terms are locked. Quotas may be lowered below what is in use; who is there stays. */
export async function assertSeat(tx: Transaction, tenantId: string, { seats }: Terms, userId: string | null, now: Date): Promise<void> {
  if (seats !== null && await countSeatsTaken(tx, tenantId, userId, now) >= seats) throw new Problem('seat_limit');
}
