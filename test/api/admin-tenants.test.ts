import { describe, expect, it } from 'vitest';
import { knex } from '../../server/database/index.ts';
import { PLATFORM_TENANT_ID } from '../../server/database/roles.ts';
import { newApplication } from '../operations/application-records.ts';
import { outcome, refusal, refused, success } from '../support/api.ts';
import { code } from '../support/authenticator.ts';
import { latestMail } from '../support/mail.ts';
import { shared } from '../support/service.ts';
import { newSlug, startAdminWorld, TENANTS, type TenantFilters } from './admin-world.ts';

const world = await shared(startAdminWorld());

const STANDARD = {
  users: 50,
  applicationsPerMonth: 10_000,
  screeningsPerDay: 20_000,
  storageGb: 100,
  apiKeys: 100,
  ratePerMinute: 6_000,
};
const everyTenantCall = async (id: string) => [
  await refusal(world.get(id)),
  await refusal(world.patch(id, { plan: 'x' })),
  await refusal(world.put(id, { status: 'suspended' })),
];

describe('creating a tenant', () => {
  it('starts with onboarding, standard terms and an owner who is invited by mail', async () => {
    const slug = newSlug();
    const answer = await success(world.create({ slug, ownerName: 'Carla Dias' }));
    const { tenant, ownerInvitation } = answer.body;
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `${TENANTS}/${tenant.id}`]);
    expect(tenant).toMatchObject({
      name: 'Fintech Aurora',
      slug,
      status: 'onboarding',
      statusReason: null,
      closure: null,
      quotas: STANDARD,
      plan: 'standard',
      goLiveAt: null,
      version: 1,
      usage: {
        users: 1,
        applicationsThisMonth: 0,
        storageBytes: 0,
        apiKeys: 0,
      },
    });
    const letter = await latestMail(world.service.running.services, ownerInvitation.email);
    expect(letter).toMatchObject({
      template: 'ownerInvitation',
      to: { name: 'Carla Dias' },
      subject: 'Fintech Aurora is ready for you',
    });
    expect(letter.text).toMatch(/\S created an account for Fintech Aurora/);
    expect(await world.events(tenant.id)).toEqual({ platform: ['tenant.created'], own: ['tenant.created'] });
  });

  it('lets the owner sign in, whose tenant works in the sandbox', async () => {
    const tenant = await world.tenant();
    const { owner, wire } = tenant;
    const me = await success(world.service.api.GET('/v1/auth/me', { headers: owner }));
    expect(me.body).toMatchObject({
      user: { role: 'owner', name: 'Carla Dias' },
      tenant: { id: wire.id, status: 'onboarding' },
      environment: 'sandbox',
    });
    const application = await newApplication(world.service, tenant, owner);
    expect(
      (
        await success(
          world.service.api.GET('/v1/applications/{applicationId}', {
            params: { path: { applicationId: application } },
            headers: owner,
          }),
        )
      ).body.environment,
    ).toBe('sandbox');
  });

  it('writes to the owner in the requested language', async () => {
    const { body } = await success(world.create({ locale: 'pt-BR' }));
    expect((await latestMail(world.service.running.services, body.ownerInvitation.email)).subject).toBe(
      'Fintech Aurora está à sua espera',
    );
  });

  it('accepts other terms', async () => {
    const { body } = await success(
      world.create({ quotas: { users: 3, ratePerMinute: 50 }, plan: 'enterprise', region: 'br-sp' }),
    );
    expect(body.tenant).toMatchObject({
      plan: 'enterprise',
      region: 'br-sp',
      quotas: { ...STANDARD, users: 3, ratePerMinute: 50 },
    });
  });

  it('gives a person who is an owner elsewhere one more tenant', async () => {
    const first = await world.tenant();
    const second = await success(world.create({ ownerEmail: first.ownerEmail }));
    const { items } = (await success(world.service.api.GET('/v1/users', { headers: first.owner }))).body;
    expect(second.body.ownerInvitation.userId).toBe(items[0]?.id);
  });

  it('refuses a slug that is taken, also the platform’s and by two at once', async () => {
    const slug = newSlug();
    const answers = await Promise.all([outcome(world.create({ slug })), outcome(world.create({ slug }))]);
    expect(answers.map(refused).sort()).toEqual([
      [201, undefined],
      [409, 'slug_taken'],
    ]);
    expect(refused(await refusal(world.create({ slug: 'platform' })))).toEqual([409, 'slug_taken']);
  });

  it.each(['-aurora', 'aurora-', 'au--rora', 'Aurora', 'au', 'a'.repeat(41), 'aur ora', 'aurora.example', '---'])(
    'refuses the slug %j',
    async (slug) => {
      const answer = await refusal(world.create({ slug }));
      expect(refused(answer)).toEqual([422, 'validation_failed']);
      expect(answer.body.errors).toMatchObject([{ pointer: '/slug' }]);
    },
  );

  it.each([
    [{ ownerEmail: 'nobody' }],
    [{ ownerEmail: undefined }],
    [{ name: '' }],
    [{ quotas: { users: 0 } }],
    [{ quotas: { seats: 5 } }],
    [{ quotas: { ratePerMinute: 1.5 } }],
    [{ locale: 'fr' }],
    [{ status: 'active' }],
    [{ id: '0197f2c4-8a0f-7b1d-8c44-91d0e3f5b602' }],
  ])('refuses %j', async (body) => {
    const slug = newSlug();
    const whole = {
      name: 'Fintech Aurora',
      slug,
      ownerEmail: `owner@${slug}.example`,
      ...body,
    };
    expect((await world.service.request('POST', TENANTS, { as: await world.admin(), body: whole })).status).toBe(422);
  });
});

