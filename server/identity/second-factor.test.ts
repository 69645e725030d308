/** Tests of the recovery codes of a second factor. */
import { describe, expect, it } from 'vitest';
import { generateRecoveryCodes, hashRecoveryCode } from './second-factor.ts';

const key = Buffer.alloc(32, 7);

describe('recovery codes', () => {
  it('are ten different codes that are easy to type', () => {
    const codes = generateRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
    expect(generateRecoveryCodes()).not.toEqual(codes);
  });

  it('are also found in capitals and without the hyphen', () => {
    const hash = hashRecoveryCode(key, 'a', 'abcde-01234');
    expect(hashRecoveryCode(key, 'a', 'ABCDE-01234')).toEqual(hash);
    expect(hashRecoveryCode(key, 'a', 'abcde01234')).toEqual(hash);
  });

  it('have different hashes for another person or key', () => {
    const hash = hashRecoveryCode(key, 'a', 'abcde-01234');
    expect(hashRecoveryCode(key, 'b', 'abcde-01234')).not.toEqual(hash);
    expect(hashRecoveryCode(Buffer.alloc(32, 8), 'a', 'abcde-01234')).not.toEqual(hash);
  });
});
