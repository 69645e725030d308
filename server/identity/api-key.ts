/**
 * Form, MAC and validity of API keys, without input or output except randomness. Used by authentication and the module
 * api-keys. Only the MAC is stored. A key ends by its times alone, without any job.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { DAY_MILLISECONDS } from '../base/time.ts';

/**
 * Form of an API key: `kyc_<live|test>_<8 public>_<32 secret><6 checksum>`, all base62. With the fixed beginning and
 * the checksum, secret scanners and this service recognise or refuse a key without a look-up. The first three parts are
 * the prefix, which names the key in paths, logs and as OAuth `client_id`.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^(kyc_(live|test)_[0-9A-Za-z]{8})_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/;
const CHECKSUM_LENGTH = 6;

export type KeyEnvironment = 'live' | 'test';

export interface ApiKey {
  readonly prefix: string;
  readonly environment: KeyEnvironment;
  /** Full key: shown once, never stored. */
  readonly secret: string;
}

/** Limit for random bytes, 256 − 256 mod 62: bytes from here on would favour the first characters. */
const UNBIASED = 248;

function base62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < UNBIASED && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

export function generateApiKey(environment: KeyEnvironment): ApiKey {
  const prefix = `kyc_${environment}_${base62(8)}`;
  const body = `${prefix}_${base62(32)}`;
  return { prefix, environment, secret: body + checksum(body) };
}

/** Returns the parts of a well-formed key, or null. A malformed key costs no look-up. */
export function parseApiKey(secret: string): ApiKey | null {
  const match = FORM.exec(secret);
  if (match === null || checksum(secret.slice(0, -CHECKSUM_LENGTH)) !== secret.slice(-CHECKSUM_LENGTH)) return null;
  return { prefix: match[1] as string, environment: match[2] as KeyEnvironment, secret };
}

/**
 * Computes the MAC of a key. A fast keyed hash is sufficient, because the secret has 190 bits of entropy and cannot be
 * guessed.
 */
export function macOfApiKey(pepper: Buffer, secret: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest();
}

export function sameMac(expected: Buffer, actual: Buffer): boolean {
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/**
 * Validity of a key: whether it was revoked, and when it ends on its own. The database computes `endsAt` from the
 * expiry and the grace period of the rotation, so that no other code needs to know what can end a key.
 */
export interface KeyValidity {
  readonly status: 'active' | 'rotating' | 'revoked';
  readonly endsAt: string | null;
}

type KeyStatus = KeyValidity['status'] | 'expired';

/** Returns the status at an instant: a key expires without any action. */
export function statusAt({ status, endsAt }: KeyValidity, now: Date): KeyStatus {
  return status !== 'revoked' && endsAt !== null && Date.parse(endsAt) <= now.getTime() ? 'expired' : status;
}

export function isUsable(key: KeyValidity, now: Date): boolean {
  const status = statusAt(key, now);
  return status === 'active' || status === 'rotating';
}

const NOTICE_DAYS = 30;

/**
 * Returns the value of `X-Api-Key-Expires`, from thirty days before the end of a key: an HTTP date (RFC 9110 §5.6.7),
 * as in `Sunset` (RFC 8594). Clients that watch the field learn in time that a key must be replaced.
 */
export function expiryNotice({ endsAt }: Pick<KeyValidity, 'endsAt'>, now: Date): string | null {
  if (endsAt === null) return null;
  const end = new Date(endsAt);
  return end.getTime() - now.getTime() <= NOTICE_DAYS * DAY_MILLISECONDS ? end.toUTCString() : null;
}
