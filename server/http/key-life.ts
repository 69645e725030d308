/**
 * What decides whether a key works: whether somebody revoked it, and when it ends by itself. `endsAt` is computed by the
 * database, from its expiry and the grace of its rotation, so that nobody else has to know what can end a key.
 */
export interface KeyLife {
  readonly status: 'active' | 'rotating' | 'revoked';
  readonly endsAt: string | null;
}

export type KeyStatus = KeyLife['status'] | 'expired';

/** The status at an instant: a key ends by itself, without anybody doing anything. */
export function statusAt({ status, endsAt }: KeyLife, now: Date): KeyStatus {
  return status !== 'revoked' && endsAt !== null && Date.parse(endsAt) <= now.getTime() ? 'expired' : status;
}

export function isAlive(key: KeyLife, now: Date): boolean {
  const status = statusAt(key, now);
  return status === 'active' || status === 'rotating';
}
