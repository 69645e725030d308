import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../server/contract/principal.ts';
import { apiKey, bearer, startWorld, type Answer, type Schemas, type World } from './auth-world.ts';

let world: World;
let tenantId: string;
let admin: Record<string, string>;

beforeAll(async () => {
  world = await startWorld();
  tenantId = await world.database.tenant();
  admin = apiKey((await world.key(tenantId)).secret);
});
afterAll(() => world.stop());

type Issued = Schemas['ApiKeyIssued'];
type Key = Schemas['ApiKey'];

const KEYS = '/v1/settings/api-keys';
const wanted = { name: 'Back end', environment: 'live', scopes: ['read'] };
const inDays = (days: number): string => new Date(world.now().getTime() + days * 86_400_000).toISOString();

const create = <T = Issued>(json: object = {}, headers = admin): Promise<Answer<T>> => world.call<T>('POST', KEYS, { headers, json: { ...wanted, ...json } });
const works = async (secret: string, headers: Record<string, string> = {}) => {
  const { status, body } = await world.call('GET', '/v1/sandbox', { headers: { ...apiKey(secret), ...headers } });
  return body.code ?? status;
};
const signedIn = async (role: Role, tenant = tenantId): Promise<Record<string, string>> =>
  bearer((await world.signIn((await world.user(tenant, role)).email)).accessToken);
const refused = ({ status, body }: Answer<Schemas['Problem']>): [number, string] => [status, body.code];

