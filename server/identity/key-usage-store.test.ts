/** Tests of storing the last uses of API keys. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { issueApiKey } from '../modules/api-keys/issue-key.ts';
import { KeyUsageStore, KeyUsageTally } from './key-usage-store.ts';

let test: TestDatabase;
let store: KeyUsageStore;
beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 8 });
  store = new KeyUsageStore(test.database);
});
afterAll(() => test.close());

const NOW = Date.parse('2026-11-03T12:00:00.000Z');

async function keysOf(tenantId: string, count: number): Promise<string[]> {
  const issue = async () =>
    test.database.transaction({ tenantId }, (tx) =>
      issueApiKey(tx, test.secrets, {
        tenantId,
        name: 'Back end',
        environment: 'live',
        scopes: ['read'],
        pinEnvironment: false,
        personalData: 'full',
        grantedBy: null,
        grantedRole: 'owner',
        ipAllowlist: [],
        expiresAt: null,
        createdBy: { type: 'system', id: 'test', display: 'Test' },
        now: new Date(NOW),
      }),
    );
  return Promise.all(Array.from({ length: count }, async () => (await issue()).key.prefix));
}

/** Creates the tally of one request of a key from an address. */
function use(prefix: string, { at = NOW, ip = '203.0.113.7', failed = false } = {}): KeyUsageTally {
  const tally = new KeyUsageTally(prefix, 'Back end');
  tally.used(at, ip);
  if (failed) tally.failed(at);
  tally.seenAt(ip, ip, at, 'live');
  return tally;
}

const countsOf = (tenantId: string) =>
  test.sql<{ requests: number; errors: number }>(
    'SELECT sum(requests)::integer AS requests, sum(errors)::integer AS errors FROM api_key_usage WHERE tenant_id = $1',
    [tenantId],
  );

describe('uses that several processes write at once', () => {
  it('are all counted, whatever the order of the keys', async () => {
    const tenantId = await test.tenant();
    const prefixes = await keysOf(tenantId, 12);
    await Promise.all(
      Array.from({ length: 24 }, (_, process) => {
        const order = process % 2 === 0 ? prefixes : prefixes.toReversed();
        return store.write(
          tenantId,
          order.map((prefix) => use(prefix, { failed: process === 0 })),
        );
      }),
    );
    expect(await countsOf(tenantId)).toEqual([{ requests: 24 * 12, errors: 12 }]);
  });

  it('report a new site once', async () => {
    const tenantId = await test.tenant();
    const [prefix = ''] = await keysOf(tenantId, 1);
    await store.write(tenantId, [use(prefix)]);
    await Promise.all(Array.from({ length: 8 }, () => store.write(tenantId, [use(prefix, { ip: '198.51.100.1' })])));
    expect(await test.sql(`SELECT ip FROM audit_event WHERE tenant_id = $1`, [tenantId])).toEqual([
      { ip: '198.51.100.1' },
    ]);
  });
});

describe('the last use', () => {
  it('is the latest use, whichever use is written last', async () => {
    const tenantId = await test.tenant();
    const [prefix = ''] = await keysOf(tenantId, 1);
    await store.write(tenantId, [use(prefix, { at: NOW + 1000, ip: '198.51.100.1' })]);
    await store.write(tenantId, [use(prefix)]);
    expect(await test.sql('SELECT last_used_ip, version FROM api_key WHERE prefix = $1', [prefix])).toEqual([
      { last_used_ip: '198.51.100.1', version: 1 },
    ]);
  });
});

describe('a key of another tenant', () => {
  it('is not written to', async () => {
    const [own, foreign] = [await test.tenant(), await test.tenant()];
    const [prefix = ''] = await keysOf(foreign, 1);
    await store.write(own, [use(prefix)]);
    expect(await test.sql('SELECT last_used_at FROM api_key WHERE prefix = $1', [prefix])).toEqual([
      { last_used_at: null },
    ]);
    for (const table of ['api_key_usage', 'api_key_site'])
      expect(await test.sql(`SELECT FROM ${table} WHERE tenant_id = ANY ($1)`, [[own, foreign]])).toEqual([]);
  });
});
