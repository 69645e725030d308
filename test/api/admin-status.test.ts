import { describe, expect, it } from 'vitest';
import { createLog } from '../../server/base/log.ts';
import { connectDatabase } from '../../server/database/index.ts';
import { startService } from '../../server/start.ts';
import { type RunningService } from '../../server/start.ts';
import { newApplication } from '../operations/application-records.ts';
import { outcome, refusal, refused, requestToken, success } from '../support/api.ts';
import { silent } from '../support/silent.ts';
import { shared } from '../support/service.ts';
import { startAdminWorld } from './admin-world.ts';

const world = await shared(startAdminWorld());

const YEAR = 365.25 * 86_400_000;
const sql = (text: string, values: unknown[]) => world.service.database.sql(text, values);
/** Returns a tenant that has gone live. */
const live = async () => {
  const tenant = await world.tenant();
  await sql(`UPDATE tenant SET status = 'active', sandbox_enabled = false, go_live_at = now() WHERE id = $1`, [
    tenant.wire.id,
  ]);
  world.service.running.services.credentials.forgetTenant(tenant.wire.id);
  return tenant;
};

describe('suspending', () => {
  it('refuses every credential of the tenant at once, and lifting it lets them in again', async () => {
    const tenant = await live();
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
    expect(
      (
        await refusal(
          world.service.api.POST('/v1/auth/login', {
            body: { email: tenant.ownerEmail, password: 'correct horse battery staple' },
          }),
        )
      ).body.code,
    ).toBe('tenant_suspended');
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
    const tenant = await live();
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
    const [suspended, other] = [await live(), await live()];
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
    const { wire } = await live();
    const first = await success(world.put(wire.id, { status: 'suspended', reasonCode: 'payment_overdue' }));
    const again = await success(world.put(wire.id, { status: 'suspended', reasonCode: 'other' }));
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await world.events(wire.id)).own).toEqual(['tenant.created', 'tenant.status_changed']);
  });

  it('is refused if the tenant has changed since', async () => {
    const { wire } = await live();
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
    const { wire } = await live();
    expect(
      (
        await world.service.request('PUT', `/v1/admin/tenants/${wire.id}/status`, {
          as: await world.admin(),
          body: { reasonCode: 'other', ...body },
        })
      ).status,
    ).toBe(422);
  });
});

