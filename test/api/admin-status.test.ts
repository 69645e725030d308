/**
 * API tests of suspending a tenant and lifting that: credentials, other processes and jobs. A suspended tenant that
 * still reaches anything fails here.
 */
import { describe, expect, it } from 'vitest';
import { createLog } from '../../server/base/log.ts';
import { connectDatabase } from '../../server/database/index.ts';
import { startService } from '../../server/start.ts';
import { type RunningService } from '../../server/start.ts';
import { newApplication } from '../operations/application-records.ts';
import { refusal, refused, requestToken, success } from '../support/api.ts';
import { silent } from '../support/silent.ts';
import { shared } from '../support/service.ts';
import { startAdminWorld } from './admin-world.ts';

const world = await shared(startAdminWorld());

const sql = (text: string, values: unknown[]) => world.service.database.sql(text, values);

describe('suspending', () => {
  it('refuses every credential of the tenant at once, and lifting it lets them in again', async () => {
    const tenant = await world.liveTenant();
    const { id } = tenant.wire;
    const key = await tenant.key(['read']);
    const credentials = [
      tenant.owner,
      key,
      await tenant.client(['read']),
      await tenant.key(['read'], { environment: 'test' }),
    ];
    const calls = () =>
      Promise.all(credentials.slice(0, 3).map((as) => world.service.request('GET', '/v1/sandbox', { as })));
    expect((await calls()).map(({ status }) => status)).toEqual([200, 200, 200]);
    const answer = await success(
      world.put(id, { status: 'suspended', reasonCode: 'security_incident', note: 'Keys published by mistake' }),
    );
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, `"${answer.body.version}"`]);
    expect(answer.body).toMatchObject({
      status: 'suspended',
      statusReason: {
        code: 'security_incident',
        note: 'Keys published by mistake',
        by: { type: 'platform_user', display: 'Ana Souza' },
      },
    });
    expect((await calls()).map(refused)).toEqual(Array(3).fill([403, 'tenant_suspended']));
    const token = await refusal(requestToken(world.service.api, key['X-API-Key'] ?? ''));
    expect([token.status, token.body.error]).toEqual([401, 'invalid_client']);
    const denied = await refusal(
      world.service.api.POST('/v1/auth/login', {
        body: { email: tenant.ownerEmail, password: 'correct horse battery staple' },
      }),
    );
    expect(denied.body.code).toBe('tenant_suspended');
    expect((await success(world.put(id, { status: 'active', reasonCode: 'resolved' }))).body).toMatchObject({
      status: 'active',
      statusReason: { code: 'resolved', note: null },
    });
    expect((await calls()).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await world.events(id)).toEqual({
      platform: ['tenant.created', 'tenant.status_changed', 'tenant.status_changed'],
      own: ['tenant.created', 'tenant.status_changed', 'tenant.status_changed'],
    });
  });

  it('takes effect in another process within five seconds', async () => {
    const tenant = await world.liveTenant();
    const as = await tenant.key(['read']);
    const elsewhere = await secondProcess();
    try {
      const status = async () => (await fetch(`${elsewhere.url}/v1/sandbox`, { headers: as })).status;
      expect(await status()).toBe(200);
      await success(world.put(tenant.wire.id, { status: 'suspended' }));
      const startedAt = Date.now();
      while ((await status()) === 200 && Date.now() - startedAt < 6_000)
        await new Promise((wait) => setTimeout(wait, 50));
      expect(Date.now() - startedAt).toBeLessThan(5_500);
      expect(await status()).toBe(403);
    } finally {
      await elsewhere.stop();
    }
  });

  it('stops the jobs of this tenant and of no other tenant', async () => {
    const [suspended, other] = [await world.liveTenant(), await world.liveTenant()];
    for (const { wire } of [suspended, other])
      await newApplication(world.service, wire.id === suspended.wire.id ? suspended : other);
    await sql(`UPDATE application SET expires_at = now() - interval '1 hour' WHERE tenant_id = ANY ($1)`, [
      [suspended.wire.id, other.wire.id],
    ]);
    await success(world.put(suspended.wire.id, { status: 'suspended' }));
    await world.service.running.runJob('applications.expire');
    const status = async (tenantId: string) =>
      (
        await world.service.database.sql<{ status: string }>('SELECT status FROM application WHERE tenant_id = $1', [
          tenantId,
        ])
      )[0]?.status;
    expect([await status(suspended.wire.id), await status(other.wire.id)]).toEqual(['draft', 'expired']);
    await success(world.put(suspended.wire.id, { status: 'active' }));
    await world.service.running.runJob('applications.expire');
    expect(await status(suspended.wire.id)).toBe('expired');
  });

  it('a tenant in onboarding leads back to onboarding, not past it', async () => {
    const { wire } = await world.tenant();
    await success(world.put(wire.id, { status: 'suspended' }));
    expect((await success(world.put(wire.id, { status: 'active' }))).body).toMatchObject({
      status: 'onboarding',
      goLiveAt: null,
    });
  });

  it('repeated changes nothing', async () => {
    const { wire } = await world.liveTenant();
    const first = await success(world.put(wire.id, { status: 'suspended', reasonCode: 'payment_overdue' }));
    const again = await success(world.put(wire.id, { status: 'suspended', reasonCode: 'other' }));
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await world.events(wire.id)).own).toEqual(['tenant.created', 'tenant.status_changed']);
  });

  it('is refused if the tenant has changed since', async () => {
    const { wire } = await world.liveTenant();
    const version = (await success(world.get(wire.id))).body.version;
    const stale = await refusal(
      world.put(wire.id, { status: 'suspended' }, undefined, { 'If-Match': `"${version - 1}"` }),
    );
    expect([...refused(stale), stale.body.currentVersion]).toEqual([412, 'version_conflict', version]);
    await success(world.put(wire.id, { status: 'suspended' }, undefined, { 'If-Match': `"${version}"` }));
  });

  it.each([
    [{ status: 'onboarding' }],
    [{ status: 'closed', reasonCode: 'because' }],
    [{ status: 'suspended', note: '' }],
    [{ status: 'suspended', force: true }],
    [{}],
  ])('refuses %j', async (body) => {
    const { wire } = await world.liveTenant();
    const answer = await world.service.request('PUT', `/v1/admin/tenants/${wire.id}/status`, {
      as: await world.admin(),
      body: { reasonCode: 'other', ...body },
    });
    expect(answer.status).toBe(422);
  });
});

/** Starts another service on the same database, as a second replica would be. */
async function secondProcess(): Promise<RunningService> {
  const {
    database,
    running: { services },
  } = world.service;
  return startService({
    config: services.config,
    secrets: database.secrets,
    log: createLog('silent'),
    clock: services.clock,
    database: connectDatabase(database.location, database.secrets, { poolSize: 2, log: silent, stop: async () => {} }),
  });
}
