/** New events of a recovery. Used by tests of the feed. */
import { randomUUID } from 'node:crypto';
import type { NewEvent } from '../../server/modules/recovery-feed/publish.ts';

/** Returns new events of one recovery, in order; `rawPayload.N` numbers them. */
export function recoveryEvents(count: number): NewEvent[] {
  const fundsRecoveryId = randomUUID();
  return Array.from({ length: count }, (_, n) => ({
    fundsRecoveryId,
    eventType: 'FUNDS_RECOVERY_TRACKED',
    status: 'TRACKED',
    dedupeKey: `${fundsRecoveryId}:${n}`,
    occurredAt: new Date(Date.UTC(2026, 10, 20) + n * 1000).toISOString(),
    rawPayload: { N: String(n) },
  }));
}
