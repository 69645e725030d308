/** API tests of the figures about the use of an API key, and of the notice about a new address. */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { requestToken, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { apiKey, bearer, KEYS, startWorld, type Key } from './api-keys-world.ts';

const world = await shared(startWorld({ TRUST_PROXY: '1' }));

const from = (ip: string): Record<string, string> => ({ 'X-Forwarded-For': ip });

/** Returns a key of a tenant of its own, and a function that reads its usage after all counts have been written. */
async function used(specification = {}) {
  const tenantId = await world.database.tenant();
  const { key, secret } = await world.key(tenantId, specification);
  const use = (path = '/v1/sandbox', headers: Record<string, string> = {}) =>
    world.call('GET', path, { headers: { ...apiKey(secret), ...headers } });
  const observer = apiKey((await world.key(tenantId)).secret);
  const shown = async (): Promise<Key> => {
    await world.running.recordKeyUses();
    return (await success(world.api.GET('/v1/settings/api-keys', { headers: observer }))).body.items.find(
      ({ prefix }) => prefix === key.prefix,
    ) as Key;
  };
  const news = async () =>
    world.database.sql<{
      ip: string;
      actor: { type: string; id: string };
      resource_id: string;
      environment: string;
    }>(
      `SELECT ip, actor, resource_id, environment FROM audit_event
        WHERE tenant_id = $1 AND action = 'api_key.first_used_from_new_ip' ORDER BY sequence`,
      [tenantId],
    );
  return {
    tenantId,
    key,
    secret,
    use,
    shown,
    news,
  };
}

describe('the use of a key', () => {
  it('is none at first', async () => {
    expect(await (await used()).shown()).toMatchObject({
      lastUsedAt: null,
      lastUsedIp: null,
      usage: { requests24h: 0, errors24h: 0 },
    });
  });

  it('is counted with its errors, and includes the requests of its tokens', async () => {
    const { secret, use, shown } = await used({ scopes: ['read'] });
    for (let i = 0; i < 3; i++) await use();
    for (const path of ['/v1/sandbox?nonsense=1', '/v1/applications/0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01', KEYS])
      expect((await use(path)).status).toBeGreaterThanOrEqual(400);
    const { body } = await success(requestToken(world.api, secret));
    expect((await world.api.GET('/v1/sandbox', { headers: bearer(body.access_token) })).response.status).toBe(200);
    expect((await world.api.GET('/v1/settings/api-keys', { headers: bearer(body.access_token) })).response.status).toBe(
      403,
    );
    await expect.poll(async () => (await shown()).usage).toEqual({ requests24h: 8, errors24h: 4 });
  });

  it('does not include requests that were refused at authentication', async () => {
    const { use, shown } = await used({ ipAllowlist: ['203.0.113.0/24'] });
    expect((await use('/v1/sandbox', from('198.51.100.1'))).body.code).toBe('ip_not_allowed');
    await setTimeout(50);
    expect(await shown()).toMatchObject({ lastUsedAt: null, usage: { requests24h: 0, errors24h: 0 } });
    expect((await use('/v1/sandbox', from('203.0.113.7'))).status).toBe(200);
    expect(await shown()).toMatchObject({ lastUsedIp: '203.0.113.7', usage: { requests24h: 1, errors24h: 0 } });
  });

  it('drops out of the count after a day', async () => {
    const { use, shown } = await used();
    await use();
    expect((await shown()).usage.requests24h).toBe(1);
    world.advance(12 * 3_600_000);
    await use();
    expect((await shown()).usage.requests24h).toBe(2);
    world.advance(12 * 3_600_000 + 1);
    expect((await shown()).usage.requests24h).toBe(1);
    world.advance(12 * 3_600_000);
    expect((await shown()).usage.requests24h).toBe(0);
  });

  it('adds up over batches', async () => {
    const { use, shown } = await used();
    for (let i = 0; i < 3; i++) {
      await Promise.all([use(), use()]);
      await world.running.recordKeyUses();
    }
    expect((await shown()).usage.requests24h).toBe(6);
  });

  it('is written in batches, a few seconds late at most', async () => {
    const { key, use } = await used();
    await Promise.all(Array.from({ length: 20 }, () => use()));
    const written = () =>
      world.database.sql<{ requests: number; version: number }>(
        `SELECT u.requests::integer, k.version FROM api_key_usage u JOIN api_key k ON k.id = u.key_id
          WHERE k.prefix = $1`,
        [key.prefix],
      );
    expect(await written()).toEqual([]);
    await expect.poll(written, { interval: 200 }).toEqual([{ requests: 20, version: 1 }]);
  });
});

describe('a key that is used from a new address', () => {
  it('is recorded in the audit log, once for each address, and not for the first of all', async () => {
    const { key, use, shown, news } = await used();
    for (const ip of ['203.0.113.7', '203.0.113.7', '198.51.100.1']) await use('/v1/sandbox', from(ip));
    await shown();
    for (const ip of ['198.51.100.1', '192.0.2.1', '203.0.113.7']) await use('/v1/sandbox', from(ip));
    expect((await shown()).lastUsedIp).toBe('203.0.113.7');
    expect(await news()).toMatchObject(
      ['198.51.100.1', '192.0.2.1'].map((ip) => ({
        ip,
        resource_id: key.prefix,
        actor: { type: 'api_key', id: key.prefix },
        environment: 'live',
      })),
    );
  });

  it('counts every address of an IPv6 network as one site', async () => {
    const { use, shown, news } = await used();
    for (const ip of ['2001:db8::1', '2001:db8::2', '2001:db8::ffff:1', '2001:db8:0:1::1'])
      await use('/v1/sandbox', from(ip));
    await shown();
    expect((await news()).map(({ ip }) => ip)).toEqual(['2001:db8:0:1::1']);
  });

  it('remembers fifty sites, and reports no more than twenty at once', async () => {
    const { key, use, shown, news } = await used();
    for (let batch = 0; batch < 4; batch++) {
      await Promise.all(
        Array.from({ length: 25 }, (_, at) => use('/v1/sandbox', from(`203.0.113.${batch * 25 + at}`))),
      );
      await shown();
    }
    expect(await world.database.sql('SELECT site FROM api_key_site WHERE key_id = $1', [key.id])).toHaveLength(50);
    expect(await news()).toHaveLength(4 * 20 - 1);
  });

  it('is invisible to other tenants', async () => {
    const [one, two] = [await used(), await used()];
    await one.use('/v1/sandbox', from('203.0.113.7'));
    await two.use('/v1/sandbox', from('198.51.100.1'));
    await one.shown();
    expect([await one.news(), await two.news()]).toEqual([[], []]);
  });
});

it('writes the remaining counts when the service stops', async () => {
  const other = await startWorld();
  const tenantId = await other.database.tenant();
  const { secret } = await other.key(tenantId);
  await success(other.api.GET('/v1/sandbox', { headers: apiKey(secret) }));
  const { sql } = other.database;
  let requests: unknown;
  const { close } = other.database.database;
  other.database.database.close = async () => {
    requests = await sql('SELECT requests::integer FROM api_key_usage WHERE tenant_id = $1', [tenantId]);
    await close();
  };
  await other.stop();
  expect(requests).toEqual([{ requests: 1 }]);
});
