/**
 * Hashes and verifies passwords (Argon2id). Used wherever a password is set or checked. It takes time and memory on
 * purpose: only a few run at once, and beyond the queue callers get `overloaded`.
 */
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { Semaphore } from '../base/semaphore.ts';
import { unavailable } from '../contract/problem.ts';

/**
 * Parameters of Argon2id (the library's default variant) from the OWASP Password Storage Cheat Sheet; reasons: decision
 * 13.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Limit of concurrent hashes. Each one uses one of libuv's four threads and 19 MiB: the rest of the process keeps at
 * least one thread.
 */
const semaphore = new Semaphore(Math.min(3, Math.max(2, availableParallelism())), {
  maxWaiting: 32,
  refusal: () => unavailable('overloaded'),
});

/** A hash that no password matches, so that an unknown user costs the same work as a known one. */
let decoy: Promise<string> | null = null;

/** Converts a password to NFC, so that it is equal on all systems (RFC 8265 §4.2); spaces are kept. */
const normal = (password: string): string => password.normalize('NFC');

export function hashPassword(password: string): Promise<string> {
  return semaphore.run(() => hash(normal(password), PARAMETERS));
}

export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash(randomBytes(32), PARAMETERS);
  const expected = stored ?? (await decoy);
  const same = await semaphore.run(() => verify(expected, normal(password)));
  return same && stored !== null;
}

/** Tells whether the hash was created with parameters other than the current ones. */
export function isOutdated(stored: string): boolean {
  const made = parseOptions(stored);
  return (
    made.memoryCost !== PARAMETERS.memoryCost ||
    made.timeCost !== PARAMETERS.timeCost ||
    made.parallelism !== PARAMETERS.parallelism
  );
}