describe('creating a key', () => {
  it('shows the secret once, with where the key is', async () => {
    const answer = await create({ scopes: ['write', 'read'], expiresAt: inDays(30), ipAllowlist: ['127.0.0.0/8', '::1/128'], pinEnvironment: true });
    expect(answer.status).toBe(201);
    const { apiKey: key, secret } = answer.body;
    expect(answer.headers.get('location')).toBe(`${KEYS}/${key.prefix}`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(secret).toMatch(new RegExp(`^${key.prefix}_[0-9A-Za-z]{38}$`));
    expect(key).toMatchObject({
      name: 'Back end', environment: 'live', scopes: ['read', 'write'], pinEnvironment: true, ipAllowlist: ['127.0.0.0/8', '::1/128'],
      status: 'active', rotation: null, lastUsedAt: null, version: 1, createdBy: { type: 'api_key' },
    });
    expect(await works(secret)).toBe(200);
  });

  it('keeps nothing of the secret readable, in any table', async () => {
    const { secret } = (await create({}, { ...admin, 'Idempotency-Key': 'readable?' })).body;
    const tables = await world.database.sql<{ name: string }>(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`);
    expect(tables.length).toBeGreaterThan(10);
    const [random = ''] = secret.split('_').slice(-1);
    for (const { name } of tables) {
      const rows = await world.database.sql<{ text: string }>(`SELECT r::text AS text FROM "${name}" r`);
      for (const { text } of rows) for (const shape of [random, Buffer.from(secret).toString('hex')]) expect(text, name).not.toContain(shape);
    }
  });

  it('answers a repeated call with the same secret, and another one with another', async () => {
    const once = await create({}, { ...admin, 'Idempotency-Key': 'create-1' });
    const again = await create({}, { ...admin, 'Idempotency-Key': 'create-1' });
    expect(again.text).toBe(once.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await create({}, { ...admin, 'Idempotency-Key': 'create-2' })).body.secret).not.toBe(once.body.secret);
    expect((await create({})).body.secret).not.toBe(once.body.secret);
    const owner = await signedIn('owner');
    expect((await create({}, { ...owner, 'Idempotency-Key': 'create-1' })).body.secret).not.toBe(once.body.secret);
    expect(refused(await create<Schemas['Problem']>({ name: 'Other' }, { ...admin, 'Idempotency-Key': 'create-1' }))).toEqual([422, 'idempotency_key_reused']);
  });

  it('is recorded with what the key may do', async () => {
    const { prefix } = (await create({ scopes: ['kyb'] })).body.apiKey;
    const [event] = await world.database.sql<{ changes: unknown; action: string }>('SELECT action, changes FROM audit_event WHERE resource_id = $1', [prefix]);
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
    ['a test key pinned to live', { environment: 'test', pinEnvironment: true }, 'validation_failed', '/pinEnvironment'],
  ])('explains %s', async (_, json, code, pointer) => {
    const answer = await create<Schemas['Problem']>(json);
    expect(refused(answer)).toEqual([422, code]);
    expect(answer.body.errors?.map((error) => error.pointer)).toContain(pointer);
  });

  it('refuses what is not JSON or cannot be answered', async () => {
    const answers = await Promise.all([
      world.call('POST', KEYS, { headers: admin, form: 'name=x' }),
      world.call('POST', KEYS, { headers: { ...admin, 'Content-Type': 'application/json' }, form: '{"name":"a","name":"b"}' }),
      world.call('POST', KEYS, { headers: { ...admin, Accept: 'text/csv' }, json: wanted }),
      world.call('POST', KEYS, { headers: admin, json: { ...wanted, name: 'x'.repeat(1_100_000) } }),
      world.call('POST', KEYS, { json: wanted }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([415, 400, 406, 413, 401]);
  });

  it('stops at a hundred active keys, also in parallel', async () => {
    const full = await world.database.tenant();
    const { secret } = await world.key(full);
    for (let i = 0; i < 97; i++) await world.key(full, { scopes: ['read'] });
    await world.key(full, { expiresAt: new Date(world.now().getTime() - 1) });
    const answers = await Promise.all(Array.from({ length: 6 }, () => create<Schemas['Problem']>({}, apiKey(secret))));
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([201, 201, 'key_limit', 'key_limit', 'key_limit', 'key_limit']);
  });
});

describe('who may create which key', () => {
  it('is decided by role', async () => {
    for (const role of ['owner', 'admin'] as const) expect((await create({ scopes: ['admin'] }, await signedIn(role))).status).toBe(201);
    const developer = await signedIn('developer');
    expect((await create({ environment: 'test', scopes: ['read', 'write', 'kyb', 'screening'] }, developer)).status).toBe(201);
    expect(refused(await create<Schemas['Problem']>({}, developer))).toEqual([403, 'role_forbidden']);
    expect(refused(await create<Schemas['Problem']>({ environment: 'test', scopes: ['admin'] }, developer))).toEqual([403, 'scope_escalation']);
    for (const role of ['compliance_officer', 'analyst', 'auditor', 'viewer'] as const) {
      expect(refused(await create<Schemas['Problem']>({}, await signedIn(role)))).toEqual([403, 'role_forbidden']);
    }
  });

  it('is decided by scope', async () => {
    const { secret } = await world.key(tenantId, { scopes: ['read', 'write', 'kyb', 'screening'] });
    const answer = await create<Schemas['Problem']>({}, apiKey(secret));
    expect(refused(answer)).toEqual([403, 'insufficient_scope']);
    expect(answer.body.requiredScopes).toEqual(['admin']);
  });

  it('does not let a test key reach live keys', async () => {
    const tenant = await world.database.tenant();
    await world.database.sql('UPDATE tenant SET sandbox_enabled = true WHERE id = $1', [tenant]);
    const live = (await world.key(tenant)).key;
    const test = apiKey((await world.key(tenant, { environment: 'test' })).secret);
    expect((await create({ environment: 'test' }, test)).status).toBe(201);
    expect(refused(await create<Schemas['Problem']>({}, test))).toEqual([403, 'scope_escalation']);
    const { items } = (await world.call<Schemas['ApiKeyList']>('GET', KEYS, { headers: test })).body;
    expect(items.map(({ environment }) => environment)).toEqual(['test', 'test']);
    expect((await world.call<Schemas['ApiKeyList']>('GET', `${KEYS}?environment=live`, { headers: test })).body.items).toEqual([]);
    expect(refused(await world.call('DELETE', `${KEYS}/${live.prefix}`, { headers: test }))).toEqual([404, 'not_found']);
  });
});

describe('listing keys', () => {
  let tenant: string;
  let headers: Record<string, string>;
  const list = (query = '') => world.call<Schemas['ApiKeyList']>('GET', KEYS + query, { headers });
  const refusal = (query: string) => world.call('GET', KEYS + query, { headers });
  const names = ({ body }: Answer<Schemas['ApiKeyList']>): string[] => body.items.map(({ name }) => name);

  beforeAll(async () => {
    tenant = await world.database.tenant();
    const at = (seconds: number) => ({ now: new Date(Date.parse('2026-01-01T00:00:00Z') + seconds * 1000) });
    headers = apiKey((await world.key(tenant, { name: 'first', ...at(0) })).secret);
    await world.key(tenant, { name: 'expired', scopes: ['read'], expiresAt: new Date('2026-02-01'), ...at(1) });
    const rotating = await world.key(tenant, { name: 'rotating', scopes: ['read'], ...at(2) });
    const revoked = await world.key(tenant, { name: 'revoked', scopes: ['read'], ...at(3) });
    const done = await world.key(tenant, { name: 'rotated out', scopes: ['read'], ...at(4) });
    await world.key(tenant, { name: 'test', environment: 'test', scopes: ['read'], ...at(5) });
    await world.database.sql(`UPDATE api_key SET status = 'revoked', revoked_at = now() WHERE id = $1`, [revoked.key.id]);
    const rotate = `UPDATE api_key SET status = 'rotating', successor_prefix = prefix, grace_until = now() + $2::interval WHERE id = $1`;
    await world.database.sql(rotate, [rotating.key.id, '1 hour']);
    await world.database.sql(rotate, [done.key.id, '-1 hour']);
  });

  it('shows the newest first, never a secret', async () => {
    const answer = await list();
    expect(names(answer)).toEqual(['test', 'rotated out', 'revoked', 'rotating', 'expired', 'first']);
    expect(answer.body.items.map(({ status }) => status)).toEqual(['active', 'expired', 'revoked', 'rotating', 'expired', 'active']);
    expect(answer.body).toMatchObject({ cursor: null, hasMore: false });
    expect(answer.text).not.toMatch(/secret|mac|_[0-9A-Za-z]{38}/);
  });

  it('filters by status, environment and age', async () => {
    expect(names(await list('?status=expired'))).toEqual(['rotated out', 'expired']);
    expect(names(await list('?status=active&status=rotating'))).toEqual(['test', 'rotating', 'first']);
    expect(names(await list('?status=revoked'))).toEqual(['revoked']);
    expect(names(await list('?environment=test'))).toEqual(['test']);
    expect(names(await list('?createdAfter=2026-01-01T00:00:04Z'))).toEqual(['test', 'rotated out']);
    expect(names(await list('?createdBefore=2026-01-01T00:00:01.000Z'))).toEqual(['first']);
    expect(names(await list('?createdAfter=2026-01-01T01:00:03%2B01:00&createdBefore=2026-01-01T00:00:04Z'))).toEqual(['revoked']);
  });

  it('goes through pages without loss or repetition', async () => {
    const seen: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const page = await list(query);
      seen.push(...names(page));
      if (!page.body.hasMore) break;
      query = `?limit=2&cursor=${page.body.cursor}`;
    }
    expect(seen).toEqual(['test', 'rotated out', 'revoked', 'rotating', 'expired', 'first']);
  });

  it('refuses cursors that are garbled, of other filters or of another tenant', async () => {
    const { cursor } = (await list('?limit=1')).body;
    expect(refused(await refusal('?cursor=abc'))).toEqual([400, 'invalid_cursor']);
    expect(refused(await refusal(`?cursor=${cursor}&environment=live`))).toEqual([400, 'cursor_filter_mismatch']);
    expect(refused(await world.call('GET', `${KEYS}?cursor=${cursor}`, { headers: admin }))).toEqual([400, 'invalid_cursor']);
  });

  it.each(['?limit=0', '?limit=101', '?limit=x', '?status=lost', '?environment=prod', '?createdAfter=yesterday', '?status='])('refuses %s', async (query) => {
    expect(refused(await refusal(query))).toEqual([400, 'invalid_parameter']);
  });

  it('refuses unknown parameters, other callers and other media types', async () => {
    expect(refused(await refusal('?sort=name'))).toEqual([400, 'unknown_parameter']);
    expect((await world.call('GET', KEYS)).status).toBe(401);
    expect((await world.call('GET', KEYS, { headers: await signedIn('viewer') })).status).toBe(403);
    expect((await world.call('GET', KEYS, { headers: { ...headers, Accept: 'text/html' } })).status).toBe(406);
  });
});

describe('changing a key', () => {
  const patch = <T = Key>(prefix: string, json: object, headers = admin) => world.call<T>('PATCH', `${KEYS}/${prefix}`, { headers, json });

  it('merges the members that are given', async () => {
    const { apiKey: key } = (await create({ ipAllowlist: ['127.0.0.0/8'], expiresAt: inDays(10) })).body;
    const renamed = await patch(key.prefix, { name: 'Blue' });
    expect(renamed.status).toBe(200);
    expect(renamed.headers.get('etag')).toBe('"2"');
    expect(renamed.body).toEqual({ ...key, name: 'Blue', version: 2, updatedAt: renamed.body.updatedAt });
    const merged = await world.call<Key>('PATCH', `${KEYS}/${key.prefix}`, {
      headers: { ...admin, 'Content-Type': 'application/merge-patch+json' }, json: { expiresAt: null, ipAllowlist: [], pinEnvironment: true },
    });
    expect(merged.body).toMatchObject({ name: 'Blue', expiresAt: null, ipAllowlist: [], pinEnvironment: true, version: 3 });
  });

  it('is refused when the key has changed since', async () => {
    const { prefix } = (await create()).body.apiKey;
    expect((await patch(prefix, { name: 'One' }, { ...admin, 'If-Match': '"1"' })).status).toBe(200);
    const stale = await patch<Schemas['Problem']>(prefix, { name: 'Two' }, { ...admin, 'If-Match': '"1"' });
    expect([...refused(stale), stale.body.currentVersion]).toEqual([412, 'version_conflict', 2]);
    expect((await patch(prefix, { name: 'Two' }, { ...admin, 'If-Match': '*' })).status).toBe(200);
    expect((await patch<Schemas['Problem']>(prefix, { name: 'x' }, { ...admin, 'If-Match': '1' })).status).toBe(400);
  });

  it('is felt at the next request', async () => {
    const { apiKey: { prefix }, secret } = (await create()).body;
    expect(await works(secret)).toBe(200);
    await patch(prefix, { ipAllowlist: ['203.0.113.0/24'] });
    expect(await works(secret)).toBe('ip_not_allowed');
    await patch(prefix, { ipAllowlist: [] });
    expect(await works(secret)).toBe(200);
  });

  it('records old and new values', async () => {
    const { prefix } = (await create()).body.apiKey;
    await patch(prefix, { name: 'New name' });
    const [event] = await world.database.sql<{ changes: unknown }>(`SELECT changes FROM audit_event WHERE resource_id = $1 AND action = 'api_key.updated'`, [prefix]);
    expect(event?.changes).toEqual([{ op: 'add', path: '/old', value: { name: 'Back end' } }, { op: 'add', path: '/new', value: { name: 'New name' } }]);
  });

  it.each<[string, object, number, string]>([
    ['nothing', {}, 422, 'validation_failed'],
    ['null for a name', { name: null }, 422, 'validation_failed'],
    ['its scopes', { scopes: ['admin'] }, 422, 'validation_failed'],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 422, 'expiry_in_past'],
    ['a network with host bits', { ipAllowlist: ['10.0.0.1/8'] }, 422, 'invalid_cidr'],
  ])('refuses %s', async (_, json, status, code) => {
    const { prefix } = (await create()).body.apiKey;
    expect(refused(await patch<Schemas['Problem']>(prefix, json))).toEqual([status, code]);
  });

  it('must not lock its caller out, nor make the calling key worth more', async () => {
    const { key, secret } = await world.key(tenantId, { expiresAt: new Date(inDays(5)), ipAllowlist: ['127.0.0.0/8', '::1/128'] });
    const self = apiKey(secret);
    const attempt = async (json: object) => refused(await patch<Schemas['Problem']>(key.prefix, json, self));
    expect(await attempt({ ipAllowlist: ['203.0.113.0/24'] })).toEqual([422, 'allowlist_locks_out_caller']);
    expect(await attempt({ expiresAt: inDays(6) })).toEqual([403, 'self_widening_forbidden']);
    expect(await attempt({ expiresAt: null })).toEqual([403, 'self_widening_forbidden']);
    expect(await attempt({ ipAllowlist: [] })).toEqual([403, 'self_widening_forbidden']);
    expect((await patch(key.prefix, { expiresAt: inDays(4), name: 'Shorter' }, self)).status).toBe(200);
    expect((await patch(key.prefix, { expiresAt: inDays(6) })).status).toBe(200);
  });

  it('is refused to other roles, media types and ended keys', async () => {
    const { prefix } = (await create()).body.apiKey;
    expect(refused(await patch<Schemas['Problem']>(prefix, { name: 'x' }, await signedIn('developer')))).toEqual([403, 'role_forbidden']);
    expect((await world.call('PATCH', `${KEYS}/${prefix}`, { headers: admin, form: 'name=x' })).status).toBe(415);
    expect((await world.call('PATCH', `${KEYS}/${prefix}`, { json: { name: 'x' } })).status).toBe(401);
    expect((await patch(prefix, { name: 'x' }, { ...admin, Accept: 'text/html' })).status).toBe(406);
    expect((await patch(prefix, { name: 'x'.repeat(1_100_000) })).status).toBe(413);
    await world.call('DELETE', `${KEYS}/${prefix}`, { headers: admin });
    expect(refused(await patch<Schemas['Problem']>(prefix, { name: 'x' }))).toEqual([409, 'key_revoked']);
  });
});

describe('replacing scopes', () => {
  const put = <T = Key>(prefix: string, scopes: unknown, headers = admin) => world.call<T>('PUT', `${KEYS}/${prefix}/scopes`, { headers, json: { scopes } });

  it('replaces all of them, for keys in use', async () => {
    const { apiKey: { prefix }, secret } = (await create({ scopes: ['read', 'write'] })).body;
    expect(await works(secret)).toBe(200);
    const answer = await put(prefix, ['screening', 'kyb']);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toBe('"2"');
    expect(answer.body.scopes).toEqual(['kyb', 'screening']);
    expect(await works(secret)).toBe('insufficient_scope');
    await put(prefix, ['read']);
    expect(await works(secret)).toBe(200);
  });

  it('by a key on itself narrows and never widens, also through a token', async () => {
    const { key, secret } = await world.key(tenantId, { scopes: ['admin', 'read'] });
    const { body } = await world.call<Schemas['AccessToken']>('POST', '/oauth/token', { form: { grant_type: 'client_credentials', client_id: key.prefix, client_secret: secret } });
    for (const self of [apiKey(secret), bearer(body.access_token)]) {
      expect(refused(await put<Schemas['Problem']>(key.prefix, ['admin', 'read', 'write'], self))).toEqual([403, 'self_widening_forbidden']);
    }
    expect((await put(key.prefix, ['read'], apiKey(secret))).body.scopes).toEqual(['read']);
  });

  it('refuses what is no set of scopes, who may not, and keys that have ended', async () => {
    const { prefix } = (await create()).body.apiKey;
    for (const scopes of [[], ['read', 'read'], ['root'], 'read', null]) expect((await put(prefix, scopes)).status).toBe(422);
    expect(refused(await put<Schemas['Problem']>(prefix, ['read'], await signedIn('developer')))).toEqual([403, 'role_forbidden']);
    expect((await put(prefix, ['read'], { ...admin, 'If-Match': '"7"' })).status).toBe(412);
    expect((await put(prefix, ['read'], { ...admin, Accept: 'text/html' })).status).toBe(406);
    expect((await put(prefix, ['read'], {})).status).toBe(401);
    expect((await world.call('PUT', `${KEYS}/${prefix}/scopes`, { headers: admin, form: 'scopes=read' })).status).toBe(415);
    expect((await world.call('PUT', `${KEYS}/${prefix}/scopes`, { headers: { ...admin, 'Content-Type': 'application/json' }, form: '{' })).status).toBe(400);
    expect((await put(prefix, ['x'.repeat(1_100_000)])).status).toBe(413);
    await world.call('DELETE', `${KEYS}/${prefix}`, { headers: admin });
    expect(refused(await put<Schemas['Problem']>(prefix, ['read']))).toEqual([409, 'key_revoked']);
  });
});

describe('rotating a key', () => {
  const rotate = <T = Issued>(prefix: string, json?: object, headers = admin) => world.call<T>('POST', `${KEYS}/${prefix}/rotate`, { headers, json });

  it('issues a successor while the old key works on for its grace', async () => {
    const turning = await startWorld();
    const tenant = await turning.database.tenant();
    const headers = apiKey((await turning.key(tenant)).secret);
    const old = await turning.key(tenant, { scopes: ['read'], ipAllowlist: ['127.0.0.0/8', '::1/128'], pinEnvironment: true });
    const answer = await turning.call<Issued>('POST', `${KEYS}/${old.key.prefix}/rotate`, { headers, json: { graceHours: 48 } });
    expect(answer.status).toBe(201);
    const { apiKey: successor, secret } = answer.body;
    expect(answer.headers.get('location')).toBe(`${KEYS}/${successor.prefix}`);
    expect(successor).toMatchObject({ name: 'Back end', scopes: ['read'], ipAllowlist: ['127.0.0.0/8', '::1/128'], pinEnvironment: true, status: 'active', rotation: null });
    const use = async (key: string) => (await turning.call('GET', '/v1/sandbox', { headers: apiKey(key) })).body.code ?? 200;
    expect([await use(old.secret), await use(secret)]).toEqual([200, 200]);
    const { items } = (await turning.call<Schemas['ApiKeyList']>('GET', `${KEYS}?status=rotating`, { headers })).body;
    expect(items.map(({ prefix, rotation }) => [prefix, rotation?.successorPrefix])).toEqual([[old.key.prefix, successor.prefix]]);
    turning.advance(48 * 3_600_000);
    expect([await use(old.secret), await use(secret)]).toEqual(['api_key_expired', 200]);
    await turning.stop();
  });

  it('without grace ends the old key at once, and with none given after a day', async () => {
    const { apiKey: key, secret } = (await create()).body;
    expect(await works(secret)).toBe(200);
    expect((await rotate(key.prefix, { graceHours: 0 })).status).toBe(201);
    expect(await works(secret)).toBe('api_key_expired');
    const other = (await create()).body.apiKey;
    await rotate(other.prefix);
    const [row] = await world.database.sql<{ hours: number }>('SELECT extract(epoch FROM grace_until - updated_at)::integer / 3600 AS hours FROM api_key WHERE prefix = $1', [other.prefix]);
    expect(row?.hours).toBe(24);
  });

  it('answers a repeated call with the same successor', async () => {
    const { prefix } = (await create()).body.apiKey;
    const headers = { ...admin, 'Idempotency-Key': 'rotate-1' };
    const [once, again] = [await rotate(prefix, {}, headers), await rotate(prefix, {}, headers)];
    expect(again.text).toBe(once.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('happens once at a time, and not after the end', async () => {
    const { prefix } = (await create()).body.apiKey;
    const answers = await Promise.all([rotate<Schemas['Problem']>(prefix), rotate<Schemas['Problem']>(prefix), rotate<Schemas['Problem']>(prefix)]);
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([201, 'rotation_in_progress', 'rotation_in_progress']);
    await world.call('DELETE', `${KEYS}/${prefix}`, { headers: admin });
    expect(refused(await rotate<Schemas['Problem']>(prefix))).toEqual([409, 'key_revoked']);
  });

  it('refuses bad input and other roles', async () => {
    const { prefix } = (await create()).body.apiKey;
    for (const json of [{ graceHours: -1 }, { graceHours: 169 }, { graceHours: 1.5 }, { hours: 1 }]) expect((await rotate(prefix, json)).status).toBe(422);
    expect((await rotate(prefix, {}, await signedIn('developer'))).status).toBe(403);
    expect((await rotate(prefix, {}, {})).status).toBe(401);
    expect((await rotate(prefix, {}, { ...admin, Accept: 'text/html' })).status).toBe(406);
    expect((await world.call('POST', `${KEYS}/${prefix}/rotate`, { headers: admin, form: 'graceHours=1' })).status).toBe(415);
    expect((await world.call('POST', `${KEYS}/${prefix}/rotate`, { headers: { ...admin, 'Content-Type': 'application/json' }, form: '[' })).status).toBe(400);
    expect((await rotate(prefix, { padding: 'x'.repeat(1_100_000) })).status).toBe(413);
  });
});

describe('revoking a key', () => {
  const revoke = (prefix: string, headers = admin) => world.call('DELETE', `${KEYS}/${prefix}`, { headers });

  it('ends it at once; repeating changes nothing', async () => {
    const { apiKey: { prefix }, secret } = (await create()).body;
    expect(await works(secret)).toBe(200);
    expect((await revoke(prefix)).status).toBe(204);
    expect(await works(secret)).toBe('api_key_revoked');
    expect((await revoke(prefix)).status).toBe(204);
    const events = await world.database.sql(`SELECT 1 FROM audit_event WHERE resource_id = $1 AND action = 'api_key.revoked'`, [prefix]);
    expect(events).toHaveLength(1);
  });

  it('by a developer ends test keys only', async () => {
    const developer = await signedIn('developer');
    const [live, test] = [(await create()).body.apiKey, (await create({ environment: 'test' })).body.apiKey];
    expect(refused(await revoke(live.prefix, developer))).toEqual([403, 'role_forbidden']);
    expect((await revoke(test.prefix, developer)).status).toBe(204);
  });

  it('needs a credential', async () => {
    const { prefix } = (await create()).body.apiKey;
    expect(refused(await revoke(prefix, {}))).toEqual([401, 'authentication_required']);
  });

  it('can be the last thing a key does', async () => {
    const { key, secret } = await world.key(tenantId);
    expect((await revoke(key.prefix, apiKey(secret))).status).toBe(204);
    expect(await works(secret)).toBe('api_key_revoked');
  });
});

it.each<[string, string, object | undefined]>([
  ['PATCH', '', { name: 'Mine' }], ['PUT', '/scopes', { scopes: ['read'] }], ['POST', '/rotate', {}], ['DELETE', '', undefined],
])('%s %s of a key of another tenant, or of none, is not found, and nothing changes', async (method, path, json) => {
  const foreign = await world.database.tenant();
  const { key, secret } = await world.key(foreign, { scopes: ['read'] });
  const before = await world.database.sql('SELECT * FROM api_key WHERE prefix = $1', [key.prefix]);
  for (const headers of [admin, await signedIn('owner')]) {
    for (const prefix of [key.prefix, 'kyc_live_00000000']) {
      expect(refused(await world.call(method, `${KEYS}/${prefix}${path}`, { headers, json }))).toEqual([404, 'not_found']);
    }
  }
  expect((await world.call(method, `${KEYS}/nonsense${path}`, { headers: admin, json })).status).toBe(400);
  expect(await world.database.sql('SELECT * FROM api_key WHERE prefix = $1', [key.prefix])).toEqual(before);
  expect(await works(secret)).toBe(200);
});
