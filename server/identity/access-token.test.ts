/** Tests of issuing and verifying access tokens. */
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { each } from '../../test/support/each.ts';
import { ratioOf } from '../../test/support/processor-time.ts';
import { secretsFrom } from '../base/secrets.ts';
import { Problem } from '../contract/problem.ts';
import { AccessTokens } from './access-token.ts';

let now = new Date('2026-11-03T12:00:00.000Z');
const secrets = secretsFrom('a root secret that is long enough for tests');
const tokens = new AccessTokens(secrets, () => now);
const [userId, tenantId, sessionId] = [
  '0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01',
  '0197f2c4-8a0f-7b1d-8c44-91d0e3f5b602',
  '0197f2d0-11aa-7e55-b0c1-6f0a9d3e7c10',
];
const user = {
  userId,
  tenantId,
  sessionId,
  role: 'owner',
  amr: ['pwd', 'otp'],
};
const client = {
  prefix: 'kyc_live_AAAAAAAA',
  tenantId,
  scopes: ['write', 'read'],
  environment: 'live',
} as const;

const codeOf = (token: string): string => {
  try {
    tokens.verify(token);
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
  return 'accepted';
};
const part = (token: string, index: number) =>
  JSON.parse(Buffer.from(token.split('.')[index] as string, 'base64url').toString()) as Record<string, unknown>;
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('an access token', () => {
  it('contains the claims that RFC 9068 requires', () => {
    const token = tokens.forClient(client, 3600);
    expect(part(token, 0)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: tokens.jwks().keys[0]?.kid });
    expect(part(token, 1)).toMatchObject({
      iss: expect.any(String),
      aud: expect.any(String),
      sub: client.prefix,
      client_id: client.prefix,
      tid: tenantId,
      scope: 'read write',
      env: 'live',
      iat: now.getTime() / 1000,
      exp: now.getTime() / 1000 + 3600,
      jti: expect.any(String),
    });
  });

  it('identifies the user or the client', () => {
    expect(tokens.verify(tokens.forUser(user, 900))).toEqual({
      kind: 'user',
      userId,
      tenantId,
      sessionId,
      mfa: true,
      expiresAt: now.getTime() + 900_000,
    });
    expect(tokens.verify(tokens.forClient(client, 900))).toMatchObject({
      kind: 'client',
      prefix: client.prefix,
      tenantId,
      scopes: ['read', 'write'],
    });
  });

  it('can be verified with the published key', () => {
    const token = tokens.forUser(user, 900);
    const key = createPublicKey({ key: { ...tokens.jwks().keys[0] }, format: 'jwk' });
    const [header, payload, signature = ''] = token.split('.');
    expect(verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  it('expires, with half a minute of tolerance for clock skew, also if it is cached', () => {
    const token = tokens.forUser(user, 60);
    const issued = now;
    now = new Date(issued.getTime() + 89_000);
    expect(codeOf(token)).toBe('accepted');
    now = new Date(issued.getTime() + 90_000);
    expect(codeOf(token)).toBe('token_expired');
    now = issued;
  });

  it('is refused when a character of any part is changed', () => {
    const token = tokens.forUser(user, 900);
    for (const at of each(
      Array.from(token, (_, index) => index).filter((index) => index % 3 === 0 && token[index] !== '.'),
    )) {
      const wrong = token[at] === 'A' ? 'B' : 'A';
      expect(codeOf(token.slice(0, at) + wrong + token.slice(at + 1))).toBe('token_invalid');
    }
  });

  it('is refused without signature, under other algorithms, keys and types', () => {
    const [header = '', payload = ''] = tokens.forUser(user, 900).split('.');
    const { kid } = part(`${header}.`, 0);
    const foreign = generateKeyPairSync('ed25519').privateKey;
    const signedBy = (head: object, key = foreign) =>
      `${encode(head)}.${payload}.${sign(null, Buffer.from(`${encode(head)}.${payload}`), key).toString('base64url')}`;
    for (const token of [
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${encode({ alg: 'none' })}.${payload}.`,
      `${encode({ alg: 'HS256', kid })}.${payload}.AAAA`,
      signedBy({ alg: 'EdDSA', typ: 'at+jwt', kid }),
      signedBy({ alg: 'EdDSA', typ: 'JWT', kid }),
      signedBy({ typ: 'at+jwt', alg: 'EdDSA', kid }),
      '..',
      'a.b.c',
    ])
      expect(codeOf(token)).toBe('token_invalid');
  });

  it('of another installation is refused', () => {
    expect(
      codeOf(new AccessTokens(secretsFrom('the root secret of somebody else, as long'), () => now).forUser(user, 900)),
    ).toBe('token_invalid');
  });

  it('is verified many times faster when it is presented again', async () => {
    const verified = (issued: readonly string[]) => () => issued.forEach((token) => tokens.verify(token));
    const fresh = Array.from({ length: 5 }, () => Array.from({ length: 200 }, () => tokens.forUser(user, 900)));
    const known = fresh.at(-1)!;
    verified(known)();
    expect(await ratioOf(() => verified(fresh.shift()!)(), verified(known), { rounds: 4 })).toBeGreaterThan(4);
  });
});
