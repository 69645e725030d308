/**
 * Attacks with a genuine credential: attempts to reach live data from the sandbox, or the data of another tenant.
 * `isolation.test.ts` puts ids of another tenant into every path of the contract.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { newApplication } from '../operations/application-records.ts';
import { refusal, refused, success } from '../support/api.ts';
import { each } from '../support/each.ts';
import { PASSWORD, useService, type Credential, type Tenant } from '../support/service.ts';

const service = await useService();

const patch = (as: Credential, path: string, body: object) =>
  service.request('PATCH', path, { as, body, headers: { 'Content-Type': 'application/merge-patch+json' } });
const refusalOf = async (call: Parameters<typeof refusal>[0]) => refused(await refusal(call));
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
      const of = { params: { path: { applicationId: liveId } }, headers: as };
      expect(await refusalOf(service.api.GET('/v1/applications/{applicationId}', of))).toEqual([404, 'not_found']);
      expect(refused(await patch(as, `/v1/applications/${liveId}`, { channel: 'web' }))).toEqual([404, 'not_found']);
      expect(await refusalOf(service.api.POST('/v1/applications/{applicationId}/submit', of))).toEqual([
        404,
        'not_found',
      ]);
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
      const draft = { purpose: 'other', environment: 'live', applicant: { fullName: 'Ana Lima' } };
      expect(refused(await service.request('POST', '/v1/applications', { as, body: draft }))).toEqual([
        422,
        'validation_failed',
      ]);
    }
  });

  it('does not turn the switch, because what others intend for the sandbox would become real', async () => {
    for (const as of machines)
      expect(await refusalOf(service.api.POST('/v1/sandbox/disable', { headers: as }))).toEqual([
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
      const of = { params: { path: { prefix: prefixOf(live) } }, headers: as };
      expect(await refusalOf(service.api.POST('/v1/settings/api-keys/{prefix}/rotate', of))).toEqual([
        404,
        'not_found',
      ]);
      expect(await refusalOf(service.api.DELETE('/v1/settings/api-keys/{prefix}', of))).toEqual([404, 'not_found']);
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
      await refusalOf(
        service.api.POST('/v1/auth/login', { body: { email: theirs.email, password: PASSWORD, tenantSlug: slug } }),
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
