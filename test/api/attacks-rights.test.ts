/** Attacks with a genuine credential: attempts to gain more rights. */
import { describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import { addMember } from '../../server/modules/accounts/membership-store.ts';
import { refusal, refused, requestToken, success } from '../support/api.ts';
import { useService, type Credential } from '../support/service.ts';

const service = await useService();

const patch = (as: Credential, path: string, body: object) =>
  service.request('PATCH', path, { as, body, headers: { 'Content-Type': 'application/merge-patch+json' } });
const refusalOf = async (call: Parameters<typeof refusal>[0]) => refused(await refusal(call));
const prefixOf = (key: Credential): string => (key['X-API-Key'] as string).slice(0, 'kyc_live_00000000'.length);

describe('a person who attempts to gain rights', () => {
  it('does not raise their own role', async () => {
    for (const role of ['owner', 'admin'] as const) {
      const { id, as } = await service.acme.person(role);
      for (const wanted of ['owner', 'admin', 'compliance_officer'] as const) {
        if (wanted === role) continue;
        expect(refused(await patch(as, `/v1/users/${id}`, { role: wanted })), `${role} → ${wanted}`).toEqual([
          403,
          'cannot_change_own_role',
        ]);
      }
    }
    for (const role of ['compliance_officer', 'analyst', 'developer', 'auditor', 'viewer'] as const) {
      const { id, as } = await service.acme.person(role);
      expect(refused(await patch(as, `/v1/users/${id}`, { role: 'owner' })), role).toEqual([403, 'role_forbidden']);
    }
  });

  it('does not give anybody more rights than their own', async () => {
    const [admin, friend] = [await service.acme.person('admin'), await service.acme.person('viewer')];
    expect(refused(await patch(admin.as, `/v1/users/${friend.id}`, { role: 'owner' }))).toEqual([
      403,
      'role_above_own',
    ]);
    expect(
      await refusalOf(
        service.api.POST('/v1/users/invitations', {
          headers: admin.as,
          body: { email: 'accomplice@example.com', role: 'owner', name: 'Accomplice' },
        }),
      ),
    ).toEqual([403, 'role_above_own']);
    const key = await service.acme.key(['admin']);
    expect((await patch(key, `/v1/users/${friend.id}`, { role: 'owner' })).status).toBe(403);
  });

  it('does not become staff of the platform', async () => {
    const { id } = await service.acme.person('viewer');
    for (const as of [await service.acme.user('owner'), await service.acme.key(['admin'])]) {
      expect((await patch(as, `/v1/users/${id}`, { role: 'platform_admin' })).status).toBe(422);
      const invited = await service.request('POST', '/v1/users/invitations', {
        as,
        body: { email: 'staff@example.com', role: 'platform_admin', name: 'Staff' },
      });
      expect(invited.status).toBe(422);
    }
  });

  it('has no platform rights in a tenant where the person has another role', async () => {
    const staff = await service.platform.person('platform_admin');
    await service.database.database.platform({ tenantId: service.acme.id }, (tx) =>
      addMember(tx, { tenantId: service.acme.id, userId: staff.id }, 'owner', new Date()),
    );
    const sessionId = uuidv7();
    await service.database.sql(
      `INSERT INTO session (tenant_id, id, user_id, absolute_expires_at, mfa, step_up_at)
        VALUES ($1, $2, $3, now() + interval '1 day', true, now())`,
      [service.acme.id, sessionId, staff.id],
    );
    const token = service.running.services.tokens.forUser(
      {
        userId: staff.id,
        tenantId: service.acme.id,
        sessionId,
        role: 'platform_admin',
        amr: ['pwd', 'otp'],
      },
      900,
    );
    const as = { Authorization: `Bearer ${token}` };
    expect((await success(service.api.GET('/v1/auth/me', { headers: as }))).body.user.role).toBe('owner');
    expect(await refusalOf(service.api.GET('/v1/admin/tenants', { headers: as }))).toEqual([403, 'role_forbidden']);
  });

  it.each(['owner', 'admin'] as const)('does not administer tenants, including their own: %s', async (role) => {
    const as = await service.acme.user(role, { secondFactor: true });
    expect(
      await refusalOf(
        service.api.GET('/v1/admin/tenants/{tenantId}', {
          params: { path: { tenantId: service.acme.id } },
          headers: as,
        }),
      ),
    ).toEqual([403, 'role_forbidden']);
    expect(
      await refusalOf(
        service.api.PUT('/v1/admin/tenants/{tenantId}/status', {
          params: { path: { tenantId: service.other.id } },
          headers: as,
          body: { status: 'suspended', reasonCode: 'other' },
        }),
      ),
    ).toEqual([403, 'role_forbidden']);
  });
});

describe('a machine that attempts to gain rights', () => {
  it('does not extend its own rights', async () => {
    const key = await service.acme.key(['admin'], { name: 'Greedy', ipAllowlist: ['127.0.0.0/8'] });
    await service.api.PUT('/v1/settings/api-keys/{prefix}/scopes', {
      params: { path: { prefix: prefixOf(key) } },
      headers: key,
      body: { scopes: ['admin', 'read'] },
    });
    expect(
      await refusalOf(
        service.api.PUT('/v1/settings/api-keys/{prefix}/scopes', {
          params: { path: { prefix: prefixOf(key) } },
          headers: key,
          body: { scopes: ['admin', 'read', 'kyb'] },
        }),
      ),
    ).toEqual([403, 'self_widening_forbidden']);
    expect(refused(await patch(key, `/v1/settings/api-keys/${prefixOf(key)}`, { ipAllowlist: ['0.0.0.0/0'] }))).toEqual(
      [403, 'self_widening_forbidden'],
    );
  });

  it('gets no token for scopes that its key does not have', async () => {
    const secret = (await service.acme.key(['read'], { name: 'Reader' }))['X-API-Key'] as string;
    for (const scope of ['admin', 'read write', 'read admin', 'everything']) {
      const { status, body } = await refusal(requestToken(service.api, secret, { scope }));
      expect([status, body.error], scope).toEqual([400, 'invalid_scope']);
    }
  });

  it('does not obtain a person’s rights by acting as one', async () => {
    for (const as of [await service.acme.key(['admin']), await service.acme.client(['admin'])]) {
      expect(await refusalOf(service.api.POST('/v1/onboarding/go-live', { headers: as, body: {} }))).toEqual([
        403,
        'human_required',
      ]);
      expect(await refusalOf(service.api.GET('/v1/admin/tenants', { headers: as }))).toEqual([403, 'human_required']);
    }
  });

  it('gains nothing from a developer who may issue keys for tests', async () => {
    const as = await service.acme.user('developer');
    for (const body of [
      { environment: 'live', scopes: ['read'] },
      { environment: 'test', scopes: ['admin'] },
    ]) {
      expect(
        (await service.request('POST', '/v1/settings/api-keys', { as, body: { name: 'Mine', ...body } })).status,
        JSON.stringify(body),
      ).toBe(403);
    }
  });
});
