/** Tests of platform work that enters one tenant after the other in one transaction. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { appendAudit } from '../audit/chain.ts';
import { uuidv7 } from '../base/uuid.ts';
import { createTenant } from '../identity/store.ts';
import { knex, statement, type Transaction, withinTenant } from './index.ts';
import { PLATFORM_TENANT_ID } from './roles.ts';

let test: TestDatabase;
let here: string;
let otherTenantId: string;
beforeAll(async () => {
  test = await createTestDatabase();
  here = await test.tenant();
  otherTenantId = await test.tenant();
  for (const tenantId of [PLATFORM_TENANT_ID, here, otherTenantId])
    await test.database.platform({ tenantId }, (tx) =>
      Promise.resolve(appendAudit(tx, { ...event, action: 'sandbox.reset' })),
    );
});
afterAll(() => test.close());

const seen = statement<Record<string, never>, { tenant_id: string }>('test.within.seen', () =>
  knex('audit_event').select('tenant_id').where('action', 'sandbox.reset'),
);
const see = async (tx: Transaction): Promise<string[]> => (await tx.run(seen, {})).map((row) => row.tenant_id);

const event = {
  occurredAt: '2026-11-03T12:00:00.000Z',
  environment: 'live',
  outcome: 'success',
  resource: { type: 'tenant', id: null },
  actor: {
    type: 'platform_user',
    id: null,
    display: 'Test',
    impersonatorId: null,
  },
} as const;

describe.each([{ readOnly: true }, { readOnly: false }])('platform work %o', (mode) => {
  it('sees one tenant at a time, alternately and without waiting', async () => {
    const rows = await test.database.platform({ tenantId: PLATFORM_TENANT_ID, ...mode }, (tx) => {
      const [a, b] = [withinTenant(tx, here), withinTenant(tx, otherTenantId)];
      return Promise.all([see(tx), see(a), see(b), see(a), see(tx)]);
    });
    expect(rows).toEqual([[PLATFORM_TENANT_ID], [here], [otherTenantId], [here], [PLATFORM_TENANT_ID]]);
  });

  it('that began without a tenant has none again afterwards', async () => {
    const rows = await test.database.platform({ tenantId: null, ...mode }, async (tx) => [
      await see(withinTenant(tx, here)),
      await see(tx),
    ]);
    expect(rows).toEqual([[here], []]);
  });

  it('leads from one tenant to another and back', async () => {
    const rows = await test.database.platform({ tenantId: here, ...mode }, async (tx) => {
      const other = withinTenant(tx, otherTenantId);
      return [await see(withinTenant(other, here)), await see(other), withinTenant(other, here) === tx];
    });
    expect(rows).toEqual([[here], [otherTenantId], true]);
  });
});

describe('a statement that is sent with COMMIT', () => {
  it('writes to the chain of the tenant that it was registered for', async () => {
    await test.database.platform({ tenantId: PLATFORM_TENANT_ID }, async (tx) => {
      appendAudit(withinTenant(tx, here), { ...event, action: 'tenant.created' });
      appendAudit(tx, { ...event, action: 'tenant.status_changed' });
      appendAudit(withinTenant(tx, otherTenantId), { ...event, action: 'tenant.updated' });
    });
    const rows = await test.sql(
      `SELECT tenant_id, action FROM audit_event WHERE action LIKE 'tenant.%' ORDER BY action`,
    );
    expect(rows).toEqual([
      { tenant_id: here, action: 'tenant.created' },
      { tenant_id: PLATFORM_TENANT_ID, action: 'tenant.status_changed' },
      { tenant_id: otherTenantId, action: 'tenant.updated' },
    ]);
  });
});

describe('the request of a tenant', () => {
  it('cannot reach another one', async () => {
    await expect(
      test.database.transaction({ tenantId: here }, async (tx) => see(withinTenant(tx, otherTenantId))),
    ).rejects.toThrow('only platform work');
    expect(await test.database.transaction({ tenantId: here }, (tx) => see(withinTenant(tx, here)))).toEqual([here]);
  });
});

describe('the platform tenant', () => {
  it('exists from the start, with its chain and its feeds', async () => {
    expect(await test.sql('SELECT slug, status FROM tenant WHERE id = $1', [PLATFORM_TENANT_ID])).toEqual([
      { slug: 'platform', status: 'active' },
    ]);
    expect(await test.sql('SELECT env FROM fr_feed WHERE tenant_id = $1 ORDER BY env', [PLATFORM_TENANT_ID])).toEqual([
      { env: 'live' },
      { env: 'sandbox' },
    ]);
  });

  it('cannot be suspended, not even by a superuser', async () => {
    await expect(
      test.sql(`UPDATE tenant SET status = 'suspended' WHERE id = $1`, [PLATFORM_TENANT_ID]),
    ).rejects.toThrow('tenant_platform_stays');
  });

  it('is the only one with platform administrators, and has no other members', async () => {
    const id = uuidv7();
    await test.sql(
      `INSERT INTO user_account (id, email_normalised, email, name, password_hash)
        VALUES ($1, 'a@example.com', 'a@example.com', 'A', '')`,
      [id],
    );
    const add = (tenantId: string, role: string) =>
      test.sql('INSERT INTO membership (tenant_id, user_id, role) VALUES ($1, $2, $3)', [tenantId, id, role]);
    await expect(add(here, 'platform_admin')).rejects.toThrow('membership_of_platform');
    await expect(add(PLATFORM_TENANT_ID, 'owner')).rejects.toThrow('membership_of_platform');
    await add(PLATFORM_TENANT_ID, 'platform_admin');
  });
});

describe('a tenant', () => {
  it('that starts with onboarding starts in the sandbox', async () => {
    const id = uuidv7();
    await test.database.platform({ tenantId: id }, (tx) =>
      createTenant(tx, {
        id,
        slug: 'newcomer',
        name: 'Newcomer',
        status: 'onboarding',
        plan: 'pro',
        quotas: { ratePerMinute: 5 },
        now: new Date(),
      }),
    );
    expect(
      await test.sql(
        'SELECT status, sandbox_enabled, sandbox_enabled_at IS NULL AS unknown, plan, region, quotas ' +
          'FROM tenant WHERE id = $1',
        [id],
      ),
    ).toEqual([
      {
        status: 'onboarding',
        sandbox_enabled: true,
        unknown: false,
        plan: 'pro',
        region: 'default',
        quotas: { ratePerMinute: 5 },
      },
    ]);
  });

  it('goes live by itself and changes its status in no other way', async () => {
    const id = uuidv7();
    await test.database.platform({ tenantId: id }, (tx) =>
      createTenant(tx, {
        id,
        slug: 'ready',
        name: 'Ready',
        status: 'onboarding',
        now: new Date(),
      }),
    );
    const become = statement<{ id: string; status: string }>('test.within.become', (p) =>
      knex('tenant').where({ id: p.id }).update({ status: p.status }),
    );
    const setStatus = (status: string) =>
      test.database.transaction({ tenantId: id }, (tx) => tx.run(become, { id, status }));
    await expect(setStatus('suspended')).rejects.toThrow('does not change its own status');
    await setStatus('active');
    await expect(setStatus('onboarding')).rejects.toThrow('does not change its own status');
    await test.database.platform({ tenantId: id }, (tx) => tx.run(become, { id, status: 'suspended' }));
    await expect(setStatus('active')).rejects.toThrow('does not change its own status');
  });
});
