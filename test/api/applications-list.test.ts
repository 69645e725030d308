/** API tests of the list of applications: pages, filters, cursors, and that the database uses its indexes. */
import { beforeAll, describe, expect, it } from 'vitest';
import { knex } from '../../server/database/index.ts';
import { type Filter, listQuery, type Order } from '../../server/modules/applications/record/list-store.ts';
import { success } from '../support/api.ts';
import { shared, type Answer, type Credential } from '../support/service.ts';
import { newCpf } from '../support/cpf.ts';
import { draft, person, startWorld, type Application, type List, type Refusal } from './applications-world.ts';

const made: Application[] = [];
const number = newCpf();

const world = await shared(startWorld());
beforeAll(async () => {
  for (let i = 0; i < 7; i++) {
    const applicant = { ...person, ...(i < 2 && { taxId: { type: 'cpf', value: number } }) };
    const { body } = await world.create({
      ...draft,
      applicant,
      level: i % 2 === 0 ? 'basic' : 'standard',
      externalId: `list-${i}`,
    });
    made.push(body);
    world.advance(60_000);
  }
  await success(
    world.api.POST('/v1/applications/{applicationId}/submit', {
      params: { path: { applicationId: made[0]!.id } },
      headers: world.key,
    }),
  );
  await success(
    world.api.POST('/v1/applications/{applicationId}/withdraw', {
      params: { path: { applicationId: made[3]!.id } },
      headers: world.key,
      body: { reasonCode: 'other' },
    }),
  );
});

const list = (query = '', as: Credential = world.key): Promise<Answer<List & Refusal>> =>
  world.request('GET', `/v1/applications${query}`, { as });
const positions = ({ body }: Answer<List>): number[] =>
  body.items.map(({ id }) => made.findIndex((application) => application.id === id));

async function walk(query: string): Promise<number[]> {
  const seen: number[] = [];
  let cursor: string | null = null;
  do {
    const page: Answer<List> = await list(`?${query}${cursor === null ? '' : `&cursor=${cursor}`}`);
    expect(page.status).toBe(200);
    seen.push(...positions(page));
    expect(page.body.hasMore).toBe(page.body.cursor !== null);
    cursor = page.body.cursor;
  } while (cursor !== null);
  return seen;
}

describe('the list of applications', () => {
  it('is newest first', async () => expect(positions(await list())).toEqual([6, 5, 4, 3, 2, 1, 0]));

  it.each([
    ['sort=createdAt', [0, 1, 2, 3, 4, 5, 6]],
    ['sort=-createdAt', [6, 5, 4, 3, 2, 1, 0]],
    ['sort=updatedAt', [1, 2, 4, 5, 6, 0, 3]],
    ['sort=-updatedAt', [3, 0, 6, 5, 4, 2, 1]],
  ])('is complete and in order page by page: %s', async (sort, expected) => {
    for (const limit of [1, 2, 3, 7, 100]) expect(await walk(`${sort}&limit=${limit}`)).toEqual(expected);
  });

  it('skips and repeats nothing when rows appear while it is read', async () => {
    const first = await list('?sort=-createdAt&limit=3');
    const late = (await world.create()).body;
    const second = await list(`?sort=-createdAt&limit=10&cursor=${first.body.cursor}`);
    expect([...positions(first), ...positions(second)]).toEqual([6, 5, 4, 3, 2, 1, 0]);
    await world.database.sql('ALTER TABLE application DISABLE TRIGGER sandbox_only');
    await world.database.sql('DELETE FROM application WHERE id = $1', [late.id]);
  });

  it('is filtered', async () => {
    const [, , third, , , sixth] = made as [
      Application,
      Application,
      Application,
      Application,
      Application,
      Application,
    ];
    expect(positions(await list('?status=draft'))).toEqual([6, 5, 4, 2, 1]);
    expect(positions(await list('?status=in_review&status=withdrawn'))).toEqual([3, 0]);
    expect(positions(await list('?level=basic'))).toEqual([6, 4, 2, 0]);
    expect(positions(await list('?externalId=list-4'))).toEqual([4]);
    expect(positions(await list(`?taxId=${number}`))).toEqual([1, 0]);
    expect(positions(await list(`?taxId=${number}&status=draft`))).toEqual([1]);
    expect(positions(await list(`?taxId=${newCpf()}`))).toEqual([]);
    expect(positions(await list(`?createdAfter=${third.createdAt}&createdBefore=${sixth.createdAt}`))).toEqual([
      4, 3, 2,
    ]);
    expect(
      positions(
        await list(
          `?createdAfter=${encodeURIComponent(third.createdAt.replace('Z', '+00:00'))}&sort=createdAt&limit=1`,
        ),
      ),
    ).toEqual([2]);
    expect((await list('?updatedAfter=2999-12-31T23:59:60Z')).body).toEqual({
      items: [],
      cursor: null,
      hasMore: false,
    });
    expect((await list('?createdBefore=0001-01-01T00:00:00Z')).body.items).toEqual([]);
  });

  it('has no tax number in its index', async () => {
    const rows = await world.database.sql<{ tax_id_mac: Buffer }>(
      'SELECT tax_id_mac FROM application WHERE tax_id_mac IS NOT NULL',
    );
    expect(rows).toHaveLength(2);
    for (const { tax_id_mac } of rows) expect(tax_id_mac.toString('latin1')).not.toContain(number);
    const foreign = await world.create(
      { ...draft, applicant: { ...person, taxId: { type: 'cpf', value: number } } },
      await world.other.key(['write']),
    );
    const [other] = await world.database.sql<{ tax_id_mac: Buffer }>(
      'SELECT tax_id_mac FROM application WHERE id = $1',
      [foreign.body.id],
    );
    expect(other?.tax_id_mac).not.toEqual(rows[0]?.tax_id_mac);
  });
});

