/** API tests of changing an API key and its scopes, also at the same time and behind a proxy. */
import { describe, expect, it } from 'vitest';
import { refusal, refused, requestToken, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { apiKey, bearer, KEYS, startKeysWorld, startWorld, type Key, type Schemas } from './api-keys-world.ts';

const keys = await shared(startKeysWorld());

describe('changing a key', () => {
  const patch = (prefix: string, body: Schemas['ApiKeyUpdate'], headers = keys.admin) =>
    keys.api.PATCH('/v1/settings/api-keys/{prefix}', { params: { path: { prefix } }, headers, body });

  it('merges the members that are sent', async () => {
    const { apiKey: key } = (await success(keys.create({ ipAllowlist: ['127.0.0.0/8'], expiresAt: keys.inDays(10) })))
      .body;
    const renamed = await success(patch(key.prefix, { name: 'Blue' }));
    expect(renamed.status).toBe(200);
    expect(renamed.headers.get('etag')).toBe('"2"');
    expect(renamed.body).toEqual({
      ...key,
      name: 'Blue',
      version: 2,
      updatedAt: renamed.body.updatedAt,
    });
    const merged = await success(
      patch(
        key.prefix,
        { expiresAt: null, ipAllowlist: [], pinEnvironment: true },
        { ...keys.admin, 'Content-Type': 'application/merge-patch+json' },
      ),
    );
    expect(merged.body).toMatchObject({
      name: 'Blue',
      expiresAt: null,
      ipAllowlist: [],
      pinEnvironment: true,
      version: 3,
    });
  });

  it('is refused if the key has changed since', async () => {
    const { prefix } = (await success(keys.create())).body.apiKey;
    await success(patch(prefix, { name: 'One' }, { ...keys.admin, 'If-Match': '"1"' }));
    const stale = await refusal(patch(prefix, { name: 'Two' }, { ...keys.admin, 'If-Match': '"1"' }));
    expect([...refused(stale), stale.body.currentVersion]).toEqual([412, 'version_conflict', 2]);
    await success(patch(prefix, { name: 'Two' }, { ...keys.admin, 'If-Match': '*' }));
    expect((await refusal(patch(prefix, { name: 'x' }, { ...keys.admin, 'If-Match': '1' }))).status).toBe(400);
  });

  it('takes effect at the next request', async () => {
    const {
      apiKey: { prefix },
      secret,
    } = (await success(keys.create())).body;
    expect(await keys.works(secret)).toBe(200);
    await success(patch(prefix, { ipAllowlist: ['203.0.113.0/24'] }));
    expect(await keys.works(secret)).toBe('ip_not_allowed');
    await success(patch(prefix, { ipAllowlist: [] }));
    expect(await keys.works(secret)).toBe(200);
  });

  it('records old and new values', async () => {
    const { prefix } = (await success(keys.create())).body.apiKey;
    await success(patch(prefix, { name: 'New name' }));
    const [event] = await keys.database.sql<{ changes: unknown }>(
      `SELECT changes FROM audit_event WHERE resource_id = $1 AND action = 'api_key.updated'`,
      [prefix],
    );
    expect(event?.changes).toEqual([
      { op: 'add', path: '/old', value: { name: 'Back end' } },
      { op: 'add', path: '/new', value: { name: 'New name' } },
    ]);
  });

  it.each<[string, object, number, string]>([
    ['nothing', {}, 422, 'validation_failed'],
    ['null for a name', { name: null }, 422, 'validation_failed'],
    ['its scopes', { scopes: ['admin'] }, 422, 'validation_failed'],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 422, 'expiry_in_past'],
    ['a network with host bits', { ipAllowlist: ['10.0.0.1/8'] }, 422, 'invalid_cidr'],
  ])('refuses %s', async (_, json, status, code) => {
    const { prefix } = (await success(keys.create())).body.apiKey;
    expect(
      refused(
        await refusal(
          keys.api.PATCH('/v1/settings/api-keys/{prefix}', {
            params: { path: { prefix } },
            headers: keys.admin,
            body: json,
          }),
        ),
      ),
    ).toEqual([status, code]);
  });

  it('must not lock its caller out, nor give the calling key more rights', async () => {
    const { key, secret } = await keys.key(keys.tenantId, {
      expiresAt: new Date(keys.inDays(5)),
      ipAllowlist: ['127.0.0.0/8', '::1/128'],
    });
    const self = apiKey(secret);
    const attempt = async (json: Schemas['ApiKeyUpdate']) => refused(await refusal(patch(key.prefix, json, self)));
    expect(await attempt({ ipAllowlist: ['203.0.113.0/24'] })).toEqual([422, 'allowlist_locks_out_caller']);
    expect(await attempt({ expiresAt: keys.inDays(6) })).toEqual([403, 'self_widening_forbidden']);
    expect(await attempt({ expiresAt: null })).toEqual([403, 'self_widening_forbidden']);
    expect(await attempt({ ipAllowlist: [] })).toEqual([403, 'self_widening_forbidden']);
    await success(patch(key.prefix, { expiresAt: keys.inDays(4), name: 'Shorter' }, self));
    await success(patch(key.prefix, { expiresAt: keys.inDays(6) }));
  });

  it('locks its caller out if this is confirmed, which does not give the key more rights', async () => {
    const { key, secret } = await keys.key(keys.tenantId, { ipAllowlist: ['127.0.0.0/8', '::1/128'] });
    expect(
      refused(await refusal(patch(key.prefix, { ipAllowlist: ['203.0.113.0/24'], force: true }, apiKey(secret)))),
    ).toEqual([403, 'self_widening_forbidden']);
    const open = await keys.key(keys.tenantId);
    await success(patch(open.key.prefix, { ipAllowlist: ['203.0.113.0/24'], force: true }, apiKey(open.secret)));
    expect(await keys.works(open.secret)).toBe('ip_not_allowed');
  });

  it('is refused if the key has ended', async () => {
    const { prefix } = (await success(keys.create())).body.apiKey;
    await success(
      keys.api.DELETE('/v1/settings/api-keys/{prefix}', { params: { path: { prefix } }, headers: keys.admin }),
    );
    expect(refused(await refusal(patch(prefix, { name: 'x' })))).toEqual([409, 'key_revoked']);
  });
});

