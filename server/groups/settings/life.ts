import { Problem } from '../../http/problem.ts';

/** What decides whether a key still works. */
export interface KeyLife {
  readonly state: 'active' | 'rotating' | 'revoked';
  readonly expiresAt: Date | null;
  readonly graceUntil: Date | null;
}

export type KeyStatus = 'active' | 'rotating' | 'expired' | 'revoked';

const HOUR = 3_600_000;

/** The status at an instant: a key expires, and a rotation ends, without anybody doing anything. */
export function statusOf({ state, expiresAt, graceUntil }: KeyLife, now: Date): KeyStatus {
  if (state === 'revoked') return 'revoked';
  const over = (instant: Date | null): boolean => instant !== null && instant <= now;
  return over(expiresAt) || (state === 'rotating' && over(graceUntil)) ? 'expired' : state;
}

export function assertAlive(key: KeyLife, now: Date): void {
  const status = statusOf(key, now);
  if (status === 'revoked' || status === 'expired') throw new Problem('key_revoked', { currentStatus: status });
}

export function assertNotRotating(key: KeyLife, now: Date): void {
  if (statusOf(key, now) === 'rotating') throw new Problem('rotation_in_progress');
}

/** How long the old key of a rotation keeps working. */
export function graceEnd(now: Date, hours: number): Date {
  return new Date(now.getTime() + hours * HOUR);
}
