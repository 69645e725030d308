/** Tests of the statistics: numbers and sums of recoveries by month, role and status. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { type RecoveryOptions, takeInRecovery } from '../support/recoveries.ts';
import { type Answer, type Credential, type Tenant, useService } from '../support/service.ts';

type Schemas = components['schemas'];
type List = Schemas['FundsRecoveryRecordList'];
const PATH = '/api/v1/funds-recovery';
let tenant: Tenant;
let client: Credential;
const service = await useService();

beforeEach(async () => {
  tenant = await service.tenant();
  client = await tenant.user('owner');
});

const takeIn = (options: RecoveryOptions = {}, of = tenant) =>
  takeInRecovery(service.database.database, of.id, options);

const ask = <T>(path: string, as = client): Promise<Answer<T>> => service.request<T>('GET', PATH + path, { as });

const counts = async (query = '', as = client): Promise<Schemas['FundsRecoveryStatistics']> =>
  (await ask<Schemas['FundsRecoveryStatistics']>(`/statistics${query}`, as)).body;

/** Changes the one document of the recovery of this tenant. */
const change = (sql: string) =>
  service.database.sql(`UPDATE fr_record SET snapshot = ${sql} WHERE tenant_id = $1`, [tenant.id]);

describe('the statistics', () => {
  it('count and add up by month, role and status, the newest month first', async () => {
    // São Paulo is three hours behind UTC, so the first instant is in October there.
    await takeIn({ createdAt: new Date('2026-11-01T02:59:59.000Z') });
    await takeIn({ createdAt: new Date('2026-11-01T03:00:00.000Z') });
    await takeIn({ createdAt: new Date('2026-11-20T12:00:00.000Z') });
    await takeIn({ createdAt: new Date('2026-11-20T12:00:00.000Z'), role: 'RECEIVED', status: 'REFUNDING' });
    const [completed, received] = [
      { role: 'SENT', status: 'COMPLETED' },
      { role: 'RECEIVED', status: 'REFUNDING' },
    ];
    expect(await counts()).toEqual({
      timezone: 'America/Sao_Paulo',
      currency: 'BRL',
      items: [
        // A receiver sees no graph.
        {
          month: '2026-11',
          ...received,
          count: 1,
          rootAmount: 0,
          requestedAmount: 81_240,
          refundedAmount: 0,
        },
        {
          month: '2026-11',
          ...completed,
          count: 2,
          rootAmount: 2 * 81_240,
          requestedAmount: 2 * 131_245,
          refundedAmount: 2 * 31_235,
        },
        {
          month: '2026-10',
          ...completed,
          count: 1,
          rootAmount: 81_240,
          requestedAmount: 131_245,
          refundedAmount: 31_235,
        },
      ],
    });
    expect((await counts('?role=RECEIVED')).items.map(({ count }) => count)).toEqual([1]);
    expect(
      (await counts('?status=COMPLETED&createdBefore=2026-11-01T03:00:00.000Z')).items.map(({ month }) => month),
    ).toEqual(['2026-10']);
    expect((await counts('?counterparty=11111111')).items).toEqual([]);
  });

  it('add up what the list shows', async () => {
    for (const status of ['CREATED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'COMPLETED'] as const)
      await takeIn({ status });
    const {
      body: { items },
    } = await ask<List>('?limit=100');
    const sums = (await counts()).items.reduce(
      (sum, item) => ({
        count: sum.count + item.count,
        root: sum.root + item.rootAmount,
        refunded: sum.refunded + item.refundedAmount,
      }),
      { count: 0, root: 0, refunded: 0 },
    );
    const total = (of: (money: Schemas['RecoveryMoney']) => number | null) =>
      items.reduce((sum, { money }) => sum + (of(money) ?? 0), 0);
    expect(sums).toEqual({
      count: 5,
      root: total(({ rootAmount }) => rootAmount),
      refunded: total(({ refundedAmount }) => refundedAmount),
    });
  });

  it('leave out amounts that cannot be read, and refunds that were cancelled', async () => {
    await takeIn();
    await change(
      `jsonb_set(jsonb_set(jsonb_set(snapshot, '{TrackingGraph,Transactions,0,Amount}', '"much"'), ` +
        `'{Refunds,0,EffectiveRefundedAmount}', '"1e3"'), '{Refunds,1,Status}', '"CANCELLED"')`,
    );
    expect((await counts()).items).toMatchObject([{ rootAmount: 0, requestedAmount: 81_240, refundedAmount: 0 }]);
  });

  it('are of one environment, and empty for readers who do not see it', async () => {
    await takeIn({ environment: 'sandbox' });
    expect([(await counts()).items.length, (await counts('?environment=sandbox')).items.length]).toEqual([0, 1]);
    expect(
      (await counts('?environment=sandbox', await tenant.client(['read'], { pinEnvironment: true }))).items,
    ).toEqual([]);
  });
});
