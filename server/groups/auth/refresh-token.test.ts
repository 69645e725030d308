import { describe, expect, it } from 'vitest';
import { generateRefreshToken, hashRefreshToken, isRefreshToken, successorOf } from './refresh-token.ts';

const key = Buffer.alloc(32, 1);

describe('a refresh token', () => {
  it('has the documented form and is never the same twice', () => {
    const tokens = Array.from({ length: 100 }, generateRefreshToken);
    expect(tokens.every(isRefreshToken)).toBe(true);
    expect(new Set(tokens).size).toBe(100);
  });

  it('has one successor, which its hash does not reveal', () => {
    const token = generateRefreshToken();
    expect(successorOf(key, token)).toBe(successorOf(key, token));
    expect(isRefreshToken(successorOf(key, token))).toBe(true);
    expect(successorOf(Buffer.alloc(32, 2), token)).not.toBe(successorOf(key, token));
    expect(hashRefreshToken(token)).toHaveLength(32);
  });

  it.each(['', 'rt_', 'rt_!', 'kyc_live_7Hq2ZtK9', `rt_${'a'.repeat(44)}`])('is not %j', (text) => {
    expect(isRefreshToken(text)).toBe(false);
  });
});