describe('replacing scopes', () => {
  const put = (prefix: string, scopes: Key['scopes'], headers = keys.admin) =>
    keys.api.PUT('/v1/settings/api-keys/{prefix}/scopes', { params: { path: { prefix } }, headers, body: { scopes } });

  it('replaces all of them, for keys in use', async () => {
    const {
      apiKey: { prefix },
      secret,
    } = (await success(keys.create({ scopes: ['read', 'write'] }))).body;
    expect(await keys.works(secret)).toBe(200);
    const answer = await success(put(prefix, ['screening', 'kyb']));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toBe('"2"');
    expect(answer.body.scopes).toEqual(['kyb', 'screening']);
    expect(await keys.works(secret)).toBe('insufficient_scope');
    await success(put(prefix, ['read']));
    expect(await keys.works(secret)).toBe(200);
  });

  it('answers a repetition like the first call, whatever version the repetition expects, and records nothing more', async () => {
    const { prefix } = (await success(keys.create({ scopes: ['read', 'write'] }))).body.apiKey;
    const twice = [1, 2].map(() => ({ ...keys.admin, 'If-Match': '"1"' }));
    const answers = [];
    for (const headers of twice) answers.push(await success(put(prefix, ['kyb'], headers)));
    expect(answers.map(({ status, headers }) => [status, headers.get('etag')])).toEqual([
      [200, '"2"'],
      [200, '"2"'],
    ]);
    const { body } = await success(
      keys.api.GET('/v1/audit/events', {
        params: { query: { action: ['api_key.scopes_changed'], resourceId: prefix } },
        headers: keys.admin,
      }),
    );
    expect(body.items).toHaveLength(1);
  });

  it('narrows a key that changes itself and never widens it, also through a token', async () => {
    const { key, secret } = await keys.key(keys.tenantId, { scopes: ['admin', 'read'] });
    const { body } = await success(requestToken(keys.api, secret));
    for (const self of [apiKey(secret), bearer(body.access_token)]) {
      expect(refused(await refusal(put(key.prefix, ['admin', 'read', 'write'], self)))).toEqual([
        403,
        'self_widening_forbidden',
      ]);
    }
    expect((await success(put(key.prefix, ['read'], apiKey(secret)))).body.scopes).toEqual(['read']);
  });

  it('refuses malformed sets of scopes, callers without permission, and keys that have ended', async () => {
    const { prefix } = (await success(keys.create())).body.apiKey;
    for (const scopes of [[], ['read', 'read'], ['root'], 'read', null]) {
      expect(
        (await keys.service.request('PUT', `${KEYS}/${prefix}/scopes`, { as: keys.admin, body: { scopes } })).status,
      ).toBe(422);
    }
    expect(refused(await refusal(put(prefix, ['read'], await keys.signedIn('developer'))))).toEqual([
      403,
      'role_forbidden',
    ]);
    expect((await refusal(put(prefix, ['write'], { ...keys.admin, 'If-Match': '"7"' }))).status).toBe(412);
    expect((await refusal(put(prefix, ['read'], { ...keys.admin, Accept: 'text/html' }))).status).toBe(406);
    expect((await refusal(put(prefix, ['read'], {}))).status).toBe(401);
    expect(
      (await keys.call('PUT', `${KEYS}/${prefix}/scopes`, { headers: keys.admin, form: 'scopes=read' })).status,
    ).toBe(415);
    const broken = await keys.call('PUT', `${KEYS}/${prefix}/scopes`, {
      headers: { ...keys.admin, 'Content-Type': 'application/json' },
      form: '{',
    });
    expect(broken.status).toBe(400);
    const tooLarge = await keys.service.request('PUT', `${KEYS}/${prefix}/scopes`, {
      as: keys.admin,
      body: { scopes: ['x'.repeat(1_100_000)] },
    });
    expect(tooLarge.status).toBe(413);
    await success(
      keys.api.DELETE('/v1/settings/api-keys/{prefix}', { params: { path: { prefix } }, headers: keys.admin }),
    );
    expect(refused(await refusal(put(prefix, ['read'])))).toEqual([409, 'key_revoked']);
  });
});

describe('a key behind a proxy', () => {
  it('is locked out by the address of its client, not by the address of the proxy', async () => {
    const proxied = await startWorld({ TRUST_PROXY: '1' });
    const tenantId = await proxied.database.tenant();
    const { key, secret } = await proxied.key(tenantId);
    const headers = { ...apiKey(secret), 'X-Forwarded-For': '198.51.100.1, 203.0.113.9' };
    const allow = (network: string) =>
      proxied.call('PATCH', `${KEYS}/${key.prefix}`, { headers, json: { ipAllowlist: [network] } });
    for (const network of ['127.0.0.0/8', '198.51.100.0/24', '::/0'])
      expect(refused(await allow(network))).toEqual([422, 'allowlist_locks_out_caller']);
    expect((await allow('203.0.113.0/24')).status).toBe(200);
    await success(proxied.api.GET('/v1/settings/api-keys', { headers }));
    expect(refused(await refusal(proxied.api.GET('/v1/settings/api-keys', { headers: apiKey(secret) })))).toEqual([
      403,
      'ip_not_allowed',
    ]);
    await proxied.stop();
  });
});
