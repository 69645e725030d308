import { randomFillSync } from 'node:crypto';

/** A clock that was ahead for longer than this was wrong, and has been set right: ids follow it back. */
const LONGEST_STEP_BACK_MILLISECONDS = 10_000;

const pool = Buffer.alloc(16 * 128);
let used = pool.length;
let lastMillisecond = 0;
let counter = 0;

/**
 * UUID version 7 (RFC 9562 §5.7): milliseconds, then a 12-bit counter that keeps the ids of one process in
 * order within a millisecond (§6.2, method 1), then 62 random bits. Made here because PostgreSQL before 18
 * cannot. It takes no time: all tenants share its last millisecond, and the clock of one's sandbox would move the ids of all.
 */
export function uuidv7(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, (used += 16));
  const now = Date.now();
  if (now > lastMillisecond || now < lastMillisecond - LONGEST_STEP_BACK_MILLISECONDS) {
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
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