describe('a cursor', () => {
  it('is valid only for its filters, its tenant and its service', async () => {
    const {
      body: { cursor },
    } = await list('?limit=2&status=draft');
    const code = async (query: string, as?: Credential) => (await list(query, as)).body.code;
    expect((await list(`?limit=5&status=draft&cursor=${cursor}`)).status).toBe(200);
    expect(await code(`?limit=2&cursor=${cursor}`)).toBe('cursor_filter_mismatch');
    expect(await code(`?limit=2&status=draft&sort=updatedAt&cursor=${cursor}`)).toBe('cursor_filter_mismatch');
    expect(await code(`?limit=2&status=draft&environment=sandbox&cursor=${cursor}`)).toBe('cursor_filter_mismatch');
    expect(await code(`?status=draft&cursor=${cursor}`, await world.other.key(['read']))).toBe('invalid_cursor');
    expect(
      await code(`?status=draft&cursor=${cursor?.replace(/.(?=.{20}$)/, (digit) => (digit === 'A' ? 'B' : 'A'))}`),
    ).toBe('invalid_cursor');
    expect(await code('?cursor=rubbish')).toBe('invalid_cursor');
  });
});

describe('bad parameters', () => {
  it.each([
    ['limit=0', 'invalid_parameter', 'limit'],
    ['limit=101', 'invalid_parameter', 'limit'],
    ['limit=%20', 'invalid_parameter', 'limit'],
    ['status=lost', 'invalid_parameter', 'status'],
    ['sort=name', 'invalid_parameter', 'sort'],
    ['createdAfter=yesterday', 'invalid_parameter', 'createdAfter'],
    ['updatedAfter=2026-11-03T12:10:00%2B00', 'invalid_parameter', 'updatedAfter'],
    ['taxId=529_982', 'invalid_parameter', 'taxId'],
    ['environment=test', 'invalid_parameter', 'environment'],
    ['colour=blue', 'unknown_parameter', 'colour'],
    ['level=basic&level=standard', 'invalid_parameter', 'level'],
  ])('are named: %s', async (query, code, parameter) => {
    const answer = await list(`?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.errors?.map((error) => error.parameter)).toEqual([parameter]);
  });
});

describe('the plan of a list', () => {
  const filter: Filter = { environment: 'live', statuses: [], riskLevels: [] };
  const orders: Order[] = [
    { by: 'createdAt', direction: 'desc' },
    { by: 'updatedAt', direction: 'asc' },
  ];
  const last = ['2026-01-01T00:00:00.000Z', '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21'] as const;

  beforeAll(async () => {
    await world.database.sql(
      `
      INSERT INTO application (tenant_id, id, environment, status, level, purpose, channel, full_name, tax_id_mac,
        applicant, created_by, created_at, updated_at)
      SELECT (ARRAY[$1::uuid, $2::uuid])[1 + n % 2], gen_random_uuid(), 'live', 'draft', 'basic', 'other', 'api', 'N',
        sha256(n::text::bytea), '{}', '{}',
        now() - n * interval '1 minute', now() - n * interval '1 minute'
      FROM generate_series(1, 20000) n`,
      [world.other.id, await world.database.tenant()],
    );
    await world.database.sql('ANALYZE application');
  });

  async function planOf(wanted: Filter, order: Order, after: readonly [string, string] | null): Promise<string> {
    const { sql, bindings } = listQuery(world.other.id, wanted, { order, after, count: 26 }).toSQL().toNative();
    return world.database.database.transaction({ tenantId: world.other.id, readOnly: true }, async (tx) => {
      const rows = await tx.query<Record<'QUERY PLAN', string>>(
        knex.raw(`EXPLAIN ${sql.replaceAll(/\$\d+/g, '?')}`, [...bindings] as never[]),
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
  }

  it.each(orders)('reads $by from the index of the tenant, without sorting', async (order) => {
    for (const after of [null, last]) {
      const plan = await planOf(filter, order, after);
      expect(plan).toContain(
        `Index Scan${order.direction === 'desc' ? ' Backward' : ''} using ` +
          `application_by_${order.by === 'createdAt' ? 'created_at' : 'updated_at'} on application`,
      );
      // What a row shows of other tables is read by sub-plans, which may sort their few rows.
      expect(plan.split('SubPlan')[0]).not.toContain('Sort');
    }
  });

  it('finds a person by the index of tax numbers', async () => {
    const plan = await planOf({ ...filter, taxIdMac: Buffer.alloc(32) }, orders[0] as Order, null);
    expect(plan).toContain('application_by_tax_id');
  });

  it('finds an externalId by its index', async () => {
    const plan = await planOf({ ...filter, externalId: 'x' }, orders[0] as Order, null);
    expect(plan).toContain('application_external_id_key');
  });
});
