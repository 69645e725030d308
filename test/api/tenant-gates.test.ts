/**
 * API tests of what holds a tenant back as a whole: onboarding, suspension, quota, sandbox keys, keys that end soon.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { refusal, requestToken, success } from '../support/api.ts';
import { awaitMail, tokenIn } from '../support/mail.ts';
import { PASSWORD, startTestService, useService, type Credential, type Tenant } from '../support/service.ts';

type Schemas = components['schemas'];

const service = await useService();

const CACHED = 5_000;
const DAY = 86_400_000;
const draft = { purpose: 'other', applicant: { fullName: 'Maria da Silva' } } as const;

const create = (as: Credential) => success(service.api.POST('/v1/applications', { headers: as, body: draft }));
const list = (as: Credential) => service.request('GET', '/v1/applications', { as });
const set = async ({ id }: Tenant, changes: string): Promise<void> => {
  await service.database.sql(`UPDATE tenant SET ${changes} WHERE id = $1`, [id]);
  service.advance(CACHED);
};
const denials = ({ id }: Tenant) =>
  service.database.sql(
    `SELECT reason, actor->>'type' AS by, environment FROM audit_event
      WHERE tenant_id = $1 AND action = 'access.denied' ORDER BY sequence`,
    [id],
  );

const credentials: readonly [name: string, of: (tenant: Tenant) => Promise<Credential>][] = [
  ['a person', (tenant) => tenant.user('owner')],
  ['a live key', (tenant) => tenant.key(['write', 'read'])],
  ['a pinned live key', (tenant) => tenant.key(['write', 'read'], { pinEnvironment: true })],
  ['a test key', (tenant) => tenant.key(['write', 'read'], { environment: 'test' })],
  ['a client', (tenant) => tenant.client(['write', 'read'])],
];

describe('a tenant that has not gone live', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await service.tenant();
    await set(tenant, `status = 'onboarding', sandbox_enabled = true`);
  });

  it.each(credentials)('has nothing but its sandbox: %s', async (_, of) => {
    const as = await of(tenant);
    const created = await create(as);
    expect([created.status, created.headers.get('x-environment')], created.text).toEqual([201, 'sandbox']);
    expect((await list(as)).headers.get('x-environment')).toBe('sandbox');
    expect(
      await service.database.sql('SELECT DISTINCT environment FROM application WHERE tenant_id = $1', [tenant.id]),
    ).toEqual([{ environment: 'sandbox' }]);
  });

  it('sees no live record, should there be one', async () => {
    await service.database.sql(`UPDATE tenant SET status = 'active', sandbox_enabled = false WHERE id = $1`, [
      tenant.id,
    ]);
    service.advance(CACHED);
    const {
      body: { id },
    } = await create(await tenant.key(['write', 'read']));
    await set(tenant, `status = 'onboarding', sandbox_enabled = true`);
    for (const [, of] of credentials)
      expect(
        (
          await service.api.GET('/v1/applications/{applicationId}', {
            params: { path: { applicationId: id } },
            headers: await of(tenant),
          })
        ).response.status,
      ).toBe(404);
  });

  it('works live as soon as it is active', async () => {
    await set(tenant, `status = 'active', sandbox_enabled = false`);
    const created = await create(await tenant.key(['write', 'read']));
    expect([created.status, created.headers.get('x-environment')]).toEqual([201, 'live']);
  });
});

describe('the clock of a sandbox', () => {
  it('is ahead for the business of the sandbox alone', async () => {
    const tenant = await service.tenant();
    await set(tenant, `sandbox_enabled = true, sandbox_clock_offset_seconds = ${(40 * DAY) / 1000}`);
    const expiring = await tenant.key(['read', 'write'], {
      expiresAt: new Date(service.running.services.clock().getTime() + 35 * DAY),
    });
    const now = service.running.services.clock().getTime();
    const sandbox = await create(expiring);
    expect(sandbox.headers.get('x-environment')).toBe('sandbox');
    expect(Math.abs(Date.parse(sandbox.body.createdAt) - now - 40 * DAY)).toBeLessThan(60_000);
    // By the clock of the sandbox the key would have expired.
    const live = await create(await tenant.key(['read', 'write'], { pinEnvironment: true }));
    expect(Math.abs(Date.parse(live.body.createdAt) - now)).toBeLessThan(60_000);
    const [event] = await service.database.sql<{ occurred_at: Date }>(
      `SELECT occurred_at FROM audit_event WHERE tenant_id = $1 AND action = 'application.created' ORDER BY sequence
        LIMIT 1`,
      [tenant.id],
    );
    expect(Math.abs(new Date(event!.occurred_at).getTime() - now)).toBeLessThan(60_000);
  });
});

describe('the quota of a tenant', () => {
  it('is shared by all credentials of the tenant and by no others', async () => {
    const tenant = await service.tenant();
    await set(tenant, `quotas = '{"ratePerMinute": 4}'`);
    const [one, two] = [await tenant.key(['read'], { name: 'One' }), await tenant.key(['read'], { name: 'Two' })];
    const answers = [
      await list(one),
      await list(two),
      await list(await tenant.user('viewer')),
      await list(await tenant.client(['read'])),
      await list(one),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    expect(answers[1]!.headers.get('ratelimit-policy')).toMatch(/^"default";q=\d+;w=60, "tenant";q=4;w=60$/);
    expect(answers[1]!.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+, "tenant";r=2;t=\d+$/);
    expect(Number(answers[4]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await list(await service.acme.key(['read']))).status).toBe(200);
    service.advance(60_000);
    expect((await list(two)).status).toBe(200);
  });

  it('is not used up by requests that the quota of one credential refuses', async () => {
    const narrow = await startTestService({ env: { RATE_LIMIT_REQUESTS: '2' } });
    const tenant = await narrow.tenant();
    await narrow.database.sql(`UPDATE tenant SET quotas = '{"ratePerMinute": 3}' WHERE id = $1`, [tenant.id]);
    const call = async (name: string) =>
      (await narrow.request('GET', '/v1/applications', { as: await tenant.key(['read'], { name }) })).status;
    expect([
      await call('Loud'),
      await call('Loud'),
      await call('Loud'),
      await call('Loud'),
      await call('Quiet'),
      await call('Quiet'),
    ]).toEqual([200, 200, 429, 429, 200, 429]);
    await narrow.stop();
  });
});

describe('a suspended tenant', () => {
  let tenant: Tenant;
  let pair: Schemas['TokenPair'];
  let email: string;
  let invitation: string;
  beforeAll(async () => {
    tenant = await service.tenant();
    email = (await tenant.person('owner')).email;
    pair = (await success(service.api.POST('/v1/auth/login', { body: { email, password: PASSWORD } }))).body;
    const invited = `${tenant.id}@example.com`;
    await success(
      service.api.POST('/v1/users/invitations', {
        headers: await tenant.key(['admin']),
        body: { email: invited, role: 'analyst', name: 'Bruno Lima' },
      }),
      201,
    );
    invitation = tokenIn(await awaitMail(service.running.services, invited));
    await set(tenant, 'sandbox_enabled = true');
    for (const [, of] of credentials) expect((await list(await of(tenant))).status).toBe(200);
    // Another process has changed the row, so this one learns of it only through time.
    await service.database.sql(`UPDATE tenant SET status = 'suspended' WHERE id = $1`, [tenant.id]);
    service.advance(CACHED);
  });

  it.each(credentials)('is closed within five seconds to %s, and the attempt is recorded', async (_, of) => {
    const before = (await denials(tenant)).length;
    const answer = await list(await of(tenant));
    expect([answer.status, answer.body.code]).toEqual([403, 'tenant_suspended']);
    expect((await denials(tenant)).slice(before)).toMatchObject([{ reason: 'tenant_suspended' }]);
  });

  it('refuses sign-ins, refreshed sessions and accepted invitations', async () => {
    const refusals = [
      await service.request('POST', '/v1/auth/login', { body: { email, password: PASSWORD } }),
      await service.request('POST', '/v1/auth/refresh', { body: { refreshToken: pair.refreshToken } }),
      await service.request('GET', '/v1/auth/me', { as: { Authorization: `Bearer ${pair.accessToken}` } }),
      await service.request('POST', '/v1/auth/invitations/accept', {
        body: { token: invitation, name: 'Bruno Lima', password: 'seven quiet rivers at dawn' },
      }),
    ];
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual(
      refusals.map(() => [403, 'tenant_suspended']),
    );
  });

  it('gets no tokens for its keys', async () => {
    const secret = (await tenant.key(['read']))['X-API-Key'] as string;
    const answer = await refusal(requestToken(service.api, secret));
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  });

  it('is open again within five seconds', async () => {
    await set(tenant, `status = 'active'`);
    for (const [name, of] of credentials) expect((await list(await of(tenant))).status, name).toBe(200);
    expect(
      (await service.api.POST('/v1/auth/refresh', { body: { refreshToken: pair.refreshToken } })).response.status,
    ).toBe(200);
  });
});

describe('a key of the sandbox', () => {
  it('is refused while the switch is off, and the attempt is recorded within the quota', async () => {
    const tenant = await service.tenant();
    const answer = await list(await tenant.key(['read'], { environment: 'test' }));
    expect([answer.status, answer.body.code]).toEqual([403, 'sandbox_disabled']);
    expect(await denials(tenant)).toEqual([{ reason: 'sandbox_disabled', by: 'api_key', environment: 'sandbox' }]);
  });
});

describe('a key that ends soon', () => {
  const notice = async (of: Tenant, days: number | null) => {
    const expiresAt = days === null ? null : new Date(service.running.services.clock().getTime() + days * DAY);
    const { headers, status } = await list(await of.key(['read'], { expiresAt, name: String(days) }));
    return { status, notice: headers.get('x-api-key-expires'), expiresAt };
  };

  it.each([29, 7, 1])('says so with every answer: %i days', async (days) => {
    const { status, notice: said, expiresAt } = await notice(service.acme, days);
    expect([status, said]).toEqual([200, expiresAt?.toUTCString()]);
  });

  it.each([31, 365, null])('does not before: %s days', async (days) => {
    expect((await notice(service.acme, days)).notice).toBeNull();
  });

  it('says so when it refuses, too, and to the tokens that were issued for it', async () => {
    const expiresAt = new Date(service.running.services.clock().getTime() + DAY);
    const refused = await service.request('POST', '/v1/sandbox/enable', {
      as: await service.acme.key(['read'], { expiresAt }),
    });
    const token = await list(await service.acme.client(['read'], { expiresAt, name: 'Ends' }));
    expect([refused, token].map(({ headers }) => headers.get('x-api-key-expires'))).toEqual([
      expiresAt.toUTCString(),
      expiresAt.toUTCString(),
    ]);
  });
});