describe('closing', () => {
  it('takes two administrators', async () => {
    const {
      wire: { id },
      owner,
    } = await live();
    const closing = await success(
      world.put(id, { status: 'closed', reasonCode: 'customer_request', note: 'By letter' }),
    );
    expect(closing.body).toMatchObject({
      status: 'active',
      statusReason: null,
      closure: {
        reasonCode: 'customer_request',
        note: 'By letter',
        requestedBy: { type: 'platform_user', display: 'Ana Souza' },
      },
    });
    expect(refused(await refusal(world.put(id, { status: 'closed' })))).toEqual([403, 'second_administrator_required']);
    expect((await world.service.api.GET('/v1/sandbox', { headers: owner })).response.status).toBe(200);
    const closed = await success(
      world.put(id, { status: 'closed', reasonCode: 'customer_request' }, await world.colleague()),
    );
    expect(closed.body).toMatchObject({ status: 'closed', closure: null, statusReason: { code: 'customer_request' } });
    expect(refused(await refusal(world.service.api.GET('/v1/sandbox', { headers: owner })))).toEqual([
      403,
      'tenant_suspended',
    ]);
    const events = ['tenant.created', 'tenant.closure_requested', 'tenant.status_changed'];
    expect(await world.events(id)).toEqual({ platform: events, own: events });
    const denied = await world.service.platform.audit();
    expect(denied.filter(({ reason }) => reason === 'second_administrator_required')).toHaveLength(1);
  });

  it('requested by two at once takes effect after both, in whichever order', async () => {
    const {
      wire: { id },
    } = await live();
    const answers = await Promise.all([
      success(world.put(id, { status: 'closed' })),
      success(world.put(id, { status: 'closed' }, await world.colleague())),
    ]);
    expect(answers.map(({ body }) => body.status).sort()).toEqual(['active', 'closed']);
    expect((await success(world.get(id))).body).toMatchObject({ status: 'closed', closure: null });
  });

  it('is forgotten once anything else is decided', async () => {
    for (const [body, status] of [
      [{ status: 'suspended' }, 'suspended'],
      [{ status: 'active' }, 'active'],
    ] as const) {
      const {
        wire: { id },
      } = await live();
      await success(world.put(id, { status: 'closed' }));
      expect((await success(world.put(id, body, await world.colleague()))).body).toMatchObject({
        status,
        closure: null,
      });
      expect((await success(world.put(id, { status: 'closed' }, await world.colleague()))).body).toMatchObject({
        status,
        closure: { reasonCode: 'other' },
      });
    }
  });

  it('is final', async () => {
    const {
      wire: { id },
    } = await live();
    await success(world.put(id, { status: 'closed' }));
    await success(world.put(id, { status: 'closed' }, await world.colleague()));
    for (const status of ['active', 'suspended'] as const) {
      const answer = await refusal(world.put(id, { status }));
      expect(refused(answer)).toEqual([409, 'invalid_state_transition']);
      expect(answer.body).toMatchObject({ currentStatus: 'closed', allowedTransitions: [] });
    }
    await success(world.put(id, { status: 'closed' }));
  });

  it('is not the way from onboarding to production', async () => {
    const { wire } = await world.tenant();
    const answer = await refusal(world.put(wire.id, { status: 'active' }));
    expect(refused(answer)).toEqual([409, 'invalid_state_transition']);
    expect(answer.body).toMatchObject({ currentStatus: 'onboarding', allowedTransitions: ['suspended', 'closed'] });
  });

  it.each([
    ['a decision of five years ago on a customer', 'approved', 5, true],
    ['a decision of eleven years ago on a customer', 'approved', 11, false],
    ['a rejection of four years ago', 'rejected', 4, true],
    ['a rejection of six years ago', 'rejected', 6, false],
    ['an application that is being reviewed', 'in_review', 0, true],
    ['a draft', 'draft', 0, false],
  ])('depends on the retention of records: %s', async (_, status, yearsAgo, held) => {
    const tenant = await live();
    const { id } = tenant.wire;
    await newApplication(world.service, tenant);
    const at = new Date(Date.now() - yearsAgo * YEAR);
    const [submitted, decided] = [
      status === 'draft' ? null : at,
      ['approved', 'rejected'].includes(status) ? at : null,
    ];
    await sql('UPDATE application SET status = $2, submitted_at = $3, decided_at = $4 WHERE tenant_id = $1', [
      id,
      status,
      submitted,
      decided,
    ]);
    const answer = await outcome(world.put(id, { status: 'closed' }));
    expect(refused(answer)).toEqual(held ? [409, 'retention_hold'] : [200, undefined]);
  });

  it.each([
    ['ten years, from the year after', 'approved', 10, '-01-02T12:00:00Z', true],
    ['ten years, although it was the next year elsewhere', 'approved', 10, '-01-01T01:30:00Z', false],
    ['five years, from the year after', 'rejected', 5, '-01-02T12:00:00Z', true],
    ['five years, although it was the next year elsewhere', 'rejected', 5, '-01-01T01:30:00Z', false],
  ])('counts by the calendar of São Paulo: %s', async (_, status, years, day, held) => {
    const tenant = await live();
    const { id } = tenant.wire;
    await newApplication(world.service, tenant);
    const year = Number(
      new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: 'America/Sao_Paulo' }).format(new Date()),
    );
    await sql('UPDATE application SET status = $2, submitted_at = $3, decided_at = $3 WHERE tenant_id = $1', [
      id,
      status,
      `${year - years}${day}`,
    ]);
    expect(refused(await outcome(world.put(id, { status: 'closed' })))).toEqual(
      held ? [409, 'retention_hold'] : [200, undefined],
    );
  });

  it('is not prevented by the sandbox', async () => {
    const tenant = await world.tenant();
    await newApplication(world.service, tenant);
    await sql(
      `UPDATE application SET status = 'approved', submitted_at = now(), decided_at = now() WHERE tenant_id = $1`,
      [tenant.wire.id],
    );
    expect((await success(world.put(tenant.wire.id, { status: 'closed' }))).body.closure).not.toBeNull();
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
