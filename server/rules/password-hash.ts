import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { Semaphore } from '../base/semaphore.ts';
import { unavailable } from '../contract/problem.ts';

/** Argon2id (the library's default variant) with parameters of the OWASP Password Storage Cheat Sheet; why these: decision 13. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Every hash takes a thread of libuv's four and 19 MiB: the rest of the process keeps at least one thread. */
const semaphore = new Semaphore(Math.min(3, Math.max(2, availableParallelism())), {
  maxWaiting: 32, refusal: () => unavailable('overloaded'),
});

/** A hash that no password has: an unknown user costs the same work as a known one. */
let decoy: Promise<string> | null = null;

/** NFC, so that the same password typed on two systems is the same (RFC 8265 §4.2); spaces stay. */
const normal = (password: string): string => password.normalize('NFC');

export function hashPassword(password: string): Promise<string> {
  return semaphore.run(() => hash(normal(password), PARAMETERS));
}

export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash(randomBytes(32), PARAMETERS);
  const expected = stored ?? await decoy;
  const same = await semaphore.run(() => verify(expected, normal(password)));
  return same && stored !== null;
}

/** Whether the hash was made with other parameters than those of today. */
export function isOutdated(stored: string): boolean {
  const made = parseOptions(stored);
  return made.memoryCost !== PARAMETERS.memoryCost || made.timeCost !== PARAMETERS.timeCost
    || made.parallelism !== PARAMETERS.parallelism;
}
