/** Tests of the filters by which recoveries are found: payments, participants and tax numbers. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { knex } from '../../server/database/index.ts';
import { countQuery, listQuery } from '../../server/modules/recoveries/list-store.ts';
import { success } from '../support/api.ts';
import { COUNTERPARTY, ISPB, type RecoveryOptions, takeInRecovery } from '../support/recoveries.ts';
import { type Answer, type Credential, startTestService, type Tenant, useService } from '../support/service.ts';

type Schemas = components['schemas'];
type List = Schemas['FundsRecoveryRecordList'];
const PATH = '/api/v1/funds-recovery';
const PAYER = '11144477735';
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

const found = async (query: string, as = client): Promise<string[]> =>
  (await ask<List>(`?${query}`, as)).body.items.map(({ id }) => id);

const refusalOf = async (path: string, as = client) => {
  const { status, body } = await ask<{ code: string; errors?: { parameter?: string; code?: string }[] }>(path, as);
  return [status, body.code, ...(body.errors ?? []).map(({ parameter }) => parameter)];
};

/** Changes the one document of the recovery of this tenant. */
const change = (sql: string) =>
  service.database.sql(`UPDATE fr_record SET snapshot = ${sql} WHERE tenant_id = $1`, [tenant.id]);

async function maskPayloads(): Promise<void> {
  const as = await tenant.key(['admin']);
  const { headers } = await service.request('GET', '/v1/settings', { as });
  expect(
    (
      await service.request('PATCH', '/v1/settings', {
        as,
        headers: { 'If-Match': headers.get('etag') ?? '' },
        body: { fundsRecovery: { rawPayload: 'masked' } },
      })
    ).status,
  ).toBe(200);
}

