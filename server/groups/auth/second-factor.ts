import type { Transaction } from '../../database/index.ts';
import type { Secrets } from '../../secrets.ts';
import { hashRecoveryCode } from './recovery-code.ts';
import { unseal } from './sealed-secret.ts';
import { removeRecoveryCodes, useRecoveryCode } from './store/recovery-codes.ts';
import { lockTotp, removeTotp, takeStep } from './store/totp.ts';
import { codeOf, isNear, stepOf } from './totp.ts';

export interface FactorKeys {
  /** Seals the secrets of authenticators. */
  readonly totp: Buffer;
  /** Hashes recovery codes. */
  readonly recovery: Buffer;
}

export interface Proof {
  readonly totpCode?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

/** `none`: nothing is enrolled. `missing`: something is, and no proof was given. */
export type Factor = 'none' | 'missing' | 'wrong' | 'totp' | 'recovery_code';

export function factorKeys(secrets: Secrets): FactorKeys {
  return { totp: secrets.deriveKey('totp-secret'), recovery: secrets.deriveKey('recovery-code') };
}

/**
 * Judges the second factor and uses it up: neither a code of an authenticator nor a recovery code works twice (RFC 6238
 * §5.2). Platform work; the row of the authenticator is held until the end of the transaction.
 */
export async function judgeFactor(tx: Transaction, keys: FactorKeys, userId: string, { totpCode, recoveryCode }: Proof, now: Date): Promise<Factor> {
  const stored = await lockTotp(tx, userId);
  if (stored === null || stored.expiresAt !== null) return 'none';
  if (totpCode !== undefined) {
    const step = stepOf(unseal(keys.totp, userId, stored.secret), totpCode, now);
    return step !== null && await takeStep(tx, userId, step) ? 'totp' : 'wrong';
  }
  if (recoveryCode === undefined) return 'missing';
  return await useRecoveryCode(tx, userId, hashRecoveryCode(keys.recovery, userId, recoveryCode), now) ? 'recovery_code' : 'wrong';
}

/** Whether the code is the one that was taken last, and was taken at that time. Platform work, after `judgeFactor`. */
export async function isRepeated(tx: Transaction, keys: FactorKeys, userId: string, code: string, takenAt: Date): Promise<boolean> {
  const stored = await lockTotp(tx, userId);
  if (stored === null || stored.lastStep === null || !isNear(stored.lastStep, takenAt)) return false;
  return codeOf(unseal(keys.totp, userId, stored.secret), stored.lastStep) === code;
}

/** Forgets authenticator and recovery codes; whether there was an authenticator. Platform work. */
export async function removeFactors(tx: Transaction, userId: string): Promise<boolean> {
  const [removed] = await Promise.all([removeTotp(tx, userId), removeRecoveryCodes(tx, userId)]);
  return removed;
}
