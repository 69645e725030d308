/**
 * Creates and checks UUIDs, as a type of its own. Used everywhere. Ids are in lower case from the door on; an unchecked
 * text must not be cast to `Uuid`.
 */
import { randomFillSync } from 'node:crypto';

/**
 * Maximum step back that is ignored. A clock that goes back further was wrong before and has been corrected: new ids
 * follow it.
 */
const MAX_STEP_BACK_MILLISECONDS = 10_000;

/** UUID of RFC 9562 §4 in lower case, the form in which the service stores and compares UUIDs. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

declare const uuid: unique symbol;

/**
 * UUID in the form in which the service stores, compares and logs it. It is a type of its own, so that an unchecked
 * text does not compile where an id is expected. Ids of a request get this type where the request is received
 * (request/ids.ts), ids of rows where they are read.
 */
export type Uuid = string & { readonly [uuid]: true };

export function isUuid(text: string): text is Uuid {
  return UUID.test(text);
}

/** Returns the id of a document whose format was checked, such as one of the directory. */
export function uuidIn(text: string): Uuid {
  return text.toLowerCase() as Uuid;
}

/**
 * Returns a UUID in the form in which the service compares it. Any other text is returned unchanged, for members that
 * contain ids of several kinds.
 */
export function lowerCaseUuid(text: string): string {
  const lower = text.toLowerCase();
  return isUuid(lower) ? lower : text;
}

const pool = Buffer.alloc(16 * 128);
let used = pool.length;
let lastMillisecond = 0;
let counter = 0;

/**
 * Creates a UUID version 7 (RFC 9562 §5.7): milliseconds, then a 12-bit counter that keeps the ids of one process in
 * order within a millisecond (§6.2, method 1), then 62 random bits. The service creates ids itself because PostgreSQL
 * before 18 cannot. The function accepts no time as an argument: all tenants share the last millisecond, so the clock
 * of one tenant's sandbox would shift the ids of all.
 */
export function uuidv7(): Uuid {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, (used += 16));
  const now = Date.now();
  if (now > lastMillisecond || now < lastMillisecond - MAX_STEP_BACK_MILLISECONDS) {
    lastMillisecond = now;
    counter = bytes.readUInt16BE(6) & 0x7ff;
  } else {
    counter += 1;
    if (counter > 0xfff) {
      lastMillisecond += 1;
      counter = 0;
    }
  }
  bytes.writeUIntBE(lastMillisecond, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return parts.join('-') as Uuid;
}
