/** API tests of the platform itself, which is no tenant: who administers it, and with which second factor. */
import { describe, expect, it } from 'vitest';
import { PLATFORM_TENANT_ID } from '../../server/database/roles.ts';
import { refusal, refused, success } from '../support/api.ts';
import { code } from '../support/authenticator.ts';
import { shared } from '../support/service.ts';
import { newSlug, startAdminWorld, TENANTS } from './admin-world.ts';

const world = await shared(startAdminWorld());

const everyTenantCall = async (id: string) => [
  await refusal(world.get(id)),
  await refusal(world.patch(id, { plan: 'x' })),
  await refusal(world.put(id, { status: 'suspended' })),
];

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
    const { tenant } = (await success(world.create())).body;
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
    const { response } = await world.service.api.PATCH('/v1/admin/tenants/{tenantId}', {
      params: { path: { tenantId: tenant.id } },
      headers: { ...as, 'X-TOTP-Code': shown },
      body: { plan: 'other' },
    });
    expect(response.status).toBe(200);
  });
});
