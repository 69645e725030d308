/** Tests of counting applications and storage against quotas, in a database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.ts';
import { uuidv7 } from '../../../base/uuid.ts';
import { statements } from '../../../database/statement.ts';
import { liveUsage, Quotas } from './quotas.ts';

const MINUTE = 60_000;
const NOON = new Date('2026-11-21T12:00:00Z');
const at = (minutes: number): Date => new Date(NOON.getTime() + minutes * MINUTE);

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const tenantWith = async (quotas: object): Promise<string> => {
  const id = await test.tenant();
  await test.sql('UPDATE tenant SET quotas = $2 WHERE id = $1', [id, quotas]);
  return id;
};
const insert = (tenantId: string, created: Date, count = 1, environment = 'live') =>
  test.sql(
    `
  INSERT INTO application (tenant_id, id, environment, status, level, purpose, channel, full_name, applicant,
    created_by, created_at, updated_at)
  SELECT $1, gen_random_uuid(), $2, 'draft', 'basic', 'other', 'api', 'Maria', '{}', '{}', $3, $3
    FROM generate_series(1, $4)`,
    [tenantId, environment, created, count],
  );
const create = (quotas: Quotas, tenantId: string, now: Date): Promise<string> =>
  test.database
    .transaction({ tenantId }, async (tx) => {
      const subject = { tenantId, environment: 'live' } as const;
      return quotas.create(tx, subject, { now, room: await quotas.monthlyRoom(tx, subject, now) }, async () => {});
    })
    .then(
      () => 'created',
      (error: Error) => error.message,
    );
const store = (quotas: Quotas, tenantId: string, now: Date, bytes: number): Promise<string> =>
  test.database
    .transaction({ tenantId }, (tx) => quotas.assertStorage(tx, { tenantId, environment: 'live' }, now, bytes))
    .then(
      () => 'stored',
      (error: Error) => error.message,
    );

describe('quotas', () => {
  it('count settled rows once and keep counting new rows', async () => {
    const tenantId = await tenantWith({ applicationsPerMonth: 1_010 });
    const quotas = new Quotas();
    await insert(tenantId, at(-180), 5);
    expect(await create(quotas, tenantId, NOON)).toBe('created');
    // Settled rows are not counted again: these rows are added too late to be counted while the quota has room.
    await insert(tenantId, at(-60), 1_000);
    expect(await create(quotas, tenantId, at(1))).toBe('created');
    await insert(tenantId, at(1), 4);
    expect(await create(quotas, tenantId, at(2))).toBe('created');
    // Near the limit all rows are counted.
    await insert(tenantId, at(2), 2);
    expect(await create(quotas, tenantId, at(3))).toBe('quota_exceeded');
  });

  it('start again with each month', async () => {
    const tenantId = await tenantWith({ applicationsPerMonth: 3 });
    const quotas = new Quotas();
    await insert(tenantId, at(-180), 4);
    expect(await create(quotas, tenantId, NOON)).toBe('quota_exceeded');
    expect(await create(quotas, tenantId, new Date('2026-12-01T00:00:00Z'))).toBe('created');
    expect(await create(quotas, tenantId, new Date('2026-11-30T23:59:59.999Z'))).toBe('quota_exceeded');
  });

  it('of storage take erased documents into account near the limit', async () => {
    const tenantId = await tenantWith({ storageGb: 4 });
    const quotas = new Quotas();
    const [application] = await test.sql<{ id: string }>(
      `
      INSERT INTO application (tenant_id, id, environment, status, level, purpose, channel, full_name, applicant,
        created_by, created_at)
      VALUES ($1, $2, 'live', 'draft', 'basic', 'other', 'api', 'Maria', '{}', '{}', $3) RETURNING id`,
      [tenantId, uuidv7(), at(-120)],
    );
    await test.sql(
      `
      INSERT INTO document (tenant_id, id, application_id, environment, type, side, file_name, mime_type, size_bytes,
        sha256, storage_key, created_by, created_at)
      SELECT $1, gen_random_uuid(), $2, 'live', 'passport', 'front', 'a.jpg', 'image/jpeg', 1073741824,
        lpad(n::text, 64, '0'), 'k', '{}', $3 FROM generate_series(1, 4) n`,
      [tenantId, application?.id, at(-120)],
    );
    expect(await store(quotas, tenantId, NOON, 1)).toBe('quota_exceeded');
    await test.sql(`UPDATE document SET status = 'erased' WHERE tenant_id = $1`, [tenantId]);
    expect(await store(quotas, tenantId, at(1), 1)).toBe('stored');
    expect(await test.database.transaction({ tenantId }, (tx) => liveUsage(tx, tenantId, NOON))).toEqual({
      applicationsThisMonth: 1,
      storageBytes: 0,
    });
  });

  it('find their rows through an index, however many rows there are', async () => {
    const tenantId = await tenantWith({ applicationsPerMonth: 1_000_000 });
    await insert(tenantId, at(-600), 20_000);
    await test.sql('VACUUM ANALYZE application');
    const [plan] = await test.sql<{ 'QUERY PLAN': { Plan: object }[] }>(
      `
      EXPLAIN (FORMAT JSON) ${statements.get('usage.applicationsPerMonth')}`,
      [tenantId, at(-5), new Date('9999-01-01T00:00:00Z')],
    );
    expect(JSON.stringify(plan)).toContain('"Index Only Scan"');
  });
});
