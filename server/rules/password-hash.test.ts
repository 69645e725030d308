/** Tests of hashing and verifying passwords. */
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { describe, expect, it, vi } from 'vitest';
import { hashPassword, isOutdated, verifyPassword } from './password-hash.ts';

// The spy observes the library without replacing it.
vi.mock('@node-rs/argon2', { spy: true });

describe('a password', () => {
  it('is verified against its Argon2id hash', async () => {
    const stored = await hashPassword(' correct horse ');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(stored, ' correct horse ')).toBe(true);
    expect(await verifyPassword(stored, 'correct horse')).toBe(false);
  });

  it('is equal in composed and decomposed spelling', async () => {
    const stored = await hashPassword('cora\u00e7\u00e3o de le\u00e3o');
    expect(await verifyPassword(stored, 'corac\u0327a\u0303o de lea\u0303o')).toBe(true);
  });

  it('of an unknown user is never accepted, and costs the same work', async () => {
    const stored = await hashPassword('correct horse');
    vi.mocked(verify).mockClear();
    expect(await verifyPassword(stored, 'anything')).toBe(false);
    expect(await verifyPassword(null, 'anything')).toBe(false);
    const [known, unknown] = vi.mocked(verify).mock.calls.map(([against]) => parseOptions(against));
    expect(known).toBeDefined();
    expect(unknown).toEqual(known);
  });

  it('hashed with other parameters is outdated', async () => {
    expect(isOutdated(await hashPassword('x'))).toBe(false);
    expect(isOutdated(await hash('x', { memoryCost: 8_192, timeCost: 1, parallelism: 1 }))).toBe(true);
  });
});
