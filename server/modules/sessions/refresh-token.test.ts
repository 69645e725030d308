import { describe, expect, it } from 'vitest';
import {
  absoluteEnd, assessRefreshToken, generateRefreshToken, hashRefreshToken, isRefreshToken, type PresentedToken, slidingEnd, successorOf,
} from './refresh-token.ts';

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

const now = new Date('2026-11-03T12:00:00.000Z');
const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const agent = Buffer.from('agent');
const fresh: PresentedToken = {
  expiresAt: after(60), usedAt: null, successorUsed: false, userAgentHash: agent, sessionEndedAt: null,
};

describe('a refresh token', () => {
  it('is replaced at its first use', () => {
    expect(assessRefreshToken(fresh, agent, now)).toBe('rotate');
  });

  it('expires at its instant', () => {
    expect(assessRefreshToken(fresh, agent, after(60))).toBe('expired');
  });

  it('gives the same successor again for ten seconds', () => {
    const used = { ...fresh, usedAt: now };
    expect(assessRefreshToken(used, agent, after(10))).toBe('repeat');
    expect(assessRefreshToken(used, agent, after(10.001))).toBe('reused');
  });

  it('counts as reused when another client presents it within the ten seconds', () => {
    expect(assessRefreshToken({ ...fresh, usedAt: now }, Buffer.from('other'), after(1))).toBe('reused');
  });

  it('counts as reused when its successor was used already', () => {
    expect(assessRefreshToken({ ...fresh, usedAt: now, successorUsed: true }, agent, after(1))).toBe('reused');
  });

  it('is worth nothing after its session ended', () => {
    expect(assessRefreshToken({ ...fresh, sessionEndedAt: now }, agent, now)).toBe('ended');
  });
});

describe('a login', () => {
  const day = 86_400;
  const long = { idleSeconds: 14 * day, absoluteSeconds: 30 * day };
  const slide = (from: Date, lifetime = long): Date => slidingEnd(from, lifetime.idleSeconds, absoluteEnd(now, lifetime));

  it('slides 14 days with every use', () => {
    expect(slide(after(10 * day))).toEqual(after(24 * day));
  });

  it('ends 30 days after the password at the latest', () => {
    expect(slide(after(20 * day))).toEqual(after(30 * day));
  });

  it('ends earlier where the tenant says so', () => {
    const short = { idleSeconds: 1800, absoluteSeconds: 28_800 };
    expect(slide(after(3600), short)).toEqual(after(5400));
    expect(slide(after(28_000), short)).toEqual(after(28_800));
  });
});