describe('the list of tenants', () => {
  it('contains every tenant except the platform’s own, with its usage', async () => {
    const { wire } = await world.tenant({ name: 'Listed Bank', plan: 'listed' });
    const { status, body } = await success(world.list({ plan: 'listed' }));
    expect([status, body.items]).toEqual([
      200,
      [
        expect.objectContaining({
          id: wire.id,
          usage: {
            users: 1,
            applicationsThisMonth: 0,
            storageBytes: 0,
            apiKeys: 0,
          },
        }),
      ],
    ]);
    const all = await success(world.list({ limit: 100 }));
    expect(all.body.items.map(({ id }) => id)).not.toContain(PLATFORM_TENANT_ID);
    expect((await success(world.list({ q: 'platform' }))).body.items).toEqual([]);
  });

  it('is filtered and paginated', async () => {
    const slug = newSlug();
    for (const [index, name] of ['Beta', 'alpha', 'Gamma_1'].entries())
      await success(world.create({ slug: `${slug}-${index}`, name, plan: `plan-${slug}` }));
    const names = async (query: TenantFilters) =>
      (await success(world.list({ plan: `plan-${slug}`, ...query }))).body.items.map(({ name }) => name);
    expect(await names({ sort: 'name' })).toEqual(['alpha', 'Beta', 'Gamma_1']);
    expect(await names({ sort: '-name' })).toEqual(['Gamma_1', 'Beta', 'alpha']);
    expect(await names({ sort: 'createdAt' })).toEqual(['Beta', 'alpha', 'Gamma_1']);
    expect(await names({})).toEqual(['Gamma_1', 'alpha', 'Beta']);
    expect(await names({ q: 'a_1' })).toEqual(['Gamma_1']);
    expect(await names({ q: `${slug}-1` })).toEqual(['alpha']);
    expect(await names({ status: ['active'] })).toEqual([]);
    expect(await names({ status: ['active', 'onboarding'], createdAfter: '2020-01-01T00:00:00Z' })).toHaveLength(3);
    expect(await names({ createdBefore: '2020-01-01T00:00:00Z' })).toEqual([]);
    expect(await names({ updatedAfter: '2120-01-01T00:00:00Z' })).toEqual([]);
    for (const sort of ['name', '-name', 'createdAt', '-createdAt'] as const) {
      const first = (await success(world.list({ plan: `plan-${slug}`, sort, limit: 2 }))).body;
      const rest = (
        await success(
          world.list({
            plan: `plan-${slug}`,
            sort,
            limit: 2,
            cursor: first.cursor!,
          }),
        )
      ).body;
      expect([...first.items, ...rest.items].map(({ name }) => name)).toEqual(await names({ sort }));
      expect([first.hasMore, rest.hasMore, rest.cursor]).toEqual([true, false, null]);
      expect(refused(await refusal(world.list({ sort, limit: 2, cursor: first.cursor! })))).toEqual([
        400,
        'cursor_filter_mismatch',
      ]);
    }
  });

  it.each(['?sort=plan', '?status=gone', '?limit=0', '?q=', '?createdAfter=now', '?cursor=x', '?page=1'])(
    'refuses %s',
    async (query) => {
      expect((await world.service.request('GET', `${TENANTS}${query}`, { as: await world.admin() })).status).toBe(400);
    },
  );
});

