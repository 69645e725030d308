/** Tests of making refresh tokens and their proofs. */
import { describe, expect, it } from 'vitest';
import {
  absoluteEnd,
  assessRefreshToken,
  csrfTokenOf,
  generateRefreshToken,
  hashRefreshToken,
  isCsrfTokenOf,
  isRefreshToken,
  slidingEnd,
  type StoredState,
  successorOf,
} from './refresh-token.ts';

const key = Buffer.alloc(32, 1);

describe.each([
  ['program', 'browser'],
  ['browser', 'program'],
] as const)('a refresh token that a %s stores', (clientKind, other) => {
  it('has the documented form and is never the same twice', () => {
    const tokens = Array.from({ length: 100 }, () => generateRefreshToken(clientKind));
    expect(tokens.every((token) => isRefreshToken(token, clientKind))).toBe(true);
    expect(new Set(tokens).size).toBe(100);
  });

  it(`is no token of a ${other}, and neither is its successor`, () => {
    const token = generateRefreshToken(clientKind);
    expect([token, successorOf(key, token)].map((each) => isRefreshToken(each, other))).toEqual([false, false]);
  });

  it('has one successor, which its hash does not reveal', () => {
    const token = generateRefreshToken(clientKind);
    expect(successorOf(key, token)).toBe(successorOf(key, token));
    expect(isRefreshToken(successorOf(key, token), clientKind)).toBe(true);
    expect(successorOf(Buffer.alloc(32, 2), token)).not.toBe(successorOf(key, token));
    expect(hashRefreshToken(token)).toHaveLength(32);
  });

  it.each([
    '',
    'rt_',
    'rtb_',
    'rt_!',
    'kyc_live_7Hq2ZtK9',
    `rt_${'a'.repeat(44)}`,
    `rtb_${'a'.repeat(44)}`,
    `rtc_${'a'.repeat(43)}`,
  ])('is not %j', (text) => {
    expect(isRefreshToken(text, clientKind)).toBe(false);
  });
});

describe('the proof of a page', () => {
  const proof = csrfTokenOf(key, 'one');

  it('follows from the session and the key', () => {
    expect(proof).toMatch(/^csrf_[\w-]{43}$/);
    expect(isCsrfTokenOf(key, 'one', proof)).toBe(true);
    expect(isCsrfTokenOf(key, 'another', proof)).toBe(false);
    expect(isCsrfTokenOf(Buffer.alloc(32, 2), 'one', proof)).toBe(false);
  });

  it.each([undefined, '', 'csrf_', proof.slice(0, -1), `${proof}A`, proof.toUpperCase(), proof.slice('csrf_'.length)])(
    'is not %j',
    (shown) => {
      expect(isCsrfTokenOf(key, 'one', shown)).toBe(false);
    },
  );
});

const now = new Date('2026-11-03T12:00:00.000Z');
const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const agent = Buffer.from('agent');
const fresh: StoredState = {
  expiresAt: after(60),
  usedAt: null,
  successorUsed: false,
  userAgentHash: agent,
  sessionEndedAt: null,
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

  it('counts as reused if another client presents it within the ten seconds', () => {
    expect(assessRefreshToken({ ...fresh, usedAt: now }, Buffer.from('other'), after(1))).toBe('reused');
  });

  it('counts as reused if its successor was used already', () => {
    expect(assessRefreshToken({ ...fresh, usedAt: now, successorUsed: true }, agent, after(1))).toBe('reused');
  });

  it('is refused after its session ended', () => {
    expect(assessRefreshToken({ ...fresh, sessionEndedAt: now }, agent, now)).toBe('ended');
  });
});

describe('a login', () => {
  const day = 86_400;
  const long = { idleSeconds: 14 * day, absoluteSeconds: 30 * day };
  const slide = (from: Date, lifetime = long): Date =>
    slidingEnd(from, lifetime.idleSeconds, absoluteEnd(now, lifetime));

  it('slides 14 days with every use', () => {
    expect(slide(after(10 * day))).toEqual(after(24 * day));
  });

  it('ends 30 days after the password at the latest', () => {
    expect(slide(after(20 * day))).toEqual(after(30 * day));
  });

  it('ends earlier if the tenant’s settings say so', () => {
    const short = { idleSeconds: 1800, absoluteSeconds: 28_800 };
    expect(slide(after(3600), short)).toEqual(after(5400));
    expect(slide(after(28_000), short)).toEqual(after(28_800));
  });
});
