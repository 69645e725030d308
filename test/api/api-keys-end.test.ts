/** API tests of rotating and revoking an API key. */
import { describe, expect, it } from 'vitest';
import { refusal, refused, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { apiKey, KEYS, startKeysWorld, startWorld } from './api-keys-world.ts';

const keys = await shared(startKeysWorld());

describe('rotating a key', () => {
  const rotate = (prefix: string, body: { readonly graceHours?: number } = {}, headers = keys.admin) =>
    keys.api.POST('/v1/settings/api-keys/{prefix}/rotate', { params: { path: { prefix } }, headers, body });

  it('issues a successor while the old key stays valid during its grace period', async () => {
    const turning = await startWorld();
    const tenant = await turning.database.tenant();
    const headers = apiKey((await turning.key(tenant)).secret);
    const old = await turning.key(tenant, {
      scopes: ['read'],
      ipAllowlist: ['127.0.0.0/8', '::1/128'],
      pinEnvironment: true,
    });
    const answer = await success(
      turning.api.POST('/v1/settings/api-keys/{prefix}/rotate', {
        params: { path: { prefix: old.key.prefix } },
        headers,
        body: { graceHours: 48 },
      }),
    );
    expect(answer.status).toBe(201);
    const { apiKey: successor, secret } = answer.body;
    expect(answer.headers.get('location')).toBe(`${KEYS}/${successor.prefix}`);
    expect(successor).toMatchObject({
      name: 'Back end',
      scopes: ['read'],
      ipAllowlist: ['127.0.0.0/8', '::1/128'],
      pinEnvironment: true,
      status: 'active',
      rotation: null,
    });
    const use = async (key: string) =>
      (await turning.call('GET', '/v1/sandbox', { headers: apiKey(key) })).body.code ?? 200;
    expect([await use(old.secret), await use(secret)]).toEqual([200, 200]);
    const { items } = (
      await success(turning.api.GET('/v1/settings/api-keys', { params: { query: { status: ['rotating'] } }, headers }))
    ).body;
    expect(items.map(({ prefix, rotation }) => [prefix, rotation?.successorPrefix])).toEqual([
      [old.key.prefix, successor.prefix],
    ]);
    turning.advance(48 * 3_600_000);
    expect([await use(old.secret), await use(secret)]).toEqual(['api_key_expired', 200]);
    await turning.stop();
  });

  it('ends the old key at once if the grace period is zero, and after a day by default', async () => {
    const { apiKey: key, secret } = (await success(keys.create())).body;
    expect(await keys.works(secret)).toBe(200);
    await success(rotate(key.prefix, { graceHours: 0 }));
    expect(await keys.works(secret)).toBe('api_key_expired');
    const other = (await success(keys.create())).body.apiKey;
    await success(rotate(other.prefix));
    const [row] = await keys.database.sql<{ hours: number }>(
      'SELECT extract(epoch FROM grace_until - updated_at)::integer / 3600 AS hours FROM api_key WHERE prefix = $1',
      [other.prefix],
    );
    expect(row?.hours).toBe(24);
  });

  it('answers a repeated call with the same successor', async () => {
    const { prefix } = (await success(keys.create())).body.apiKey;
    const headers = { ...keys.admin, 'Idempotency-Key': 'rotate-1' };
    const [once, again] = [await success(rotate(prefix, {}, headers)), await success(rotate(prefix, {}, headers))];
    expect(again.text).toBe(once.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('is done once if two ask at the same time, and not after the end', async () => {
    const { prefix } = (await success(keys.create())).body.apiKey;
    const answers = await Promise.all([rotate(prefix), rotate(prefix), rotate(prefix)]);
    expect(answers.map(({ error, response }) => error?.code ?? response.status).sort()).toEqual([
      201,
      'rotation_in_progress',
      'rotation_in_progress',
    ]);
    await success(
      keys.api.DELETE('/v1/settings/api-keys/{prefix}', { params: { path: { prefix } }, headers: keys.admin }),
    );
    expect(refused(await refusal(rotate(prefix)))).toEqual([409, 'key_revoked']);
  });

  it.each([{ graceHours: -1 }, { graceHours: 169 }, { graceHours: 1.5 }, { hours: 1 }])('refuses %j', async (json) => {
    const { prefix } = (await success(keys.create())).body.apiKey;
    expect(
      (await keys.service.request('POST', `${KEYS}/${prefix}/rotate`, { as: keys.admin, body: json })).status,
    ).toBe(422);
  });
});

describe('revoking a key', () => {
  const revoke = (prefix: string, headers = keys.admin) => keys.call('DELETE', `${KEYS}/${prefix}`, { headers });

  it('ends it at once; a repetition changes nothing', async () => {
    const {
      apiKey: { prefix },
      secret,
    } = (await success(keys.create())).body;
    expect(await keys.works(secret)).toBe(200);
    expect((await revoke(prefix)).status).toBe(204);
    expect(await keys.works(secret)).toBe('api_key_revoked');
    expect((await revoke(prefix)).status).toBe(204);
    const events = await keys.database.sql(
      `SELECT 1 FROM audit_event WHERE resource_id = $1 AND action = 'api_key.revoked'`,
      [prefix],
    );
    expect(events).toHaveLength(1);
  });

  it('ends only the test keys that a developer created, if the developer revokes them', async () => {
    const developer = await keys.signedIn('developer');
    const [live, theirs] = [
      (await success(keys.create())).body.apiKey,
      (await success(keys.create({ environment: 'test' }))).body.apiKey,
    ];
    const own = (await success(keys.create({ environment: 'test' }, developer))).body.apiKey;
    for (const { prefix } of [live, theirs])
      expect(refused(await revoke(prefix, developer))).toEqual([403, 'role_forbidden']);
    expect((await revoke(own.prefix, developer)).status).toBe(204);
    expect(refused(await revoke(own.prefix, await keys.signedIn('developer')))).toEqual([403, 'role_forbidden']);
  });

  it('warns a key that revokes itself if it is the last administrative key', async () => {
    const tenant = await keys.database.tenant();
    await keys.database.sql('UPDATE tenant SET sandbox_enabled = true WHERE id = $1', [tenant]);
    const warned = async ({ key, secret }: Awaited<ReturnType<typeof keys.key>>) =>
      (await revoke(key.prefix, apiKey(secret))).headers.get('x-warning');
    const [test, first, last] = [
      await keys.key(tenant, { environment: 'test' }),
      await keys.key(tenant),
      await keys.key(tenant),
    ];
    await keys.key(tenant, { scopes: ['read'] });
    await keys.key(tenant, { expiresAt: new Date(keys.now().getTime() - 1) });
    expect(await warned(first)).toBeNull();
    expect((await revoke((await success(keys.create())).body.apiKey.prefix)).headers.get('x-warning')).toBeNull();
    // A test key would be no replacement, because it sees no live keys.
    expect(await warned(last)).toBe('last_admin_key_self');
    expect(await warned(test)).toBe('last_admin_key_self');
  });

  it('needs a credential', async () => {
    const { prefix } = (await success(keys.create())).body.apiKey;
    expect(refused(await revoke(prefix, {}))).toEqual([401, 'authentication_required']);
  });

  it('can be the last action of a key', async () => {
    const { key, secret } = await keys.key(keys.tenantId);
    expect((await revoke(key.prefix, apiKey(secret))).status).toBe(204);
    expect(await keys.works(secret)).toBe('api_key_revoked');
  });
});

it.each<[string, string, object | undefined]>([
  ['PATCH', '', { name: 'Mine' }],
  ['PUT', '/scopes', { scopes: ['read'] }],
  ['POST', '/rotate', {}],
  ['DELETE', '', undefined],
])('%s %s of a key of another tenant, or of none, is not found, and nothing changes', async (method, path, json) => {
  const foreign = await keys.database.tenant();
  const { key, secret } = await keys.key(foreign, { scopes: ['read'] });
  const before = await keys.database.sql('SELECT * FROM api_key WHERE prefix = $1', [key.prefix]);
  for (const headers of [keys.admin, await keys.signedIn('owner')]) {
    for (const prefix of [key.prefix, 'kyc_live_00000000']) {
      expect(refused(await keys.call(method, `${KEYS}/${prefix}${path}`, { headers, json }))).toEqual([
        404,
        'not_found',
      ]);
    }
  }
  expect((await keys.call(method, `${KEYS}/nonsense${path}`, { headers: keys.admin, json })).status).toBe(400);
  expect(await keys.database.sql('SELECT * FROM api_key WHERE prefix = $1', [key.prefix])).toEqual(before);
  expect(await keys.works(secret)).toBe(200);
});
