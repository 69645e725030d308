/** API tests of forged tokens, even ones signed with the right key. Any that is accepted fails here. */
import { createHmac, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { PLATFORM_TENANT_ID } from '../../server/database/roles.ts';
import { refusal, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { bearer, startWorld } from './auth-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant();

describe('a forged token', () => {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const parts = (
    token: string,
  ): [header: Record<string, unknown>, payload: Record<string, unknown>, signature: string] => {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
    return [decode(header), decode(payload), signature];
  };
  const seal = (header: object, payload: object): string => {
    const seed = world.database.secrets.deriveKey('access-token-ed25519');
    const key = {
      key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
      format: 'der',
      type: 'pkcs8',
    } as const;
    const signed = `${encode(header)}.${encode(payload)}`;
    return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
  };
  const code = async (token: string): Promise<string | undefined> =>
    (await world.api.GET('/v1/auth/me', { headers: bearer(token) })).error?.code;
  let genuine: string;

  beforeAll(async () => {
    genuine = (await world.signIn((await world.user(tenantId)).email)).accessToken;
  });

  it.each([
    '../../../../dev/null',
    '/dev/null',
    '/proc/self/environ',
    'file:///etc/passwd',
    'https://attacker.example/jwks.json',
    `x' UNION SELECT 'key'; --`,
    '',
    null,
    0,
    ['x'],
    { x: 1 },
  ])('does not choose its key by naming %j', async (kid) => {
    const [header, payload, signature] = parts(genuine);
    const forged = { ...header, kid };
    expect(await code(`${encode(forged)}.${encode(payload)}.${signature}`)).toBe('token_invalid');
    // The secrets are those that a path would lead to: an empty file, or a key that is no secret.
    for (const key of ['', '\0', JSON.stringify(kid)]) {
      const signed = `${encode({ ...forged, alg: 'HS256' })}.${encode(payload)}`;
      expect(await code(`${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`)).toBe(
        'token_invalid',
      );
    }
    expect(await code(seal(forged, payload))).toBe('token_invalid');
  });

  it('of another kind, or with unknown critical parameters, is refused even with the right key', async () => {
    const [header, payload] = parts(genuine);
    for (const change of [
      { typ: 'JWT' },
      { typ: 'id+jwt' },
      { crit: ['b64'], b64: false },
      { zip: 'DEF' },
      { alg: 'Ed25519' },
    ]) {
      expect(await code(seal({ ...header, ...change }, payload)), JSON.stringify(change)).toBe('token_invalid');
    }
  });

  it('is refused for another audience, also in a list with ours, and another issuer', async () => {
    const [header, payload] = parts(genuine);
    expect(await code(seal(header, payload))).toBeUndefined();
    for (const change of [
      { aud: 'urn:other' },
      { aud: [payload['aud'], 'urn:other'] },
      { aud: null },
      { iss: 'urn:other' },
      { iss: undefined },
    ]) {
      expect(await code(seal(header, { ...payload, ...change })), JSON.stringify(change)).toBe('token_invalid');
    }
  });

  it('that has expired, or never expires, is refused even with the right key', async () => {
    const [header, payload] = parts(genuine);
    const now = Math.floor(world.now().getTime() / 1000);
    expect(await code(seal(header, { ...payload, exp: now - 31 }))).toBe('token_expired');
    for (const exp of [undefined, null, 'never', 1e300])
      expect(await code(seal(header, { ...payload, exp })), String(exp)).toBe('token_invalid');
  });

  it('for the session of another user or tenant is refused even with the right key', async () => {
    const [header, payload] = parts(genuine);
    const other = await world.user(tenantId);
    const foreign = await world.database.tenant();
    for (const change of [
      { sub: other.id },
      { tid: foreign },
      { tid: PLATFORM_TENANT_ID },
      { sid: crypto.randomUUID() },
    ]) {
      expect(await code(seal(header, { ...payload, ...change })), JSON.stringify(change)).toBe('token_revoked');
    }
    for (const change of [{ tid: `' OR true --` }, { sid: 'x' }, { sub: '' }, { sub: null }]) {
      expect(await code(seal(header, { ...payload, ...change })), JSON.stringify(change)).toBe('token_invalid');
    }
  });

  it('that claims a second factor or another role has only the rights of its session', async () => {
    const [header, payload] = parts(genuine);
    const headers = bearer(seal(header, { ...payload, amr: ['pwd', 'otp'], role: 'platform_admin' }));
    const { body } = await success(world.api.GET('/v1/auth/me', { headers }));
    expect([body.user.role, body.session.mfa]).toEqual(['owner', false]);
    expect((await refusal(world.api.GET('/v1/admin/tenants', { headers }))).body.code).toBe('role_forbidden');
  });
});
