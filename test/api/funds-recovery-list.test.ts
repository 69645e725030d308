/** Tests of the list of recoveries: order, pages, filters, and the query plans behind it. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { knex } from '../../server/database/index.ts';
import { listQuery, type RecordFilter } from '../../server/modules/recoveries/list-store.ts';
import { findDeadlines, readTimeline } from '../../server/modules/recoveries/read-store.ts';
import { success } from '../support/api.ts';
import { takeInRecovery, type RecoveryOptions } from '../support/recoveries.ts';
import { useService, type Answer, type Credential, type Tenant } from '../support/service.ts';

type Schemas = components['schemas'];
type List = Schemas['FundsRecoveryRecordList'];
const PATH = '/api/v1/funds-recovery';
const firstDay = Date.parse('2026-10-01T12:00:00.000Z');
const day = 24 * 60 * 60_000;
let tenant: Tenant;
let client: Credential;
const service = await useService();

beforeEach(async () => {
  tenant = await service.tenant();
  client = await tenant.client(['read']);
});

const takeIn = (options: RecoveryOptions = {}) => takeInRecovery(service.database.database, tenant.id, options);

const enableSandbox = async () =>
  success(service.api.POST('/v1/sandbox/enable', { headers: await tenant.key(['admin']) }));

const list = (query = '', as = client) => service.request<List>('GET', PATH + query, { as });
const ids = ({ body }: Answer<List>): string[] => body.items.map(({ id }) => id);

describe('the list of recoveries', () => {
  let made: string[];
  beforeEach(async () => {
    made = [];
    for (const [n, status] of (
      ['CREATED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING', 'COMPLETED', 'COMPLETED'] as const
    ).entries()) {
      made.push(
        await takeIn({ status, role: n === 5 ? 'RECEIVED' : 'SENT', createdAt: new Date(firstDay + n * 10 * day) }),
      );
    }
  });

  it('shows the last changed first, complete and in order page by page', async () => {
    const expected = made.toReversed();
    expect(ids(await list())).toEqual(expected);
    for (const limit of [1, 2, 3, 6]) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Answer<List> = await list(`?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        seen.push(...ids(page));
        expect(page.body.hasMore).toBe(page.body.cursor !== null);
        cursor = page.body.cursor;
      }
      expect(seen).toEqual(expected);
    }
  });

  it('shows those that changed at the same instant once each', async () => {
    for (let n = 0; n < 3; n++)
      made.push(await takeIn({ status: 'CREATED', createdAt: new Date(firstDay + 100 * day) }));
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.body.cursor}`);
    expect(new Set([...ids(first), ...ids(second)])).toEqual(new Set([...made.slice(6), made[5]]));
  });

  it.each<[string, readonly number[]]>([
    ['status=COMPLETED', [5, 4]],
    ['status=CREATED&status=REFUNDING', [3, 0]],
    ['role=RECEIVED', [5]],
    ['role=BOTH', []],
    ['status=COMPLETED&role=SENT', [4]],
    [`updatedAfter=${new Date(firstDay + 40 * day).toISOString()}`, [5, 4]],
    ['environment=sandbox', []],
    ['environment=live&status=ANALYSED', [2]],
  ])('is narrowed by %s', async (query, expected) => {
    expect(ids(await list(`?${query}`))).toEqual(expected.map((n) => made[n]));
  });

  it('is of one environment', async () => {
    const inSandbox = await takeIn({ environment: 'sandbox' });
    await enableSandbox();
    const test = await tenant.client(['read'], { environment: 'test' });
    expect(ids(await list('?environment=sandbox'))).toEqual([inSandbox]);
    expect(ids(await list('', test))).toEqual([inSandbox]);
    expect(ids(await list('?environment=live', test))).toEqual([]);
    expect(
      (await list('?environment=sandbox', await tenant.client(['read'], { pinEnvironment: true }))).body.items,
    ).toEqual([]);
  });

  it.each([
    ['status=OPEN', 'status'],
    ['role=sent', 'role'],
    ['updatedAfter=yesterday', 'updatedAfter'],
    ['status=CREATED&status=CREATED', 'status'],
  ])('refuses %s', async (query, parameter) => {
    const answer = await service.request('GET', `${PATH}?${query}`, { as: client });
    expect([answer.status, answer.body.code, answer.body.errors?.[0]?.parameter]).toEqual([
      400,
      'invalid_parameter',
      parameter,
    ]);
  });

  it('accepts its own cursors only, and only with the same filters', async () => {
    const { cursor } = (await list('?limit=1&status=COMPLETED')).body;
    const codes = await Promise.all(
      [`?limit=1&cursor=${cursor}`, `?status=COMPLETED&cursor=x${cursor}`].map(async (query) => {
        const answer = await service.request('GET', PATH + query, { as: client });
        return [answer.status, answer.body.code];
      }),
    );
    expect(codes).toEqual([
      [400, 'cursor_filter_mismatch'],
      [400, 'invalid_cursor'],
    ]);
  });
});

describe('the plan', () => {
  const filter: RecordFilter = { environment: 'live', statuses: [] };
  const planOf = async (sql: string, bindings: readonly unknown[]): Promise<string> => {
    const rows = await service.database.database.transaction({ tenantId: service.other.id, readOnly: true }, (tx) =>
      tx.query<Record<'QUERY PLAN', string>>(
        knex.raw(`EXPLAIN ${sql.replaceAll(/\$\d+/g, '?').replaceAll('? (@', '\\? (@')}`, [...bindings] as never[]),
      ),
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  beforeAll(async () => {
    await takeInRecovery(service.database.database, service.other.id, {
      status: 'AWAITING_ANALYSIS',
      createdAt: new Date(Date.now() - day),
    });
    await service.database.sql(
      `
      INSERT INTO fr_record (tenant_id, env, funds_recovery_id, ispb, role, root_transaction_id, status, revision,
        created_at, last_modified, analysed_at, next_deadline_at, next_deadline_stage, wake_at, last_read_at,
        published_keys, held, snapshot)
        SELECT (ARRAY[$1::uuid, $2::uuid])[1 + n % 2], r.env, gen_random_uuid(), r.ispb, r.role, r.root_transaction_id,
        r.status, r.revision, r.created_at,
        r.last_modified - n * interval '1 minute', r.analysed_at, CASE WHEN n % 4 = 0
          THEN r.next_deadline_at END, r.next_deadline_stage, r.wake_at, r.last_read_at, '[]', r.held, '{}'
      FROM fr_record r, generate_series(1, 10000) n WHERE r.tenant_id = $1`,
      [service.other.id, await service.database.tenant()],
    );
    await service.database.sql('ANALYZE fr_record');
  });

  it('reads the list from the index of the tenant, without sorting', async () => {
    for (const after of [null, [new Date().toISOString(), '5f0c6a1e-3c2b-4d1a-9e8f-7a6b5c4d3e2f']]) {
      const { sql, bindings } = listQuery(service.other.id, filter, after, 26).toSQL().toNative();
      const plan = await planOf(sql, bindings);
      expect(plan).toContain('Index Scan Backward using fr_record_by_change on fr_record');
      expect(plan).not.toContain('Sort');
    }
  });

  it('reads what is due next, and the events of one recovery, from an index', async () => {
    expect(
      await planOf(findDeadlines.text, findDeadlines.bind({ tenantId: service.other.id, environment: 'live' })),
    ).toContain('Index Scan using fr_record_by_deadline on fr_record');
    const timeline = readTimeline.bind({
      tenantId: service.other.id,
      environment: 'live',
      id: '5f0c6a1e-3c2b-4d1a-9e8f-7a6b5c4d3e2f',
      seq: 0,
      count: 26,
    });
    expect(await planOf(readTimeline.text, timeline)).toContain('using fr_event_recovery on fr_event');
  });
});
