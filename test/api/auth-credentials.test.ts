/** API tests of every kind of credential: as it was issued it works, changed in any way it is refused. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { apiKey, bearer, startWorld, type Schemas, type World } from './auth-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant();

const KEYS = '/v1/settings/api-keys';

async function refusal(headers: Record<string, string>, path = KEYS): Promise<string> {
  const { status, body, headers: answered } = await world.call('GET', path, { headers });
  if (status === 401) expect(answered.get('www-authenticate')).toMatch(/^Bearer realm="api"/);
  return body.code ?? String(status);
}

type Part = Record<string, unknown>;
const encode = (part: Part): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (part: string): Part => JSON.parse(Buffer.from(part, 'base64url').toString()) as Part;

describe('a dashboard token', () => {
  let genuine: string;
  let header: Part;
  let payload: Part;

  beforeAll(async () => {
    genuine = (await world.signIn((await world.user(tenantId)).email)).accessToken;
    const [first = '', second = ''] = genuine.split('.');
    [header, payload] = [decode(first), decode(second)];
  });

  it('works as it was issued', async () => {
    expect(await refusal(bearer(genuine))).toBe('200');
    expect(header).toMatchObject({ alg: 'EdDSA', typ: 'at+jwt' });
    expect(payload).toMatchObject({
      tid: tenantId,
      role: 'owner',
      amr: ['pwd'],
      sid: expect.any(String),
      jti: expect.any(String),
    });
  });

  it('is refused with another algorithm, whatever signs it', async () => {
    const {
      keys: [jwk],
    } = (await world.call<{ keys: { x: string }[] }>('GET', '/.well-known/jwks.json')).body;
    for (const alg of ['none', 'None', 'HS256', 'RS256', 'ES256']) {
      const signed = `${encode({ ...header, alg })}.${encode(payload)}`;
      const hmac = createHmac('sha256', Buffer.from(jwk?.x ?? '', 'base64url'))
        .update(signed)
        .digest('base64url');
      for (const signature of ['', genuine.split('.')[2] as string, hmac])
        expect(await refusal(bearer(`${signed}.${signature}`))).toBe('token_invalid');
    }
  });

  it('is refused with a foreign key, also one that it names or contains', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const jwk = publicKey.export({ format: 'jwk' });
    for (const forged of [
      header,
      { ...header, kid: 'other' },
      { ...header, jwk },
      { ...header, jku: 'https://example.com/jwks.json' },
    ]) {
      const signed = `${encode(forged)}.${encode(payload)}`;
      expect(
        await refusal(bearer(`${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`)),
      ).toBe('token_invalid');
    }
  });

  it('is refused if a claim was changed', async () => {
    const [first, , third] = genuine.split('.');
    for (const change of [
      { tid: '0197f2c4-8a0f-7b1d-8c44-91d0e3f5b602' },
      { aud: 'x' },
      { iss: 'x' },
      { exp: 9_999_999_999 },
      { role: 'admin' },
    ]) {
      expect(await refusal(bearer(`${first}.${encode({ ...payload, ...change })}.${third}`))).toBe('token_invalid');
    }
  });

  it('is refused for other audiences and issuers even with the right key', async () => {
    const key = privateKeyOfService();
    for (const change of [{ aud: 'urn:other' }, { iss: 'urn:other' }]) {
      const signed = `${genuine.split('.')[0]}.${encode({ ...payload, ...change })}`;
      expect(await refusal(bearer(`${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`))).toBe(
        'token_invalid',
      );
    }
  });

  it('is refused when it is garbled', async () => {
    const [first, second, third = ''] = genuine.split('.');
    const flipped = (third.startsWith('A') ? 'B' : 'A') + third.slice(1);
    const garbled = [
      `${first}.${second}.${flipped}`,
      `${first}.${second}.${third}.x`,
      `${first}.${second}`,
      `${first}.${second}.${third}=`,
      'abc',
      'a.b.c',
      '',
    ];
    for (const token of garbled) expect(await refusal(bearer(token)), token).toBe('token_invalid');
    for (const Authorization of [genuine, `Token ${genuine}`, 'Basic YTpi', 'Bearer'])
      expect(await refusal({ Authorization }), Authorization).toBe('token_invalid');
  });

  it('expires after 15 minutes, with a tolerance of half a minute for clocks', async () => {
    const turning = await startWorld();
    const { accessToken } = await turning.signIn((await turning.user(await turning.database.tenant())).email);
    const code = async () => (await turning.call('GET', KEYS, { headers: bearer(accessToken) })).body.code;
    turning.advance(900_000 + 20_000);
    expect(await code()).toBeUndefined();
    turning.advance(11_000);
    expect(await code()).toBe('token_expired');
    await turning.stop();
  });

  it('has only the rights of the present role of its user', async () => {
    const { id, email } = await world.user(tenantId, 'owner');
    const { accessToken } = await world.signIn(email);
    await world.database.sql(`UPDATE membership SET role = 'viewer' WHERE user_id = $1`, [id]);
    expect(await refusal(bearer(accessToken))).toBe('role_forbidden');
  });
});

/** Returns the service's own signing key, which the tests can derive because they know its root secret. */
function privateKeyOfService() {
  const seed = world.database.secrets.deriveKey('access-token-ed25519');
  return {
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  } as const;
}

