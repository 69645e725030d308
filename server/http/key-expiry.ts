import type { KeyRecord } from './credentials-store.ts';

const DAY = 86_400_000;
const NOTICE_DAYS = 30;

/**
 * The value of `X-Api-Key-Expires`, from thirty days before the end of a key: an HTTP date (RFC 9110 §5.6.7), as `Sunset`
 * has it (RFC 8594). Who watches for the field in answers learns in time that a key must be replaced.
 */
export function expiryNotice({ expiresAt, status, graceUntil }: Pick<KeyRecord, 'expiresAt' | 'status' | 'graceUntil'>, now: Date): string | null {
  const ends = [expiresAt, status === 'rotating' ? graceUntil : null].filter((instant) => instant !== null).map((instant) => Date.parse(instant));
  if (ends.length === 0) return null;
  const end = Math.min(...ends);
  return end - now.getTime() <= NOTICE_DAYS * DAY ? new Date(end).toUTCString() : null;
}
