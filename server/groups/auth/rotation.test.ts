import { describe, expect, it } from 'vitest';
import { absoluteEnd, judge, slidingEnd, type PresentedToken } from './rotation.ts';

const now = new Date('2026-11-03T12:00:00.000Z');
const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const agent = Buffer.from('agent');
const fresh: PresentedToken = {
  expiresAt: after(60), usedAt: null, successorUsed: false, userAgentHash: agent, sessionEndedAt: null,
};

describe('a refresh token', () => {
  it('is replaced at its first use', () => {
    expect(judge(fresh, agent, now)).toBe('rotate');
  });

  it('expires at its instant', () => {
    expect(judge(fresh, agent, after(60))).toBe('expired');
  });

  it('gives the same successor again for ten seconds', () => {
    const used = { ...fresh, usedAt: now };
    expect(judge(used, agent, after(10))).toBe('repeat');
    expect(judge(used, agent, after(10.001))).toBe('reused');
  });

  it('counts as reused when another client presents it within the ten seconds', () => {
    expect(judge({ ...fresh, usedAt: now }, Buffer.from('other'), after(1))).toBe('reused');
  });

  it('counts as reused when its successor was used already', () => {
    expect(judge({ ...fresh, usedAt: now, successorUsed: true }, agent, after(1))).toBe('reused');
  });

  it('is worth nothing after its session ended', () => {
    expect(judge({ ...fresh, sessionEndedAt: now }, agent, now)).toBe('ended');
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
