/** Tests of time-based one-time codes (RFC 6238). */
import { describe, expect, it } from 'vitest';
import { code as codeOf } from '../../test/support/authenticator.ts';
import { describeSecret, generateTotpSecret, timeStepOf } from './totp.ts';

const secret = Buffer.from('12345678901234567890');
const at = (seconds: number): Date => new Date(seconds * 1000);

describe('a time-based code', () => {
  // RFC 6238 appendix B, SHA-1: a six-digit code is the end of the eight-digit one.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at %d seconds is the end of %s', (seconds, eight) => {
    expect(timeStepOf(secret, eight.slice(2), at(seconds))).toBe(Math.floor(seconds / 30));
    expect(codeOf(secret, at(seconds))).toBe(eight.slice(2));
  });

  it('at 59 seconds is 287082', () => {
    expect(timeStepOf(secret, '287082', at(59))).toBe(1);
  });

  it('belongs to its own step, even if it is entered a step early or late', () => {
    const code = codeOf(secret, at(3000));
    expect([2970, 2999, 3000, 3029, 3030, 3059].map((seconds) => timeStepOf(secret, code, at(seconds)))).toEqual([
      100, 100, 100, 100, 100, 100,
    ]);
    expect([2969, 3060].map((seconds) => timeStepOf(secret, code, at(seconds)))).toEqual([null, null]);
  });

  it.each(['', '28708', '2870820', ' 287082', '287082 ', '28708a', '２８７０８２', '-28708', '000000'])(
    '%j is none',
    (text) => {
      expect(timeStepOf(secret, text, at(59))).toBeNull();
    },
  );
});

describe('a secret', () => {
  it('has 160 random bits', () => {
    expect(generateTotpSecret()).toHaveLength(20);
    expect(generateTotpSecret()).not.toEqual(generateTotpSecret());
  });

  it('is shown in Base32 and as a URI for authenticators', () => {
    const { secret: text, otpauthUri } = describeSecret(secret, 'ana+1@example.com');
    expect(text).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    const uri = new URL(otpauthUri);
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      'otpauth:',
      'totp',
      '/Compliance Onboarding:ana+1@example.com',
    ]);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Compliance Onboarding',
      secret: text,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