describe('an API key', () => {
  it('is refused if it is unknown, garbled or incomplete', async () => {
    const { key, secret } = await world.key(tenantId);
    const last = secret.at(-1) === '0' ? '1' : '0';
    const unknown = secret.replace(key.prefix, 'kyc_live_00000000');
    for (const wrong of [
      secret.slice(0, -1) + last,
      secret.slice(0, -1),
      `${secret}0`,
      key.prefix,
      unknown,
      'x',
      secret.toUpperCase(),
      ` ${secret} x`,
    ]) {
      expect(await refusal(apiKey(wrong)), wrong).toBe('api_key_invalid');
    }
    expect(await refusal(apiKey(secret))).toBe('200');
  });

  it('is refused with the secret of another key under its own prefix', async () => {
    const [one, two] = [await world.key(tenantId), await world.key(tenantId)];
    expect(await refusal(apiKey(one.key.prefix + two.secret.slice(two.key.prefix.length)))).toBe('api_key_invalid');
  });

  it('is refused once it has expired or its tenant is suspended', async () => {
    const { secret } = await world.key(tenantId, { expiresAt: new Date(world.now().getTime() - 1) });
    expect(await refusal(apiKey(secret))).toBe('api_key_expired');
    const suspended = await world.database.tenant();
    const ofSuspended = await world.key(suspended);
    await world.database.sql(`UPDATE tenant SET status = 'suspended' WHERE id = $1`, [suspended]);
    expect(await refusal(apiKey(ofSuspended.secret))).toBe('tenant_suspended');
  });

  it('of the sandbox is refused while the sandbox is off', async () => {
    const { secret } = await world.key(tenantId, { environment: 'test' });
    expect(await refusal(apiKey(secret))).toBe('sandbox_disabled');
  });

  it('is refused beside another credential, even a good one', async () => {
    const { secret } = await world.key(tenantId);
    const { accessToken } = await world.signIn((await world.user(tenantId)).email);
    expect(await refusal({ ...apiKey(secret), ...bearer(accessToken) })).toBe('ambiguous_credentials');
  });

  it('does not open the feed, which requires bearer tokens', async () => {
    const { secret } = await world.key(tenantId);
    expect(await refusal(apiKey(secret), '/api/v1/funds-recovery/events')).toBe('authentication_required');
  });

  it('shows when it was last used', async () => {
    const { key, secret } = await world.key(tenantId);
    await refusal(apiKey(secret));
    await world.running.recordKeyUses();
    const { items } = (
      await success(
        world.api.GET('/v1/settings/api-keys', { params: { query: { limit: 100 } }, headers: apiKey(secret) }),
      )
    ).body;
    expect(items.find(({ prefix }) => prefix === key.prefix)?.lastUsedAt).toMatch(/^20\d\d-/);
  });
});

