import type { KeyLife } from './key-life.ts';

const DAY = 86_400_000;
const NOTICE_DAYS = 30;

/**
 * The value of `X-Api-Key-Expires`, from thirty days before the end of a key: an HTTP date (RFC 9110 §5.6.7), as `Sunset`
 * has it (RFC 8594). Who watches for the field in answers learns in time that a key must be replaced.
 */
export function expiryNotice({ endsAt }: Pick<KeyLife, 'endsAt'>, now: Date): string | null {
  if (endsAt === null) return null;
  const end = new Date(endsAt);
  return end.getTime() - now.getTime() <= NOTICE_DAYS * DAY ? end.toUTCString() : null;
}
