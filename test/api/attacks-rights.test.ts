/**
 * Attacks with a genuine credential: attempts to reach live data, another tenant's data, or more rights.
 * `isolation.test.ts` puts ids of another tenant into every path of the contract.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import { addMember } from '../../server/modules/accounts/membership-store.ts';
import { newApplication } from '../operations/application-records.ts';
import { refusal, refused, requestToken, success } from '../support/api.ts';
import { each } from '../support/each.ts';
import { PASSWORD, useService, type Credential, type Tenant } from '../support/service.ts';

const service = await useService();

const patch = (as: Credential, path: string, body: object) =>
  service.request('PATCH', path, { as, body, headers: { 'Content-Type': 'application/merge-patch+json' } });
const prefixOf = (key: Credential): string => (key['X-API-Key'] as string).slice(0, 'kyc_live_00000000'.length);

describe('a key of the sandbox', () => {
  let tenant: Tenant;
  let liveId: string;
  let machines: readonly Credential[];
  beforeAll(async () => {
    tenant = await service.tenant();
    liveId = await newApplication(service, tenant);
    await service.api.POST('/v1/sandbox/enable', { headers: await tenant.key(['admin']) });
    machines = [
      await tenant.key(['admin'], { environment: 'test' }),
      await tenant.client(['admin'], { environment: 'test', name: 'Token' }),
    ];
  });

  it('does not see, change or follow anything that is live', async () => {
    for (const as of each(machines)) {
      expect(
        refused(
          await refusal(
            service.api.GET('/v1/applications/{applicationId}', {
              params: { path: { applicationId: liveId } },
              headers: as,
            }),
          ),
        ),
      ).toEqual([404, 'not_found']);
      expect(refused(await patch(as, `/v1/applications/${liveId}`, { channel: 'web' }))).toEqual([404, 'not_found']);
      expect(
        refused(
          await refusal(
            service.api.POST('/v1/applications/{applicationId}/submit', {
              params: { path: { applicationId: liveId } },
              headers: as,
            }),
          ),
        ),
      ).toEqual([404, 'not_found']);
      for (const query of ['', '?environment=live', '?environment=live&environment=sandbox']) {
        const { status, text } = await service.request('GET', `/v1/applications${query}`, { as });
        expect([200, 400]).toContain(status);
        expect(text).not.toContain(liveId);
      }
    }
  });

  it('creates nothing live, whatever it requests', async () => {
    for (const as of each(machines)) {
      const { status, headers, body } = await success(
        service.api.POST('/v1/applications', {
          headers: { ...as, 'X-Environment': 'live' },
          body: { purpose: 'other', applicant: { fullName: 'Ana Lima' } },
        }),
      );
      expect([status, headers.get('x-environment'), body.metadata]).toEqual([201, 'sandbox', { sandbox: true }]);
      expect(
        refused(
          await service.request('POST', '/v1/applications', {
            as,
            body: { purpose: 'other', environment: 'live', applicant: { fullName: 'Ana Lima' } },
          }),
        ),
      ).toEqual([422, 'validation_failed']);
    }
  });

  it('does not turn the switch, because what others intend for the sandbox would become real', async () => {
    for (const as of machines)
      expect(refused(await refusal(service.api.POST('/v1/sandbox/disable', { headers: as })))).toEqual([
        403,
        'scope_escalation',
      ]);
    const draft = { purpose: 'other', applicant: { fullName: 'Ana Lima' } };
    const created = await service.request('POST', '/v1/applications', {
      as: await tenant.key(['write'], { name: 'Unpinned' }),
      body: draft,
    });
    expect(created.headers.get('x-environment')).toBe('sandbox');
  });

  it('neither issues nor changes a live key', async () => {
    const live = await tenant.key(['read'], { name: 'Live' });
    for (const as of each(machines)) {
      const issued = await refusal(
        service.api.POST('/v1/settings/api-keys', {
          headers: as,
          body: { name: 'Live', environment: 'live', scopes: ['read'] },
        }),
      );
      expect(issued.status).toBe(403);
      expect(
        refused(
          await refusal(
            service.api.POST('/v1/settings/api-keys/{prefix}/rotate', {
              params: { path: { prefix: prefixOf(live) } },
              headers: as,
            }),
          ),
        ),
      ).toEqual([404, 'not_found']);
      expect(
        refused(
          await refusal(
            service.api.DELETE('/v1/settings/api-keys/{prefix}', {
              params: { path: { prefix: prefixOf(live) } },
              headers: as,
            }),
          ),
        ),
      ).toEqual([404, 'not_found']);
    }
    expect((await service.api.GET('/v1/applications', { headers: live })).response.status).toBe(200);
  });
});

describe('an id of another tenant', () => {
  it('in a query finds nothing', async () => {
    const [theirs, foreign] = [
      await service.other.person('analyst'),
      await service.other.key(['read'], { name: 'Foreign' }),
    ];
    const as = await service.acme.user('owner');
    for (const path of [
      `/v1/users?q=${theirs.email}`,
      `/v1/audit/events?actorId=${theirs.id}`,
      `/v1/audit/events?resourceId=${prefixOf(foreign)}`,
      `/v1/audit/events?resourceId=${service.other.id}`,
    ]) {
      const answer = await service.request<{ items: unknown[] }>('GET', path, { as });
      expect([answer.status, answer.body.items], path).toEqual([200, []]);
    }
  });

  it('in a query ends no session there', async () => {
    const [ours, theirs] = [await service.acme.person('analyst'), await service.other.person('analyst')];
    const answer = await service.request('DELETE', `/v1/users/${ours.id}/sessions?sessionId=${theirs.sessionId}`, {
      as: await service.acme.user('owner'),
    });
    expect(refused(answer)).toEqual([404, 'not_found']);
    expect((await service.api.GET('/v1/auth/me', { headers: theirs.as })).response.status).toBe(200);
  });

  it('in a body has no effect', async () => {
    const theirs = await service.other.person('owner');
    const [{ slug } = { slug: '' }] = await service.database.sql<{ slug: string }>(
      'SELECT slug FROM tenant WHERE id = $1',
      [service.acme.id],
    );
    expect(
      refused(
        await refusal(
          service.api.POST('/v1/auth/login', { body: { email: theirs.email, password: PASSWORD, tenantSlug: slug } }),
        ),
      ),
    ).toEqual([401, 'invalid_credentials']);
    const foreignApplication = await newApplication(service, service.other);
    const simulated = await service.request('POST', '/v1/sandbox/simulations', {
      as: await (await sandboxed()).key(['admin']),
      body: { type: 'document_expiry', target: foreignApplication },
    });
    expect([404, 422]).toContain(simulated.status);
  });

  it.each(['tenantId', 'tenant_id', 'environment', 'createdBy', 'id', 'status', '__proto__', 'constructor'])(
    'cannot be slipped in as a member of a new record: %s',
    async (member) => {
      const body = JSON.parse(
        `{"purpose":"other","applicant":{"fullName":"Ana Lima"},"${member}":${JSON.stringify(service.other.id)}}`,
      ) as object;
      const answer = await service.request('POST', '/v1/applications', { as: await service.acme.key(['write']), body });
      expect(refused(answer)).toEqual([422, 'validation_failed']);
    },
  );

  async function sandboxed(): Promise<Tenant> {
    const tenant = await service.tenant();
    await service.api.POST('/v1/sandbox/enable', { headers: await tenant.key(['admin']) });
    return tenant;
  }
});

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
      refused(
        await refusal(
          service.api.POST('/v1/users/invitations', {
            headers: admin.as,
            body: { email: 'accomplice@example.com', role: 'owner', name: 'Accomplice' },
          }),
        ),
      ),
    ).toEqual([403, 'role_above_own']);
    const key = await service.acme.key(['admin']);
    expect((await patch(key, `/v1/users/${friend.id}`, { role: 'owner' })).status).toBe(403);
  });

  it('does not become staff of the platform', async () => {
    const { id } = await service.acme.person('viewer');
    for (const as of [await service.acme.user('owner'), await service.acme.key(['admin'])]) {
      expect((await patch(as, `/v1/users/${id}`, { role: 'platform_admin' })).status).toBe(422);
      expect(
        (
          await service.request('POST', '/v1/users/invitations', {
            as,
            body: { email: 'staff@example.com', role: 'platform_admin', name: 'Staff' },
          })
        ).status,
      ).toBe(422);
    }
  });

  it('has no platform rights in a tenant where the person has another role', async () => {
    const staff = await service.platform.person('platform_admin');
    await service.database.database.platform({ tenantId: service.acme.id }, (tx) =>
      addMember(tx, service.acme.id, staff.id, 'owner', new Date()),
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
    expect(refused(await refusal(service.api.GET('/v1/admin/tenants', { headers: as })))).toEqual([
      403,
      'role_forbidden',
    ]);
  });

  it.each(['owner', 'admin'] as const)('does not administer tenants, including their own: %s', async (role) => {
    const as = await service.acme.user(role, { secondFactor: true });
    expect(
      refused(
        await refusal(
          service.api.GET('/v1/admin/tenants/{tenantId}', {
            params: { path: { tenantId: service.acme.id } },
            headers: as,
          }),
        ),
      ),
    ).toEqual([403, 'role_forbidden']);
    expect(
      refused(
        await refusal(
          service.api.PUT('/v1/admin/tenants/{tenantId}/status', {
            params: { path: { tenantId: service.other.id } },
            headers: as,
            body: { status: 'suspended', reasonCode: 'other' },
          }),
        ),
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
      refused(
        await refusal(
          service.api.PUT('/v1/settings/api-keys/{prefix}/scopes', {
            params: { path: { prefix: prefixOf(key) } },
            headers: key,
            body: { scopes: ['admin', 'read', 'kyb'] },
          }),
        ),
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
      expect(refused(await refusal(service.api.POST('/v1/onboarding/go-live', { headers: as, body: {} })))).toEqual([
        403,
        'human_required',
      ]);
      expect(refused(await refusal(service.api.GET('/v1/admin/tenants', { headers: as })))).toEqual([
        403,
        'human_required',
      ]);
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
