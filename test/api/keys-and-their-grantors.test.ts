/** API tests that a key never reads more than the person who granted it may. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../server/contract/operation.ts';
import { refusal, requestToken, success } from '../support/api.ts';
import { shared, type Credential, type Person, type Tenant } from '../support/service.ts';
import type { Issued } from './api-keys-world.ts';
import { startWorld, type Document, type Schemas } from './applications-world.ts';

let tenant: Tenant;
let owner: Person;
const world = await shared(startWorld());

beforeAll(async () => {
  tenant = await world.tenant();
  owner = await tenant.person('owner');
});

const make = (by: Credential, members: Partial<Schemas['ApiKeyCreate']> = {}) =>
  world.api.POST('/v1/settings/api-keys', {
    headers: by,
    body: {
      name: 'Back end',
      environment: 'live',
      scopes: ['read', 'write'],
      ...members,
    },
  });

const keyOf = ({ secret }: Issued): Credential => ({ 'X-API-Key': secret });

const tokenOf = async ({ secret }: Issued): Promise<Credential> => {
  const { body } = await success(requestToken(world.api, secret));
  return { Authorization: `Bearer ${body.access_token}` };
};

const change = (userId: string, body: object, by = owner.as) =>
  world.request('PATCH', `/v1/users/${userId}`, { as: by, body });

const statusOrCode = async (as: Credential, path = '/v1/applications'): Promise<number | string> => {
  const { status, body } = await world.request('GET', path, { as });
  return status === 200 ? 200 : body.code;
};

const granted = async (role: Role, members: Partial<Schemas['ApiKeyCreate']> = {}) => {
  const grantor = await tenant.person(role);
  return { grantor, key: (await success(make(grantor.as, members))).body };
};

describe('a key reads no more than its grantor may', () => {
  it("so that a developer's does not list users or audit events", async () => {
    const { key } = await granted('developer', { environment: 'test', scopes: ['read'] });
    await success(world.api.POST('/v1/sandbox/enable', { headers: owner.as }));
    for (const as of [keyOf(key), await tokenOf(key)]) {
      expect(await statusOrCode(as)).toBe(200);
      for (const path of ['/v1/users', `/v1/users/${owner.id}`, '/v1/audit/events', '/v1/audit/checkpoints'])
        expect(await statusOrCode(as, path), path).toBe('role_forbidden');
    }
    await success(world.api.POST('/v1/sandbox/disable', { headers: owner.as }));
  });

  it('at once when their role is taken from them, and again when it is given back', async () => {
    const { grantor, key } = await granted('admin', { scopes: ['read', 'admin'] });
    const as = keyOf(key);
    expect(await statusOrCode(as, '/v1/users')).toBe(200);
    await change(grantor.id, { role: 'viewer' });
    expect([await statusOrCode(as, '/v1/users'), await statusOrCode(as)]).toEqual(['role_forbidden', 200]);
    expect((await world.create(undefined, as)).body).toMatchObject({ code: 'role_forbidden' });
    await change(grantor.id, { role: 'admin' });
    expect(await statusOrCode(as, '/v1/users')).toBe(200);
  });

  it('nor more than they might when they granted it', async () => {
    const { grantor, key } = await granted('developer', { environment: 'test', scopes: ['read'] });
    await success(world.api.POST('/v1/sandbox/enable', { headers: owner.as }));
    await change(grantor.id, { role: 'owner' });
    expect(await statusOrCode(keyOf(key), '/v1/users')).toBe('role_forbidden');
    await success(world.api.POST('/v1/sandbox/disable', { headers: owner.as }));
  });

  it("which does not keep an administrator's key from what integrations do", async () => {
    const { grantor, key } = await granted('admin');
    expect((await world.create(undefined, grantor.as)).status).toBe(403);
    expect((await world.create(undefined, keyOf(key))).status).toBe(201);
  });
});

describe('a key whose grantor has left', () => {
  it('is refused at once, with its tokens, and gets no new ones', async () => {
    const { grantor, key } = await granted('admin');
    const token = await tokenOf(key);
    expect([await statusOrCode(keyOf(key)), await statusOrCode(token)]).toEqual([200, 200]);
    await change(grantor.id, { status: 'deactivated' });
    expect([await statusOrCode(keyOf(key)), await statusOrCode(token)]).toEqual([
      'key_grantor_inactive',
      'key_grantor_inactive',
    ]);
    expect((await refusal(requestToken(world.api, key.secret))).body).toMatchObject({ error: 'unauthorized_client' });
    const listed = (await success(world.api.GET('/v1/settings/api-keys', { headers: owner.as }))).body.items.find(
      ({ prefix }) => prefix === key.apiKey.prefix,
    );
    expect(listed?.grantor).toEqual({ userId: grantor.id, role: 'admin', active: false });
    expect((await tenant.audit()).filter(({ reason }) => reason === 'key_grantor_inactive').length).toBeGreaterThan(0);
  });

  it('is taken over by rotating it or confirming its scopes, within the role of the new grantor', async () => {
    const { grantor, key } = await granted('owner', { personalData: 'full' });
    const { key: other } = { key: (await success(make(grantor.as, { personalData: 'full' }))).body };
    await change(grantor.id, { status: 'deactivated' });
    const admin = await tenant.person('admin');
    const confirmed = await success(
      world.api.PUT('/v1/settings/api-keys/{prefix}/scopes', {
        params: { path: { prefix: key.apiKey.prefix } },
        headers: admin.as,
        body: { scopes: ['read', 'write'] },
      }),
    );
    expect(confirmed.body).toMatchObject({
      personalData: 'masked',
      grantor: { userId: admin.id, role: 'admin', active: true },
    });
    expect(await statusOrCode(keyOf(key))).toBe(200);
    const rotated = await success(
      world.api.POST('/v1/settings/api-keys/{prefix}/rotate', {
        params: { path: { prefix: other.apiKey.prefix } },
        headers: owner.as,
        body: {},
      }),
    );
    expect(rotated.body.apiKey).toMatchObject({
      personalData: 'full',
      grantor: { userId: owner.id, role: 'owner', active: true },
    });
    expect([await statusOrCode(keyOf(other)), await statusOrCode(keyOf(rotated.body))]).toEqual([
      'key_grantor_inactive',
      200,
    ]);
    // Confirming again after the takeover changes nothing.
    const again = await success(
      world.api.PUT('/v1/settings/api-keys/{prefix}/scopes', {
        params: { path: { prefix: key.apiKey.prefix } },
        headers: admin.as,
        body: { scopes: ['read', 'write'] },
      }),
    );
    expect(again.body.version).toBe(confirmed.body.version);
  });

  it('works while the grantor is only locked out', async () => {
    const { grantor, key } = await granted('admin');
    await world.database.sql(`UPDATE membership SET status = 'locked' WHERE user_id = $1`, [grantor.id]);
    await world.database.sql(`UPDATE user_account SET locked_until = now() + interval '1 hour' WHERE id = $1`, [
      grantor.id,
    ]);
    world.advance(5_001);
    expect(await statusOrCode(keyOf(key))).toBe(200);
  });

  it('revokes the further keys that it created', async () => {
    const { grantor, key } = await granted('owner', { scopes: ['admin'] });
    const { body: child } = await success(make(keyOf(key)));
    expect(child.apiKey).toMatchObject({
      createdBy: { type: 'api_key', id: key.apiKey.prefix },
      grantor: { userId: grantor.id, role: 'owner' },
    });
    expect(await statusOrCode(keyOf(child))).toBe(200);
    await change(grantor.id, { status: 'deactivated' });
    expect(await statusOrCode(keyOf(child))).toBe('key_grantor_inactive');
  });
});

describe('searches by what identifies a person', () => {
  it('are counted separately, thirty a minute, for a client however many keys and tokens it has', async () => {
    const counted = await startWorld({ env: { RATE_LIMIT_LOOKUPS: '30' } });
    try {
      const as = await counted.acme.key(['read', 'admin']);
      const search = () =>
        counted.request<{ items?: Document[]; code?: string }>('GET', '/v1/applications?taxId=52998224725', { as });
      const first = await search();
      expect(first.headers.get('ratelimit-policy')).toContain('"lookups";q=30;w=60');
      expect(first.headers.get('ratelimit')).toContain('"lookups";r=29');
      for (let i = 1; i < 30; i++) expect((await search()).status).toBe(200);
      const last = await search();
      expect([last.status, last.body.code]).toEqual([429, 'rate_limited']);
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
      // Other calls still work; another key that this key creates shares the quota.
      await success(counted.api.GET('/v1/applications', { headers: as }));
      const child = (
        await success(
          counted.api.POST('/v1/settings/api-keys', {
            headers: as,
            body: {
              name: 'Child',
              environment: 'live',
              scopes: ['read'],
              personalData: 'full',
            },
          }),
        )
      ).body;
      expect(
        (
          await refusal(
            counted.api.GET('/v1/applications', { params: { query: { taxId: '52998224725' } }, headers: keyOf(child) }),
          )
        ).status,
      ).toBe(429);
      const owner = (await counted.acme.person('owner')).as;
      await success(
        counted.api.GET('/v1/applications', { params: { query: { taxId: '52998224725' } }, headers: owner }),
      );
    } finally {
      await counted.stop();
    }
  });
});
