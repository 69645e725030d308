import { createHmac, randomInt } from 'node:crypto';

/** Without letters that look like digits or like each other. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const COUNT = 10;

/** Ten codes of 50 bits, which nobody types by accident and nobody guesses within the lockout. */
export function generateRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < COUNT) codes.add(`${letters(5)}-${letters(5)}`);
  return [...codes];
}

/** 50 bits can be tried out offline, so the hash takes a key that is not in the database. Case and hyphen do not matter. */
export function hashRecoveryCode(key: Buffer, userId: string, code: string): Buffer {
  return createHmac('sha256', key).update(`${userId}\n${code.toLowerCase().replaceAll('-', '')}`).digest();
}

function letters(count: number): string {
  return Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
