/** API tests of creating an API key: who may, what is recorded, and that the secret is stored nowhere. */
import { describe, expect, it } from 'vitest';
import { refusal, refused, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { apiKey, KEYS, startKeysWorld, wanted } from './api-keys-world.ts';

const keys = await shared(startKeysWorld());

describe('creating a key', () => {
  it('shows the secret once, with the location of the key', async () => {
    const answer = await success(
      keys.create({
        scopes: ['write', 'read'],
        expiresAt: keys.inDays(30),
        ipAllowlist: ['127.0.0.0/8', '::1/128'],
        pinEnvironment: true,
      }),
    );
    expect(answer.status).toBe(201);
    const { apiKey: key, secret } = answer.body;
    expect(answer.headers.get('location')).toBe(`${KEYS}/${key.prefix}`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(secret).toMatch(new RegExp(`^${key.prefix}_[0-9A-Za-z]{38}$`));
    expect(key).toMatchObject({
      name: 'Back end',
      environment: 'live',
      scopes: ['read', 'write'],
      pinEnvironment: true,
      ipAllowlist: ['127.0.0.0/8', '::1/128'],
      status: 'active',
      rotation: null,
      lastUsedAt: null,
      version: 1,
      createdBy: { type: 'api_key' },
    });
    expect(await keys.works(secret)).toBe(200);
  });

  it('stores nothing of the secret in readable form, in any table', async () => {
    const { secret } = (await success(keys.create({}, { ...keys.admin, 'Idempotency-Key': 'readable?' }))).body;
    const tables = await keys.database.sql<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(10);
    const [random = ''] = secret.split('_').slice(-1);
    for (const { name } of tables) {
      const rows = await keys.database.sql<{ text: string }>(`SELECT r::text AS text FROM "${name}" r`);
      for (const { text } of rows)
        for (const shape of [random, Buffer.from(secret).toString('hex')]) expect(text, name).not.toContain(shape);
    }
  });

  it('answers a repeated call with the same secret, and a different call with a different one', async () => {
    // The repetition must have the same bytes, so no client parses these two answers.
    const create = () =>
      success(
        keys.api.POST('/v1/settings/api-keys', {
          headers: { ...keys.admin, 'Idempotency-Key': 'create-1' },
          body: wanted,
        }),
      );
    const [once, again] = [await create(), await create()];
    expect(again.text).toBe(once.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await success(keys.create({}, { ...keys.admin, 'Idempotency-Key': 'create-2' }))).body.secret).not.toBe(
      once.body.secret,
    );
    expect((await success(keys.create({}))).body.secret).not.toBe(once.body.secret);
    const owner = await keys.signedIn('owner');
    expect((await success(keys.create({}, { ...owner, 'Idempotency-Key': 'create-1' }))).body.secret).not.toBe(
      once.body.secret,
    );
    expect(
      refused(await refusal(keys.create({ name: 'Other' }, { ...keys.admin, 'Idempotency-Key': 'create-1' }))),
    ).toEqual([422, 'idempotency_key_reused']);
  });

  it('is recorded with the rights of the key', async () => {
    const { prefix } = (await success(keys.create({ scopes: ['kyb'] }))).body.apiKey;
    const [event] = await keys.database.sql<{ changes: unknown; action: string }>(
      'SELECT action, changes FROM audit_event WHERE resource_id = $1',
      [prefix],
    );
    expect(event?.action).toBe('api_key.created');
    expect(JSON.stringify(event?.changes)).toContain('kyb');
  });

  it.each<[string, object, string, string]>([
    ['no scope', { scopes: [] }, 'validation_failed', '/scopes'],
    ['a scope twice', { scopes: ['read', 'read'] }, 'validation_failed', '/scopes'],
    ['an unknown scope', { scopes: ['root'] }, 'validation_failed', '/scopes/0'],
    ['an unknown environment', { environment: 'prod' }, 'validation_failed', '/environment'],
    ['an unknown member', { secret: 'mine' }, 'validation_failed', '/secret'],
    ['a name with control characters', { name: 'a\u0007b' }, 'validation_failed', '/name'],
    ['an expiry that is no instant', { expiresAt: 'tomorrow' }, 'validation_failed', '/expiresAt'],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiry_in_past', '/expiresAt'],
    ['an expiry more than two years ahead', { expiresAt: '2099-01-01T00:00:00Z' }, 'expiry_in_past', '/expiresAt'],
    ['a network that is none', { ipAllowlist: ['10.0.0.0/8', '300.0.0.0/8'] }, 'invalid_cidr', '/ipAllowlist/1'],
    ['a network with host bits', { ipAllowlist: ['203.0.113.1/24'] }, 'invalid_cidr', '/ipAllowlist/0'],
    [
      'a test key pinned to live',
      { environment: 'test', pinEnvironment: true },
      'validation_failed',
      '/pinEnvironment',
    ],
  ])('explains %s', async (_, json, code, pointer) => {
    const answer = await keys.call('POST', KEYS, { headers: keys.admin, json: { ...wanted, ...json } });
    expect(refused(answer)).toEqual([422, code]);
    expect(answer.body.errors?.map((error) => error.pointer)).toContain(pointer);
  });

  it('refuses what is not JSON or cannot be answered', async () => {
    const answers = await Promise.all([
      keys.call('POST', KEYS, { headers: keys.admin, form: 'name=x' }),
      keys.call('POST', KEYS, {
        headers: { ...keys.admin, 'Content-Type': 'application/json' },
        form: '{"name":"a","name":"b"}',
      }),
      keys.call('POST', KEYS, { headers: { ...keys.admin, Accept: 'text/csv' }, json: wanted }),
      keys.call('POST', KEYS, { headers: keys.admin, json: { ...wanted, name: 'x'.repeat(1_100_000) } }),
      keys.call('POST', KEYS, { json: wanted }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([415, 400, 406, 413, 401]);
  });

  it('stops at a hundred active keys, also in parallel', async () => {
    const full = await keys.database.tenant();
    const { secret } = await keys.key(full);
    for (let i = 0; i < 97; i++) await keys.key(full, { scopes: ['read'] });
    await keys.key(full, { expiresAt: new Date(keys.now().getTime() - 1) });
    const answers = await Promise.all(Array.from({ length: 6 }, () => keys.create({}, apiKey(secret))));
    expect(answers.map(({ response, error }) => error?.code ?? response.status).sort()).toEqual([
      201,
      201,
      'key_limit',
      'key_limit',
      'key_limit',
      'key_limit',
    ]);
  });

  it('stops at the quota of the tenant', async () => {
    const small = await keys.database.tenant();
    await keys.database.sql(`UPDATE tenant SET quotas = '{"apiKeys": 2}' WHERE id = $1`, [small]);
    const headers = apiKey((await keys.key(small)).secret);
    const { prefix } = (await success(keys.create({}, headers))).body.apiKey;
    expect(refused(await refusal(keys.create({}, headers)))).toEqual([409, 'key_limit']);
    expect(
      (await keys.api.POST('/v1/settings/api-keys/{prefix}/rotate', { params: { path: { prefix } }, headers })).response
        .status,
    ).toBe(201);
    expect(refused(await refusal(keys.create({}, headers)))).toEqual([409, 'key_limit']);
    await keys.api.DELETE('/v1/settings/api-keys/{prefix}', { params: { path: { prefix } }, headers });
    await keys.database.sql(`UPDATE tenant SET quotas = '{"apiKeys": 3}' WHERE id = $1`, [small]);
    await success(keys.create({}, headers));
  });
});

describe('who may create which key', () => {
  it('depends on the role', async () => {
    for (const role of ['owner', 'admin'] as const)
      await success(keys.create({ scopes: ['admin'] }, await keys.signedIn(role)));
    const developer = await keys.signedIn('developer');
    await success(keys.create({ environment: 'test', scopes: ['read', 'write', 'kyb', 'screening'] }, developer));
    expect(refused(await refusal(keys.create({}, developer)))).toEqual([403, 'role_forbidden']);
    expect(refused(await refusal(keys.create({ environment: 'test', scopes: ['admin'] }, developer)))).toEqual([
      403,
      'scope_escalation',
    ]);
    for (const role of ['compliance_officer', 'analyst', 'auditor', 'viewer'] as const) {
      expect(refused(await refusal(keys.create({}, await keys.signedIn(role))))).toEqual([403, 'role_forbidden']);
    }
  });

  it('does not let a test key create live keys', async () => {
    const tenant = await keys.database.tenant();
    await keys.database.sql('UPDATE tenant SET sandbox_enabled = true WHERE id = $1', [tenant]);
    const live = (await keys.key(tenant)).key;
    const test = apiKey((await keys.key(tenant, { environment: 'test' })).secret);
    await success(keys.create({ environment: 'test' }, test));
    expect(refused(await refusal(keys.create({}, test)))).toEqual([403, 'scope_escalation']);
    const { items } = (await success(keys.api.GET('/v1/settings/api-keys', { headers: test }))).body;
    expect(items.map(({ environment }) => environment)).toEqual(['test', 'test']);
    const listed = await success(
      keys.api.GET('/v1/settings/api-keys', { params: { query: { environment: 'live' } }, headers: test }),
    );
    expect(listed.body.items).toEqual([]);
    expect(
      refused(
        await refusal(
          keys.api.DELETE('/v1/settings/api-keys/{prefix}', {
            params: { path: { prefix: live.prefix } },
            headers: test,
          }),
        ),
      ),
    ).toEqual([404, 'not_found']);
  });
});
