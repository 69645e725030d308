import type { PayloadView } from './payloads/visible.ts';
import type { EventRow } from './store.ts';

/** An event as everybody reads it, in the feed and in the timeline of its recovery. */
export function toEvent(row: EventRow, show: PayloadView) {
  return {
    eventId: row.event_id,
    fundsRecoveryId: row.funds_recovery_id,
    eventType: row.event_type,
    status: row.status,
    timestamp: row.occurred_at,
    rawPayload: show(row.raw_payload),
  };
}