describe('a recovery', () => {
  it('is found by each payment that it names: the root, what was reported and traced, and a return', async () => {
    const [id] = [await takeIn(), await takeIn()];
    const { rootTransactionId } = (await ask<Schemas['FundsRecoveryRecord']>(`/${id}`)).body;
    const reports = (await ask<Schemas['InfractionReportList']>(`/${id}/infraction-reports`)).body.items;
    const refunds = (await ask<Schemas['RefundList']>(`/${id}/refunds`)).body.items;
    const traced = (await ask<Schemas['TrackingGraph']>(`/${id}/tracking-graph`)).body.transactions;
    const named = new Set([
      rootTransactionId,
      ...reports.map(({ transactionId }) => transactionId),
      ...traced.map((payment) => payment.id),
      ...refunds.flatMap(({ refundTransactionId }) => refundTransactionId ?? []),
    ]);
    expect(named.size).toBe(3);
    for (const payment of named) expect(await found(`endToEndId=${payment}`), payment).toEqual([id]);
    expect(await found('endToEndId=E40511220202611021014zzzzzzzzzzz')).toEqual([]);
  });

  it('is found by the other participant on either side, not by one’s own', async () => {
    const [sent, received] = [
      await takeIn(),
      await takeIn({ role: 'RECEIVED', createdAt: new Date('2026-11-05T12:00:00Z') }),
    ];
    expect(await found(`counterparty=${COUNTERPARTY}`)).toEqual([received, sent]);
    expect(await found(`counterparty=${COUNTERPARTY}&role=RECEIVED&status=COMPLETED`)).toEqual([received]);
    expect(await found(`counterparty=${ISPB}`)).toEqual([]);
  });

  it('is found by the tax number of the person whose account is refunded, with and without punctuation', async () => {
    const [id] = [await takeIn({ taxId: PAYER }), await takeIn()];
    for (const taxId of [PAYER, '111.444.777-35'])
      expect(await found(`taxId=${encodeURIComponent(taxId)}`)).toEqual([id]);
    expect(await found('taxId=12345678909')).toEqual([]);
  });

  it('is found by the CNPJ of a company with letters, in each way of writing it', async () => {
    const [id] = [await takeIn({ taxId: '12ABC34501DE35' }), await takeIn()];
    for (const taxId of ['12ABC34501DE35', '12.ABC.345/01DE-35', '12abc34501de35'])
      expect(await found(`taxId=${encodeURIComponent(taxId)}`), taxId).toEqual([id]);
    expect(await found('taxId=12ABC345000188')).toEqual([]);
  });

  it('is found by its creation', async () => {
    const [early, late] = [
      await takeIn({ createdAt: new Date('2026-10-01T12:00:00Z') }),
      await takeIn({ createdAt: new Date('2026-11-01T12:00:00Z') }),
    ];
    expect(await found('createdAfter=2026-11-01T12:00:00.000Z')).toEqual([late]);
    expect(await found('createdBefore=2026-11-01T12:00:00.000Z')).toEqual([early]);
  });

  it('is not found by a tax number any more once its payloads are erased, nor after a later read', async () => {
    const id = await takeIn({ taxId: PAYER, status: 'REFUNDING' });
    await success(
      service.api.DELETE('/api/v1/funds-recovery/{fundsRecoveryId}/payloads', {
        params: { path: { fundsRecoveryId: id } },
        headers: client,
      }),
    );
    expect(await found(`taxId=${PAYER}`)).toEqual([]);
    await takeIn({ taxId: PAYER, recovery: { Id: id } });
    expect([await found(`taxId=${PAYER}`), await found(`counterparty=${COUNTERPARTY}`)]).toEqual([[], [id]]);
    expect(
      await service.database.sql(`SELECT 1 FROM fr_reference WHERE tenant_id = $1 AND kind = 'tax_number'`, [
        tenant.id,
      ]),
    ).toEqual([]);
  });

  it('stores only what an index can hold, whatever the directory sends', async () => {
    const id = await takeIn();
    await change(
      "jsonb_set(jsonb_set(snapshot, '{InfractionReports,0,TransactionId}', to_jsonb(repeat('E', 10000))), " +
        `'{Refunds,0,RefundAccount}', '["odd"]')`,
    );
    expect(await found(`counterparty=${COUNTERPARTY}`)).toEqual([id]);
  });

  it('of another tenant or environment is not found', async () => {
    const other = await service.tenant();
    const theirs = await takeIn({ taxId: PAYER }, other);
    const { rootTransactionId } = (
      await service.request<Schemas['FundsRecoveryRecord']>('GET', `${PATH}/${theirs}`, {
        as: await other.user('owner'),
      })
    ).body;
    await takeIn({ taxId: PAYER, environment: 'sandbox' });
    for (const query of [`endToEndId=${rootTransactionId}`, `counterparty=${COUNTERPARTY}`, `taxId=${PAYER}`])
      expect(await found(query), query).toEqual([]);
  });
});

describe.each(['?', '/export?', '/statistics?'])('the filters of %s', (path) => {
  it.each([
    ['endToEndId=E40511220', 'endToEndId'],
    ['endToEndId=X40511220202611021014k3Jq81LmZ0a', 'endToEndId'],
    ['counterparty=4051122', 'counterparty'],
    ['counterparty=4051122a', 'counterparty'],
    ['taxId=%C3%A7', 'taxId'],
    ['createdAfter=today', 'createdAfter'],
    ['createdBefore=today', 'createdBefore'],
    ['updatedAfter=today', 'updatedAfter'],
    ['status=OPEN', 'status'],
    ['role=sent', 'role'],
    ['environment=test', 'environment'],
  ])('refuse %s', async (query, parameter) => {
    expect(await refusalOf(path + query)).toEqual([400, 'invalid_parameter', parameter]);
  });

  it('refuse one that is not known', async () => {
    expect((await refusalOf(`${path}counterpart=90400888`)).slice(0, 2)).toEqual([400, 'unknown_parameter']);
  });

  it('look nobody up for readers who see persons masked, nor for anybody while the tenant has payloads masked', async () => {
    await takeIn();
    for (const role of ['admin', 'developer', 'viewer'] as const)
      expect(await refusalOf(`${path}taxId=${PAYER}`, await tenant.user(role)), role).toEqual([
        403,
        'personal_data_masked',
        'taxId',
      ]);
    expect((await ask(`${path}taxId=${PAYER}`)).status).toBe(200);
    await maskPayloads();
    expect(await refusalOf(`${path}taxId=${PAYER}`)).toEqual([403, 'personal_data_masked', 'taxId']);
    expect((await ask(`${path}counterparty=${COUNTERPARTY}`)).status).toBe(200);
  });
});

