/**
 * The cursors of the feed: encoding, verification, and whether the position still exists. Used by reading,
 * acknowledging and the handlers. A cursor is authenticated and bound to its consumer, so it cannot be forged or passed
 * on; forged ones give `invalid_cursor`, outdated ones a problem of their own.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Environment } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { FeedHead } from './store.ts';

/** Owner of a position: each consumer reads and acknowledges separately. */
export interface Consumer {
  readonly tenantId: string;
  readonly environment: Environment;
  /** `client:<client_id>` or `user:<id>`, so that a person who reads the feed never moves an integration's position. */
  readonly id: string;
}

/** Position with the meaning "everything up to and including `sequence` has been delivered". */
interface FeedPosition {
  readonly generation: number;
  readonly sequence: number;
}

const VERSION = 1;
const KEY_ID = 1;
const CONTEXT = 8;
const HEADER = 2 + 4 + 6;
const MAC = 16;
const LENGTH = HEADER + CONTEXT + MAC;
const HALF = 0x1_0000;

/**
 * Feed cursors: version(1) key-id(1) generation(2) generation's upper half(2) sequence(6) context(8)
 * mac(16), 36 bytes in base64url. There is no time inside, so a position always has the same cursor and a
 * retry can be compared byte by byte.
 */
export class FeedCursors {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  encode(consumer: Consumer, position: FeedPosition): string {
    const payload = Buffer.alloc(HEADER + CONTEXT);
    payload.writeUInt8(VERSION, 0);
    payload.writeUInt8(KEY_ID, 1);
    payload.writeUInt16BE(position.generation % HALF, 2);
    payload.writeUInt16BE(Math.floor(position.generation / HALF), 4);
    payload.writeUIntBE(position.sequence, 6, 6);
    contextOf(consumer).copy(payload, HEADER);
    return Buffer.concat([payload, this.#mac(payload)]).toString('base64url');
  }

  /**
   * Rejects forged, damaged and foreign cursors with the same answer, which reveals nothing to a stranger. Only a
   * consumer that sends the cursor of its own position in the other environment is told so.
   */
  decode(consumer: Consumer, cursor: string): FeedPosition {
    const bytes = Buffer.from(cursor, 'base64url');
    const payload = bytes.subarray(0, -MAC);
    const genuine =
      bytes.length === LENGTH &&
      bytes.toString('base64url') === cursor &&
      timingSafeEqual(this.#mac(payload), bytes.subarray(-MAC)) &&
      payload[0] === VERSION &&
      payload[1] === KEY_ID;
    const isOf = (environment: Environment): boolean =>
      timingSafeEqual(contextOf({ ...consumer, environment }), payload.subarray(HEADER));
    if (!genuine) throw new Problem('invalid_cursor');
    if (!isOf(consumer.environment)) {
      const other = consumer.environment === 'live' ? 'sandbox' : 'live';
      throw isOf(other)
        ? new Problem('invalid_cursor', { detail: otherFeed(other, consumer.environment) })
        : new Problem('invalid_cursor');
    }
    return { generation: payload.readUInt16BE(4) * HALF + payload.readUInt16BE(2), sequence: payload.readUIntBE(6, 6) };
  }

  #mac(payload: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(payload).digest().subarray(0, MAC);
  }
}

function otherFeed(other: Environment, current: Environment): string {
  return (
    `The cursor is of the ${other} feed, and this call reads the ${current} feed. The sandbox switch redirects ` +
    'keys that are not pinned: pin the key of a follower (pinEnvironment), or begin without a cursor.'
  );
}

function contextOf(consumer: Consumer): Buffer {
  return createHash('sha256')
    .update(`${consumer.tenantId}|${consumer.environment}|${consumer.id}`)
    .digest()
    .subarray(0, CONTEXT);
}

/**
 * Rejects a position that belongs to an older generation (reset or restore), was purged by retention, or lies beyond
 * the last published event.
 */
export function assertPositionAvailable(position: FeedPosition, head: FeedHead): void {
  const isAvailable =
    position.generation === head.generation && position.sequence >= head.floorSeq && position.sequence <= head.lastSeq;
  if (!isAvailable) throw cursorExpired();
}

export function cursorExpired(): Problem {
  return new Problem('cursor_expired', {
    detail:
      'Call again without a cursor. Reading goes on after the last event that you acknowledged and that is still kept.',
  });
}