describe('getting a tenant', () => {
  it('shows the end of its audit chain and the delay of its jobs', async () => {
    const { wire, owner } = await world.tenant();
    await world.service.running.runJob('audit.checkpoint');
    await success(world.service.api.GET('/v1/users', { headers: owner }));
    const [head] = await world.service.database.sql<{ sequence: number; hash: Buffer }>(
      'SELECT sequence, hash FROM audit_head WHERE tenant_id = $1',
      [wire.id],
    );
    const { status, body, headers } = await success(world.get(wire.id));
    expect([status, headers.get('etag')]).toEqual([200, `"${body.version}"`]);
    expect(body.auditChain).toEqual({
      sequence: Number(head?.sequence),
      hash: head?.hash.toString('hex'),
      checkpointedSequence: Number(head?.sequence),
    });
    expect(body.jobs).toEqual([{ name: 'audit.checkpoint', lastSuccessAt: expect.any(String), lagSeconds: 0 }]);
    world.service.advance(3600_000);
    expect((await success(world.get(wire.id))).body.jobs[0]?.lagSeconds).toBeGreaterThan(3500);
  });
});

describe('the platform', () => {
  it('is no tenant that can be administered', async () => {
    for (const id of [PLATFORM_TENANT_ID, '0197f2c4-8a0f-7b1d-8c44-91d0e3f5b602']) {
      expect((await everyTenantCall(id)).map(refused)).toEqual(Array(3).fill([404, 'not_found']));
    }
    expect((await refusal(world.get('nothing'))).status).toBe(400);
  });

  it('is administered by its own people only, never by machines or other roles', async () => {
    const { acme, platform } = world.service;
    const call = (headers: Record<string, string>) => refusal(world.service.api.GET(TENANTS, { headers }));
    for (const role of ['owner', 'admin', 'compliance_officer', 'analyst', 'developer', 'auditor', 'viewer'] as const) {
      expect(refused(await call(await acme.user(role)))).toEqual([403, 'role_forbidden']);
    }
    for (const as of [await acme.key(['admin']), await acme.client(['admin']), await platform.key(['admin'])])
      expect(refused(await call(as))).toEqual([403, 'human_required']);
    expect(refused(await call({}))).toEqual([401, 'authentication_required']);
  });

  it('demands an authenticator of its people, and its code for every change', async () => {
    const { platform } = world.service;
    const without = await platform.person('platform_admin', { secondFactor: false });
    expect(refused(await refusal(world.service.api.GET('/v1/admin/tenants', { headers: without.as })))).toEqual([
      403,
      'mfa_enrolment_required',
    ]);
    const { id, totpSecret, as } = await platform.person('platform_admin');
    const {
      body: { tenant },
    } = await success(world.create());
    await world.service.database.sql('UPDATE session SET step_up_at = NULL WHERE user_id = $1', [id]);
    const changes = (headers = {}) => [
      world.service.request('POST', TENANTS, {
        as,
        headers,
        body: { name: 'Another', slug: newSlug(), ownerEmail: 'a@another.example' },
      }),
      world.service.request('PATCH', `${TENANTS}/${tenant.id}`, { as, headers, body: { plan: 'other' } }),
      world.service.request('PUT', `${TENANTS}/${tenant.id}/status`, {
        as,
        headers,
        body: { status: 'suspended', reasonCode: 'other' },
      }),
    ];
    expect((await Promise.all(changes())).map(refused)).toEqual(Array(3).fill([403, 'step_up_required']));
    expect((await world.service.api.GET('/v1/admin/tenants', { headers: as })).response.status).toBe(200);
    const shown = code(totpSecret as Buffer, world.service.running.services.clock());
    expect(
      (
        await world.service.api.PATCH('/v1/admin/tenants/{tenantId}', {
          params: { path: { tenantId: tenant.id } },
          headers: { ...as, 'X-TOTP-Code': shown },
          body: { plan: 'other' },
        })
      ).response.status,
    ).toBe(200);
  });
});

