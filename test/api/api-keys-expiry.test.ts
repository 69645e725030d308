/** API tests of what is recorded when an API key ends by itself. The jobs that do it run in these tests. */
import { describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { apiKey, startWorld } from './api-keys-world.ts';

const world = await shared(startWorld());

const HOUR = 3_600_000;

describe('the end of a key', () => {
  const ends = async (tenantId: string) =>
    world.database.sql<{
      resource_id: string;
      environment: string;
      actor: { type: string };
      changes: { path: string; value: unknown }[];
    }>(
      `SELECT resource_id, environment, actor, changes FROM audit_event
        WHERE tenant_id = $1 AND action = 'api_key.expired' ORDER BY resource_id`,
      [tenantId],
    );

  it('is recorded once, whether its expiry or its grace period ends it, and not for a revoked key', async () => {
    const tenantId = await world.database.tenant();
    const admin = apiKey((await world.key(tenantId)).secret);
    const soon = new Date(world.now().getTime() + HOUR);
    const expiring = await world.key(tenantId, { expiresAt: soon });
    const test = await world.key(tenantId, { environment: 'test', expiresAt: soon });
    const rotated = await world.key(tenantId);
    const revoked = await world.key(tenantId, { expiresAt: soon });
    await world.key(tenantId, { expiresAt: new Date(soon.getTime() + 10 * HOUR) });
    const issued = await world.api.POST('/v1/settings/api-keys/{prefix}/rotate', {
      params: { path: { prefix: rotated.key.prefix } },
      headers: admin,
      body: { graceHours: 1 },
    });
    expect(issued.response.status).toBe(201);
    const revocation = await world.api.DELETE('/v1/settings/api-keys/{prefix}', {
      params: { path: { prefix: revoked.key.prefix } },
      headers: admin,
    });
    expect(revocation.response.status).toBe(204);

    await world.running.runJob('keys.expire');
    expect(await ends(tenantId)).toEqual([]);
    world.advance(HOUR + 1000);
    await world.running.runJob('keys.expire');
    await world.running.runJob('keys.expire');
    const events = await ends(tenantId);
    expect(events.map(({ resource_id }) => resource_id)).toEqual(
      [expiring.key.prefix, test.key.prefix, rotated.key.prefix].sort(),
    );
    const of = (prefix: string) => events.find(({ resource_id }) => resource_id === prefix);
    expect(of(expiring.key.prefix)).toMatchObject({
      environment: 'live',
      actor: { type: 'system' },
      changes: [
        { path: '/endedAt', value: soon.toISOString() },
        { path: '/rotated', value: false },
      ],
    });
    expect(of(test.key.prefix)?.environment).toBe('sandbox');
    expect(of(rotated.key.prefix)?.changes[1]?.value).toBe(true);
  });

  it('is recorded for many keys at once', async () => {
    const tenantId = await world.database.tenant();
    const expiresAt = new Date(world.now().getTime() - 1);
    for (let i = 0; i < 205; i++) await world.key(tenantId, { expiresAt });
    await world.running.runJob('keys.expire');
    expect(await ends(tenantId)).toHaveLength(205);
  });

  it('deletes the usage figures that no operation shows any more', async () => {
    const tenantId = await world.database.tenant();
    const { key, secret } = await world.key(tenantId);
    await success(world.api.GET('/v1/sandbox', { headers: apiKey(secret) }));
    await world.running.recordKeyUses();
    const hours = () => world.database.sql('SELECT hour FROM api_key_usage WHERE key_id = $1', [key.id]);
    world.advance(47 * HOUR);
    await world.running.runJob('keys.expire');
    expect(await hours()).toHaveLength(1);
    world.advance(3 * HOUR);
    await world.running.runJob('keys.expire');
    expect(await hours()).toHaveLength(0);
  });
});
