import { isAlive, statusAt, type KeyLife } from '../../http/key-life.ts';
import { Problem } from '../../http/problem.ts';

const HOUR = 3_600_000;

export function assertAlive(key: KeyLife, now: Date): void {
  if (!isAlive(key, now)) throw new Problem('key_revoked', { currentStatus: statusAt(key, now) });
}

export function assertNotRotating(key: KeyLife, now: Date): void {
  if (statusAt(key, now) === 'rotating') throw new Problem('rotation_in_progress');
}

/** How long the old key of a rotation keeps working. */
export function graceEnd(now: Date, hours: number): Date {
  return new Date(now.getTime() + hours * HOUR);
}
