/** API tests of the switch of the sandbox and where new records go. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { newApplication } from '../operations/application-records.ts';
import { success } from '../support/api.ts';
import { useService, type Credential } from '../support/service.ts';

type Status = components['schemas']['SandboxStatus'];

const service = await useService();
const owner = await service.acme.user('owner');
beforeEach(async () => {
  await success(switchSandbox('disable'));
});

const switchSandbox = (to: 'enable' | 'disable', as = owner) => service.api.POST(`/v1/sandbox/${to}`, { headers: as });
const status = async (as = owner): Promise<Status> =>
  (await success(service.api.GET('/v1/sandbox', { headers: as }))).body;
const get = (id: string, as: Credential) =>
  success(
    service.api.GET('/v1/applications/{applicationId}', { params: { path: { applicationId: id } }, headers: as }),
  );
const prefixOf = (key: Credential): string => (key['X-API-Key'] ?? '').slice(0, 'kyc_live_00000000'.length);
const switched = async (): Promise<string[]> =>
  (await service.acme.audit()).map(({ action }) => action).filter((action) => /^sandbox\.(en|dis)abled$/.test(action));

describe('the switch', () => {
  it('is off until a user turns it on', async () => {
    expect(await status(await service.other.key(['read']))).toMatchObject({
      enabled: false,
      enabledAt: null,
      enabledBy: null,
      counts: { applications: 0, documents: 0, fundsRecoveryEvents: 0 },
      warnings: [],
      clock: { offsetSeconds: 0 },
      simulationTypes: [
        'advance_clock',
        'document_expiry',
        'list_update_hit',
        'registry_change',
        'power_expiry',
        'funds_recovery_event',
      ],
    });
  });

  it('shows since when it is on and who turned it on', async () => {
    const before = Date.now();
    const { body } = await success(switchSandbox('enable'));
    expect(body).toMatchObject({ enabled: true, enabledBy: { type: 'user', display: 'Ana Souza' } });
    expect(Date.parse(body.enabledAt ?? '')).toBeGreaterThanOrEqual(before - 1);
    expect({ ...(await status()), clock: null }).toEqual({ ...body, clock: null });
    expect((await success(switchSandbox('disable'))).body).toMatchObject({
      enabled: false,
      enabledAt: null,
      enabledBy: null,
      warnings: [],
    });
  });

  it('can be turned to its present state again and again without effect', async () => {
    const events = await switched();
    const first = await success(switchSandbox('enable'));
    const second = await success(switchSandbox('enable', await service.acme.key(['admin'])));
    expect([second.status, second.body.enabledAt, second.body.enabledBy]).toEqual([
      200,
      first.body.enabledAt,
      first.body.enabledBy,
    ]);
    await success(switchSandbox('disable'));
    await success(switchSandbox('disable'));
    expect((await switched()).slice(events.length)).toEqual(['sandbox.enabled', 'sandbox.disabled']);
  });

  it('is turned on once by many at the same time', async () => {
    const events = await switched();
    const answers = await Promise.all(Array.from({ length: 10 }, () => success(switchSandbox('enable'))));
    expect(new Set(answers.map(({ body }) => body.enabledAt)).size).toBe(1);
    expect((await switched()).slice(events.length)).toEqual(['sandbox.enabled']);
  });

  it('belongs to one tenant', async () => {
    await success(switchSandbox('enable'));
    expect((await status(await service.other.key(['read']))).enabled).toBe(false);
  });
});

describe('what is created', () => {
  const callers = [
    ['a dashboard user', () => service.acme.user('analyst'), 'live', 'sandbox'],
    ['an OAuth client', () => service.acme.client(['write', 'read']), 'live', 'sandbox'],
    ['a live key', () => service.acme.key(['write', 'read']), 'live', 'sandbox'],
    ['a pinned live key', () => service.acme.key(['write', 'read'], { pinEnvironment: true }), 'live', 'live'],
    ['a test key', () => service.acme.key(['write', 'read'], { environment: 'test' }), null, 'sandbox'],
    ['a client of a test key', () => service.acme.client(['write', 'read'], { environment: 'test' }), null, 'sandbox'],
  ] as const;

  it.each(callers)(
    'by %s is of the environment that the switch selects, from the next request on',
    async (_, caller, off, on) => {
      const as = await caller();
      for (const [to, expected] of [
        ['disable', off],
        ['enable', on],
        ['disable', off],
      ] as const) {
        await success(switchSandbox(to));
        if (expected === null) {
          for (const answer of [
            await service.request('GET', '/v1/applications', { as }),
            await service.request('POST', '/v1/applications', { as, body: {} }),
          ]) {
            expect([answer.status, answer.body.code]).toEqual([403, 'sandbox_disabled']);
          }
          continue;
        }
        const answer = await get(await newApplication(service, service.acme, as), as);
        expect([answer.status, answer.headers.get('x-environment'), answer.body.environment]).toEqual([
          200,
          expected,
          expected,
        ]);
        expect('sandbox' in answer.body.metadata).toBe(expected === 'sandbox');
        if (expected === 'sandbox') expect(answer.body.metadata['sandbox']).toBe(true);
      }
    },
  );

  it('is counted', async () => {
    await success(switchSandbox('enable'));
    const { counts } = await status();
    await newApplication(service, service.acme);
    expect((await status()).counts).toEqual({ ...counts, applications: counts.applications + 1 });
  });

  it('in the sandbox is read-only while the switch is off, and what is live never is', async () => {
    const live = await newApplication(service, service.acme);
    await success(switchSandbox('enable'));
    const sandboxed = await newApplication(service, service.acme);
    const as = await service.acme.key(['read', 'write']);
    const change = async (id: string) =>
      (
        await service.api.PATCH('/v1/applications/{applicationId}', {
          params: { path: { applicationId: id } },
          headers: as,
          body: { level: 'enhanced' },
        })
      ).response.status;
    expect([await change(live), await change(sandboxed)]).toEqual([200, 200]);
    await success(switchSandbox('disable'));
    expect([await change(live), await change(sandboxed)]).toEqual([200, 403]);
    expect((await get(sandboxed, as)).status).toBe(200);
  });
});

describe('a warning', () => {
  it('names live keys without a pin that were used in the last 24 hours, and only those', async () => {
    const tenant = service.acme;
    const used = await Promise.all([
      tenant.key(['read'], { name: 'Used' }),
      tenant.key(['read'], { name: 'Used long ago' }),
      tenant.key(['read'], { name: 'Revoked' }),
      tenant.key(['read'], { name: 'Pinned', pinEnvironment: true }),
      tenant.key(['read'], { name: 'Test', environment: 'test' }),
    ]);
    const [recent, old, revoked] = used.map(prefixOf);
    await tenant.key(['read'], { name: 'Never used' });
    await success(switchSandbox('enable'));
    await service.running.recordKeyUses();
    await service.database.sql('UPDATE api_key SET last_used_at = NULL WHERE tenant_id = $1', [tenant.id]);
    for (const as of used) expect((await service.api.GET('/v1/sandbox', { headers: as })).response.status).toBe(200);
    await service.running.recordKeyUses();
    await service.database.sql(
      `UPDATE api_key SET last_used_at = now() - interval '24 hours 1 minute' WHERE prefix = $1`,
      [old],
    );
    await success(
      service.api.DELETE('/v1/settings/api-keys/{prefix}', { params: { path: { prefix: revoked! } }, headers: owner }),
    );
    expect((await status()).warnings).toEqual([
      { code: 'unpinned_live_keys_in_use', message: expect.any(String), prefixes: [recent] },
    ]);
    await success(switchSandbox('disable'));
    // Before the switch is turned, the status names the keys that it would redirect.
    expect((await status()).warnings).toEqual([
      { code: 'unpinned_live_keys_would_be_redirected', message: expect.any(String), prefixes: [recent] },
    ]);
    expect((await success(switchSandbox('enable'))).body.warnings).toEqual([
      { code: 'unpinned_live_keys_in_use', message: expect.any(String), prefixes: [recent] },
    ]);
  });
});
