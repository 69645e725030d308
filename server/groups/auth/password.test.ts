import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';

describe('a password', () => {
  it('is verified against its Argon2id hash', async () => {
    const stored = await hashPassword(' correct horse ');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(stored, ' correct horse ')).toBe(true);
    expect(await verifyPassword(stored, 'correct horse')).toBe(false);
  });

  it('is the same in composed and decomposed spelling', async () => {
    const stored = await hashPassword('cora\u00e7\u00e3o de le\u00e3o');
    expect(await verifyPassword(stored, 'corac\u0327a\u0303o de lea\u0303o')).toBe(true);
  });

  it('of an unknown user is never right, and is verified all the same', async () => {
    expect(await verifyPassword(null, 'anything')).toBe(false);
  });

  it('hashed with other parameters is outdated', async () => {
    expect(isOutdated(await hashPassword('x'))).toBe(false);
    expect(isOutdated(await hash('x', { memoryCost: 8_192, timeCost: 1, parallelism: 1 }))).toBe(true);
  });
});
