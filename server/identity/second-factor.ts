/**
 * Verifies second factors and creates recovery codes. Used by sign-in, invitations, passwords and step-up. Secrets are
 * sealed and recovery codes hashed under a key that is not in the database.
 */
import { createHmac, randomInt } from 'node:crypto';
import { unseal } from '../base/seal.ts';
import type { Secrets } from '../base/secrets.ts';
import type { Transaction } from '../database/index.ts';
import { lockTotp, removeRecoveryCodes, removeTotp, takeStep, useRecoveryCode } from './second-factor-store.ts';
import { codeOf, isNearStep, timeStepOf } from './totp.ts';

/** Characters of recovery codes, without letters that look like digits or like each other. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const COUNT = 10;

/** Returns ten codes of 50 bits, which cannot be entered by accident or guessed before the lock-out. */
export function generateRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < COUNT) codes.add(`${letters(5)}-${letters(5)}`);
  return [...codes];
}

/**
 * Hashes a recovery code. 50 bits can be tried out offline, so the hash uses a key that is not in the database. Case
 * and hyphen do not matter.
 */
export function hashRecoveryCode(key: Buffer, userId: string, code: string): Buffer {
  return createHmac('sha256', key)
    .update(`${userId}\n${code.toLowerCase().replaceAll('-', '')}`)
    .digest();
}

function letters(count: number): string {
  return Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

export interface SecondFactorKeys {
  /** Seals the secrets of authenticators. */
  readonly totp: Buffer;
  /** Hashes recovery codes. */
  readonly recovery: Buffer;
}

interface SecondFactorProof {
  readonly totpCode?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

interface SecondFactorAttempt {
  readonly proof: SecondFactorProof;
  readonly now: Date;
}

/**
 * Result of a verification. `none`: no second factor is enrolled. `missing`: one is enrolled, and the request has no
 * proof.
 */
export type SecondFactorResult = 'none' | 'missing' | 'wrong' | 'totp' | 'recovery_code';

export function secondFactorKeys(secrets: Secrets): SecondFactorKeys {
  return { totp: secrets.deriveKey('totp-secret'), recovery: secrets.deriveKey('recovery-code') };
}

/**
 * Verifies the second factor and marks it as used: neither a code of an authenticator nor a recovery code works twice
 * (RFC 6238 §5.2). Platform work; the row of the authenticator stays locked until the end of the transaction.
 */
export async function verifySecondFactor(
  tx: Transaction,
  keys: SecondFactorKeys,
  userId: string,
  { proof: { totpCode, recoveryCode }, now }: SecondFactorAttempt,
): Promise<SecondFactorResult> {
  const stored = await lockTotp(tx, userId);
  if (stored === null || stored.expiresAt !== null) return 'none';
  if (totpCode !== undefined) {
    const step = timeStepOf(unseal(keys.totp, userId, stored.secret), totpCode, now);
    return step !== null && (await takeStep(tx, userId, step)) ? 'totp' : 'wrong';
  }
  if (recoveryCode === undefined) return 'missing';
  return (await useRecoveryCode(tx, userId, hashRecoveryCode(keys.recovery, userId, recoveryCode), now))
    ? 'recovery_code'
    : 'wrong';
}

/**
 * Tells whether the code is the last accepted one and was accepted at that time. Platform work, after
 * `verifySecondFactor`.
 */
export async function isRepeatedCode(
  tx: Transaction,
  keys: SecondFactorKeys,
  userId: string,
  { code, takenAt }: { readonly code: string; readonly takenAt: Date },
): Promise<boolean> {
  const stored = await lockTotp(tx, userId);
  if (stored === null || stored.lastStep === null || !isNearStep(stored.lastStep, takenAt)) return false;
  return codeOf(unseal(keys.totp, userId, stored.secret), stored.lastStep) === code;
}

/** Removes authenticator and recovery codes. Returns whether an authenticator existed. Platform work. */
export async function removeSecondFactors(tx: Transaction, userId: string): Promise<boolean> {
  const [removed] = await Promise.all([removeTotp(tx, userId), removeRecoveryCodes(tx, userId)]);
  return removed;
}