describe('changing the terms', () => {
  it('merges them, raises the version and records the change in both chains', async () => {
    const {
      body: { tenant },
    } = await success(world.create());
    const answer = await success(
      world.patch(tenant.id, { name: 'New Name', plan: 'enterprise', quotas: { users: 200 } }, { 'If-Match': '"1"' }),
    );
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"2"']);
    expect(answer.body).toMatchObject({
      name: 'New Name',
      plan: 'enterprise',
      quotas: { ...STANDARD, users: 200 },
      version: 2,
    });
    const events = ['tenant.created', 'tenant.updated', 'tenant.quota_changed'];
    expect(await world.events(tenant.id)).toEqual({ platform: events, own: events });
    expect((await success(world.patch(tenant.id, { plan: 'enterprise', quotas: { users: 200 } }))).body.version).toBe(
      2,
    );
    expect(await world.events(tenant.id)).toEqual({ platform: events, own: events });
    const stale = await refusal(world.patch(tenant.id, { plan: 'x' }, { 'If-Match': '"1"' }));
    expect([...refused(stale), stale.body.currentVersion]).toEqual([412, 'version_conflict', 2]);
  });

  it('refuses quotas below the current use unless this is confirmed', async () => {
    const tenant = await world.tenant();
    await tenant.key(['read']);
    await tenant.key(['write']);
    const answer = await refusal(world.patch(tenant.id, { quotas: { apiKeys: 1, users: 1 } }));
    expect(refused(answer)).toEqual([422, 'quota_below_usage']);
    expect(answer.body.errors).toMatchObject([{ pointer: '/quotas/apiKeys' }]);
    const forced = await success(world.patch(tenant.id, { quotas: { apiKeys: 1 }, force: true }));
    expect(forced.body).toMatchObject({ quotas: { apiKeys: 1 }, usage: { apiKeys: 2 } });
    await success(world.patch(tenant.id, { quotas: { users: 10 } }));
  });

  it.each([
    [{}],
    [{ slug: 'other' }],
    [{ status: 'active' }],
    [{ name: null }],
    [{ quotas: null }],
    [{ quotas: { users: null } }],
    [{ quotas: { users: -1 } }],
  ])('refuses %j', async (body) => {
    const {
      body: { tenant },
    } = await success(world.create());
    expect(
      (await world.service.request('PATCH', `${TENANTS}/${tenant.id}`, { as: await world.admin(), body })).status,
    ).toBe(422);
  });

  it('creates a new version when the tenant goes live by itself', async () => {
    const {
      body: { tenant },
    } = await success(world.create());
    await world.service.database.database.transaction({ tenantId: tenant.id }, async (tx) => {
      await tx.query(knex('tenant').where({ id: tenant.id }).update({ status: 'active', go_live_at: new Date() }));
    });
    expect((await success(world.get(tenant.id))).body).toMatchObject({ status: 'active', version: 2 });
  });
});
