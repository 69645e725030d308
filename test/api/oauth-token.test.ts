/** API tests of getting a token in every way a client may present itself, and of using it. */
import { describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { bearer, type Answer, type Schemas } from './auth-world.ts';
import { type Client, type Refusal, ways, expectRefused, startOauthTokenWorld } from './oauth-token-world.ts';

const { world, tenantId, client, token } = await startOauthTokenWorld();
type Way = keyof typeof ways;
const everyWay = Object.keys(ways) as Way[];

describe.each(everyWay)('a client that presents itself by %s', (way) => {
  const request = ways[way];

  function expectInvalidClient(answer: Answer<Refusal>): void {
    expectRefused(answer, 401, 'invalid_client');
    expect(answer.headers.get('www-authenticate')).toBe(way === 'HTTP Basic' ? 'Basic realm="oauth"' : null);
  }

  it('gets a bearer token for an hour with all its scopes, sorted', async () => {
    const answer = await token<Schemas['AccessToken']>(request(await client({ scopes: ['write', 'kyb', 'read'] })));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'kyb read write',
    });
  });

  it('gets the requested scopes; an empty scope counts as none', async () => {
    const known = await client();
    expect((await token<Schemas['AccessToken']>(request(known, { scope: 'write' }))).body.scope).toBe('write');
    expect((await token<Schemas['AccessToken']>(request(known, { scope: 'write read write' }))).body.scope).toBe(
      'read write',
    );
    expect((await token<Schemas['AccessToken']>(request(known, { scope: '' }))).body.scope).toBe('read write');
  });

  it('may send unknown parameters', async () => {
    expect((await token(request(await client(), { audience: 'x' }))).status).toBe(200);
  });

  it.each(['admin', 'nonsense', 'read nonsense', ' read', 'read  write'])('cannot get the scope %j', async (scope) => {
    expectRefused(await token(request(await client(), { scope })), 400, 'invalid_scope');
  });

  it('is refused if it is unknown or its secret is wrong', async () => {
    const [known, other] = [await client(), await client()];
    const garbled = known.secret.slice(0, -1) + (known.secret.endsWith('0') ? '1' : '0');
    const unknown = { id: 'kyc_live_00000000', secret: 'kyc_live_00000000_000000000000000000000000000000000000000' };
    for (const wrong of [
      { ...known, secret: garbled },
      { id: known.id, secret: other.secret },
      { id: known.id, secret: 'x' },
      unknown,
      { id: 'x', secret: known.secret },
    ]) {
      expectInvalidClient(await token(request(wrong)));
    }
  });

  it('is refused if its key is revoked, expired or rotated out', async () => {
    const [revoked, rotated] = [await client(), await client()];
    const expired = await client({ expiresAt: new Date(world.now().getTime() - 1) });
    await world.database.sql(`UPDATE api_key SET status = 'revoked', revoked_at = now() WHERE prefix = $1`, [
      revoked.id,
    ]);
    await world.database.sql(
      `UPDATE api_key SET status = 'rotating', successor_prefix = prefix, grace_until = now() - interval '1 second'
        WHERE prefix = $1`,
      [rotated.id],
    );
    for (const ended of [revoked, expired, rotated]) expectInvalidClient(await token(request(ended)));
  });

  it('is refused if its tenant is suspended or its address is not allowed', async () => {
    const suspended = await world.database.tenant();
    const ofSuspended = await client({}, suspended);
    await world.database.sql(`UPDATE tenant SET status = 'suspended' WHERE id = $1`, [suspended]);
    expectInvalidClient(await token(request(ofSuspended)));
    expectInvalidClient(await token(request(await client({ ipAllowlist: ['203.0.113.0/24'] }))));
  });

  it('with a test key needs the sandbox to be on', async () => {
    const tenant = await world.database.tenant();
    const sandboxed = await client({ environment: 'test' }, tenant);
    expectRefused(await token(request(sandboxed)), 400, 'unauthorized_client');
    await world.database.sql('UPDATE tenant SET sandbox_enabled = true WHERE id = $1', [tenant]);
    world.running.services.credentials.forgetTenant(tenant);
    expect((await token(request(sandboxed))).status).toBe(200);
  });

  it.each(['authorization_code', 'password', 'refresh_token', 'CLIENT_CREDENTIALS'])(
    'cannot use the grant %s',
    async (grant_type) => {
      expectRefused(await token(request(await client(), { grant_type })), 400, 'unsupported_grant_type');
    },
  );

  it('has to name the grant', async () => {
    const { form, headers = {} } = request(await client());
    const { grant_type: _, ...rest } = form as Record<string, string>;
    expectRefused(await token({ headers, form: { ...rest, x: '1' } }), 400, 'invalid_request');
    expectRefused(await token({ headers, form: { ...rest, grant_type: '' } }), 400, 'invalid_request');
  });

  it.each(['grant_type', 'scope', 'unknown'])('cannot send %s twice', async (name) => {
    const { form, headers = {} } = request(await client(), { [name]: 'client_credentials' });
    expectRefused(
      await token({ headers, form: `${new URLSearchParams(form)}&${name}=client_credentials` }),
      400,
      'invalid_request',
    );
  });

  it('cannot put parameters into the query', async () => {
    expectRefused(await token(request(await client()), '?scope=read'), 400, 'invalid_request');
    expectRefused(await token(request(await client()), '?client_secret=x'), 400, 'invalid_request');
  });
});