it('counts look-ups by tax number, of whichever operation, together', async () => {
  const counted = await startTestService({ env: { RATE_LIMIT_LOOKUPS: '3' } });
  try {
    const as = await counted.acme.user('owner');
    const statuses: number[] = [];
    for (const path of ['?', '/export?', '/statistics?', '?'])
      statuses.push((await counted.request('GET', `${PATH}${path}taxId=${PAYER}`, { as })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await counted.request('GET', `${PATH}?counterparty=${COUNTERPARTY}`, { as })).status).toBe(200);
  } finally {
    await counted.stop();
  }
});

describe('the plan', () => {
  const filter = { environment: 'live', statuses: [] } as const;
  const planOf = async (fragment: {
    toSQL: () => { toNative: () => { sql: string; bindings: readonly unknown[] } };
  }): Promise<string> => {
    const { sql, bindings } = fragment.toSQL().toNative();
    const rows = await service.database.database.transaction({ tenantId: service.other.id, readOnly: true }, (tx) =>
      tx.query<Record<'QUERY PLAN', string>>(
        knex.raw(`EXPLAIN ${sql.replaceAll(/\$\d+/g, '?')}`, [...bindings] as never[]),
      ),
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  // The rows are as wide as records with the keys of their events.
  beforeAll(async () => {
    await takeInRecovery(service.database.database, service.other.id);
    await service.database.sql(
      `
      INSERT INTO fr_record (tenant_id, env, funds_recovery_id, ispb, role, root_transaction_id, status, revision,
        created_at, last_modified, analysed_at, next_deadline_at, next_deadline_stage, wake_at, last_read_at,
        published_keys, held, snapshot)
        SELECT (ARRAY[$1::uuid, $2::uuid])[1 + least(n % 20, 1)], r.env, gen_random_uuid(), r.ispb, r.role, 'E' || n,
        r.status, r.revision, r.created_at - n * interval '1 minute',
        r.last_modified, r.analysed_at, r.next_deadline_at, r.next_deadline_stage, r.wake_at, r.last_read_at,
          to_jsonb(repeat('k', 1500)), r.held,
        jsonb_build_object('FundsRecovery', jsonb_build_object('RootTransactionId', 'E' || n, 'ReporterParticipant',
          lpad((n % 300)::text, 8, '0')))
      FROM fr_record r, generate_series(1, 5000) n WHERE r.tenant_id = $1`,
      [service.other.id, await service.database.tenant()],
    );
    await service.database.sql('ANALYZE fr_record');
    await service.database.sql('ANALYZE fr_reference');
  });

  it('finds a payment and a tax number by an index of what documents name', async () => {
    for (const wanted of [{ endToEndId: 'E4711' }, { taxNumber: PAYER }]) {
      const plan = await planOf(listQuery(service.other.id, { ...filter, ...wanted }, null, 26));
      expect(plan).toContain('fr_reference_by_value');
      expect(plan).not.toMatch(/Seq Scan/);
    }
  });

  it('counts what was created in a time from an index', async () => {
    expect(
      await planOf(countQuery(service.other.id, { ...filter, createdAfter: new Date('2026-11-02T00:00:00.000Z') })),
    ).toContain('using fr_record_by_creation on fr_record');
  });
});
