/** API tests of creating a tenant and changing its terms, up to the sign-in of its owner. */
import { describe, expect, it } from 'vitest';
import { knex } from '../../server/database/index.ts';
import { newApplication } from '../operations/application-records.ts';
import { outcome, refusal, refused, success } from '../support/api.ts';
import { latestMail } from '../support/mail.ts';
import { shared } from '../support/service.ts';
import { newSlug, startAdminWorld, TENANTS } from './admin-world.ts';

const world = await shared(startAdminWorld());

const STANDARD = {
  users: 50,
  applicationsPerMonth: 10_000,
  screeningsPerDay: 20_000,
  storageGb: 100,
  apiKeys: 100,
  ratePerMinute: 6_000,
};

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
    const read = await world.service.api.GET('/v1/applications/{applicationId}', {
      params: { path: { applicationId: application } },
      headers: owner,
    });
    expect(read.data?.environment).toBe('sandbox');
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

describe('changing the terms', () => {
  it('merges them, raises the version and records the change in both chains', async () => {
    const { tenant } = (await success(world.create())).body;
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
    const { tenant } = (await success(world.create())).body;
    expect(
      (await world.service.request('PATCH', `${TENANTS}/${tenant.id}`, { as: await world.admin(), body })).status,
    ).toBe(422);
  });

  it('creates a new version when the tenant goes live by itself', async () => {
    const { tenant } = (await success(world.create())).body;
    await world.service.database.database.transaction({ tenantId: tenant.id }, async (tx) => {
      await tx.query(knex('tenant').where({ id: tenant.id }).update({ status: 'active', go_live_at: new Date() }));
    });
    expect((await success(world.get(tenant.id))).body).toMatchObject({ status: 'active', version: 2 });
  });
});
