import type { Transaction } from '../../database/index.ts';
import type { Consumer, FeedCursors } from './feed-cursor.ts';
import { assertStillThere } from './presented.ts';
import { acknowledge, findEventAt, findHead } from './store.ts';

export interface Acknowledgement {
  readonly consumer: Consumer;
  readonly cursor: string;
  readonly now: Date;
}

/** Acknowledges every event up to the cursor. The last of them, or null when the consumer had acknowledged it before. */
export async function acknowledgeUpTo(tx: Transaction, cursors: FeedCursors, { consumer, cursor, now }: Acknowledgement): Promise<{ readonly eventId: string | null } | null> {
  const feed = { tenantId: consumer.tenantId, env: consumer.environment };
  const presented = cursors.decode(consumer, cursor);
  const head = (await tx.run(findHead, feed))[0]!;
  assertStillThere(presented, head);
  const [events, written] = await Promise.all([
    tx.run(findEventAt, { ...feed, seq: presented.sequence }),
    tx.run(acknowledge, { ...feed, consumer: consumer.id, generation: head.generation, seq: presented.sequence, now }),
  ]);
  return written[0]?.moved === true ? { eventId: events[0]?.event_id ?? null } : null;
}