describe('an address allowlist', () => {
  const network = ['203.0.113.0/24', '2001:db8::/32'];
  const use = async (at: World, secret: string, forwarded?: string): Promise<string | number> => {
    const { status, body } = await at.call('GET', KEYS, {
      headers: { ...apiKey(secret), ...(forwarded !== undefined && { 'X-Forwarded-For': forwarded }) },
    });
    return body.code ?? status;
  };

  it('compares the connection, whatever a client forwards', async () => {
    const { secret } = await world.key(tenantId, { ipAllowlist: network });
    expect(await use(world, secret)).toBe('ip_not_allowed');
    expect(await use(world, secret, '203.0.113.9')).toBe('ip_not_allowed');
    const { secret: local } = await world.key(tenantId, { ipAllowlist: ['127.0.0.0/8', '::1/128'] });
    expect(await use(world, local)).toBe(200);
    expect(await use(world, local, '203.0.113.9')).toBe(200);
  });

  it('compares what the trusted proxy saw, and nothing to the left of it', async () => {
    const proxied = await startWorld({ TRUST_PROXY: '1' });
    const { secret } = await proxied.key(await proxied.database.tenant(), { ipAllowlist: network });
    expect(await use(proxied, secret, '203.0.113.9')).toBe(200);
    expect(await use(proxied, secret, '::ffff:203.0.113.9')).toBe(200);
    expect(await use(proxied, secret, '2001:db8::7')).toBe(200);
    expect(await use(proxied, secret, '198.51.100.1')).toBe('ip_not_allowed');
    expect(await use(proxied, secret, '203.0.113.9, 198.51.100.1')).toBe('ip_not_allowed');
    expect(await use(proxied, secret, '198.51.100.1, 203.0.113.9')).toBe(200);
    expect(await use(proxied, secret, 'nonsense')).toBe('ip_not_allowed');
    await proxied.stop();
  });

  it('records refusals within a quota of the foreign address and not of the key', async () => {
    const proxied = await startWorld({ TRUST_PROXY: '1', RATE_LIMIT_REQUESTS: '2' });
    const tenant = await proxied.database.tenant();
    const { key, secret } = await proxied.key(tenant, { ipAllowlist: network });
    for (let i = 0; i < 3; i++) expect(await use(proxied, secret, '198.51.100.1')).toBe('ip_not_allowed');
    const { prefix, scopes } = key;
    const token = proxied.running.services.tokens.forClient(
      {
        prefix,
        tenantId: tenant,
        scopes,
        environment: 'live',
      },
      60,
    );
    expect(
      (await proxied.call('GET', KEYS, { headers: { ...bearer(token), 'X-Forwarded-For': '198.51.100.2' } })).body.code,
    ).toBe('ip_not_allowed');
    const events = await proxied.database.sql(
      'SELECT action, outcome, reason, resource_id, actor, ip FROM audit_event WHERE tenant_id = $1 ORDER BY sequence',
      [tenant],
    );
    expect(events.map(({ ip }) => ip)).toEqual(['198.51.100.1', '198.51.100.1', '198.51.100.2']);
    expect(events[0]).toMatchObject({
      action: 'access.denied',
      outcome: 'denied',
      reason: 'ip_not_allowed',
      resource_id: 'listApiKeys',
      actor: { id: prefix },
    });
    expect(await use(proxied, secret, '203.0.113.9')).toBe(200);
    await proxied.stop();
  });

  it('also limits the tokens of its key', async () => {
    const proxied = await startWorld({ TRUST_PROXY: '1' });
    const { key, secret } = await proxied.key(await proxied.database.tenant(), { ipAllowlist: network });
    const ask = (ip: string) =>
      proxied.call<Schemas['AccessToken'] & Partial<Schemas['OAuthError']>>('POST', '/oauth/token', {
        headers: { 'X-Forwarded-For': ip },
        form: { grant_type: 'client_credentials', client_id: key.prefix, client_secret: secret },
      });
    expect((await ask('198.51.100.1')).body.error).toBe('invalid_client');
    const { access_token } = (await ask('203.0.113.9')).body;
    const from = async (ip: string) =>
      (await proxied.call('GET', KEYS, { headers: { ...bearer(access_token), 'X-Forwarded-For': ip } })).body.code;
    expect(await from('203.0.113.9')).toBeUndefined();
    expect(await from('198.51.100.1')).toBe('ip_not_allowed');
    await proxied.stop();
  });
});
