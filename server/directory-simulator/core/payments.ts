import type { OpenRecovery } from './command.ts';
import { fictitiousIspbs, sandboxIspb, transactionId } from './ids.ts';
import type { Payment } from './model.ts';
import { cents, part } from './money.ts';
import { day, minute, type Instant } from './time.ts';

/** The way of the money: paid the day before the recovery begins, and passed on every ten minutes. */
export function paymentsOf(tenantId: string, { runId, role, amount, hops }: OpenRecovery, openedAt: Instant): readonly Payment[] {
  const own = sandboxIspb(tenantId);
  const [first, second, third] = fictitiousIspbs(tenantId);
  const receivers = role === 'SENT' ? { A: first, B: second, C: third } : { A: own, B: second, C: third };
  return hops.map(({ label, from, share }, index) => {
    const sender = from !== null ? receivers[from] : role === 'SENT' ? own : first;
    const settledAt = openedAt - day + index * 10 * minute;
    return {
      label, from, settledAt,
      transactionId: transactionId('E', sender, settledAt, `${tenantId}|${runId}|${label}`),
      receiver: receivers[label],
      amount: part(cents(amount), share),
    };
  });
}
