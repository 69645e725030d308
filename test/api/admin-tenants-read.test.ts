/** API tests of how administrators of the platform list and read tenants. */
import { describe, expect, it } from 'vitest';
import { PLATFORM_TENANT_ID } from '../../server/database/roles.ts';
import { refusal, refused, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { newSlug, startAdminWorld, TENANTS, type TenantFilters } from './admin-world.ts';

const world = await shared(startAdminWorld());

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
      const next = {
        plan: `plan-${slug}`,
        sort,
        limit: 2,
        cursor: first.cursor!,
      };
      const rest = (await success(world.list(next))).body;
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