describe('an access token', () => {
  const issue = async (known: Client, scope = ''): Promise<Record<string, string>> =>
    bearer((await token<Schemas['AccessToken']>(ways['the form'](known, { scope }))).body.access_token);
  const list = (headers: Record<string, string>) => world.call('GET', '/v1/settings/api-keys', { headers });

  it('is a JWT after RFC 9068', async () => {
    const known = await client({ scopes: ['write', 'read'] });
    const { body } = await token<Schemas['AccessToken']>(ways['the form'](known));
    const [header, payload] = body.access_token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);
    expect(header).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) });
    expect(payload).toMatchObject({
      sub: known.id,
      client_id: known.id,
      tid: tenantId,
      scope: 'read write',
      env: 'live',
      jti: expect.any(String),
    });
    expect(Number(payload?.['exp']) - Number(payload?.['iat'])).toBe(3600);
  });

  it('carries no more than the scopes asked for', async () => {
    const known = await client({ scopes: ['admin', 'read'] });
    expect((await list(await issue(known))).status).toBe(200);
    const narrow = await list(await issue(known, 'read'));
    expect([narrow.status, narrow.body.code]).toEqual([403, 'insufficient_scope']);
    expect(narrow.body.requiredScopes).toEqual(['admin']);
    expect(narrow.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
  });

  it('for read works when the key has only admin, which includes it', async () => {
    const headers = await issue(await client({ scopes: ['admin'] }), 'read');
    expect((await world.api.GET('/v1/sandbox', { headers })).response.status).toBe(200);
    expect((await list(headers)).status).toBe(403);
  });

  it('ends with its key, at once', async () => {
    const known = await client({ scopes: ['admin'] });
    const headers = await issue(known);
    expect((await list(headers)).status).toBe(200);
    const { secret } = await world.key(tenantId);
    expect(
      (
        await world.api.DELETE('/v1/settings/api-keys/{prefix}', {
          params: { path: { prefix: known.id } },
          headers: { 'X-API-Key': secret },
        })
      ).response.status,
    ).toBe(204);
    const answer = await list(headers);
    expect([answer.status, answer.body.code]).toEqual([401, 'token_revoked']);
    expectRefused(await token(ways['the form'](known)), 401, 'invalid_client');
  });

  it('loses the scopes that its key loses, at the next request', async () => {
    const known = await client({ scopes: ['admin', 'read'] });
    const headers = await issue(known);
    expect((await list(headers)).status).toBe(200);
    const { secret } = await world.key(tenantId);
    await success(
      world.api.PUT('/v1/settings/api-keys/{prefix}/scopes', {
        params: { path: { prefix: known.id } },
        headers: { 'X-API-Key': secret },
        body: { scopes: ['read'] },
      }),
    );
    expect((await list(headers)).status).toBe(403);
    expect((await world.api.GET('/v1/sandbox', { headers })).response.status).toBe(200);
  });
});
