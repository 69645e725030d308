/**
 * Who is the consumer of a request, and acknowledging up to a cursor. Used by the handlers and, through the index, by
 * recoveries. A consumer keeps its position when its key is rotated; a person never moves the position of an
 * integration.
 */
import type { RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import type { Principal } from '../../request/handler.ts';
import { acknowledge, findEventAt, findPosition } from './consumer-store.ts';
import { assertPositionAvailable, type Consumer, type FeedCursors } from './cursor.ts';
import { findHead } from './store.ts';

/**
 * Returns the consumer of a request. A client keeps its position if its key is rotated, by key and by token; a person
 * has a position of their own.
 */
export function consumerOf({
  principal,
  environment,
}: {
  readonly principal: Principal<'listFundsRecoveryEvents'>;
  readonly environment: Environment;
}): Consumer {
  return {
    tenantId: principal.tenantId,
    environment,
    id: `${principal.kind === 'user' ? 'user' : 'client'}:${principal.client}`,
  };
}

interface Acknowledgement {
  readonly consumer: Consumer;
  readonly cursor: string;
  readonly now: RealTime;
}

/**
 * Acknowledges every event up to the cursor. Returns the last of them, or null if the consumer had acknowledged it
 * before.
 */
export async function acknowledgeUpTo(
  tx: Transaction,
  cursors: FeedCursors,
  { consumer, cursor, now }: Acknowledgement,
): Promise<{ readonly eventId: string | null } | null> {
  const feed = { tenantId: consumer.tenantId, environment: consumer.environment };
  const presented = cursors.decode(consumer, cursor);
  const head = (await tx.run(findHead, feed))[0]!;
  assertPositionAvailable(presented, head);
  const [events, written] = await Promise.all([
    tx.run(findEventAt, { ...feed, seq: presented.sequence }),
    tx.run(acknowledge, {
      ...feed,
      consumerId: consumer.id,
      generation: head.generation,
      seq: presented.sequence,
      now,
    }),
  ]);
  return written[0]?.moved === true ? { eventId: events[0]?.eventId ?? null } : null;
}

/** Returns how far a consumer has acknowledged, without moving its position. */
export async function readConsumerPosition(tx: Transaction, { tenantId, environment, id }: Consumer) {
  const [row] = await tx.run(findPosition, { tenantId, environment, consumerId: id });
  if (row === undefined) throw new Error('the tenant has no feed');
  return row;
}
