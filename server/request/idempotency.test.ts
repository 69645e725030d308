/** Tests of the store of answers that are replayed for a repeated Idempotency-Key. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { sql, UniqueViolation } from '../database/index.ts';
import { reportableErrorOf } from './error-mapping.ts';
import { Idempotency, type IdempotencyReservation, type IdempotentCall } from './idempotency.ts';

let database: TestDatabase;
let tenantId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  tenantId = await database.tenant();
});
afterAll(() => database.close());

const call = (key: string): IdempotentCall => ({
  tenantId,
  principal: 'api_key:p',
  method: 'POST',
  path: '/v1/applications',
  key,
  body: { a: 1 },
  fileDigest: null,
});

/** Inserts the record of a concurrent call that commits between the look-up and the lock. */
async function twinCommits(key: string): Promise<void> {
  const keyHash = createHmac('sha256', database.secrets.deriveKey('idempotency-key-hash')).update(key).digest();
  await database.sql(
    `INSERT INTO idempotency_record (tenant_id, environment, principal, method, path, key_hash, fingerprint, status,
      expires_at)
     VALUES ($1, 'live', 'api_key:p', 'POST', '/v1/applications', $2, '\\x00', 201, now() + interval '1 day')`,
    [tenantId, keyHash],
  );
}

describe('a claim on an idempotency key', () => {
  it('excludes every other call while its transaction runs', async () => {
    const idempotency = new Idempotency(database.secrets);
    await database.database.transaction({ tenantId }, async (tx) => {
      await idempotency.reserve(tx, call('held'));
      await expect(
        database.database.transaction({ tenantId }, (other) => idempotency.reserve(other, call('held'))),
      ).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    });
  });

  it('notices a concurrent call that has just committed, so that its effect is not mistaken for a conflict', async () => {
    const idempotency = new Idempotency(database.secrets);
    await database.database.transaction({ tenantId }, async (tx) => {
      const claim = (await idempotency.reserve(tx, call('overtaken'))) as IdempotencyReservation;
      expect(await claim.wasOvertaken(database.database)).toBe(false);
      await twinCommits('overtaken');
      expect(await claim.wasOvertaken(database.database)).toBe(true);
    });
  });

  it('cannot store a second answer beside that of a concurrent call: the whole transaction fails, and the caller is asked to retry', async () => {
    const idempotency = new Idempotency(database.secrets);
    const work = database.database.transaction({ tenantId }, async (tx) => {
      const claim = (await idempotency.reserve(tx, call('second'))) as IdempotencyReservation;
      await twinCommits('second');
      claim.keep(
        {
          environment: 'live',
          status: 201,
          headers: {},
          body: '{}',
          personalData: false,
        },
        new Date(),
      );
    });
    const error: unknown = await work.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UniqueViolation);
    expect(reportableErrorOf(error)).toMatchObject({ code: 'idempotency_in_progress' });
  });

  it('does not find an answer that a crash could still undo', async () => {
    const idempotency = new Idempotency(database.secrets);
    for (let round = 0; round < 10; round += 1) {
      // The test server commits like a contended writer: visible first, on disk later.
      await database.database.transaction({ tenantId }, async (tx) => {
        ((await idempotency.reserve(tx, call(`early-${round}`))) as IdempotencyReservation).keep(
          {
            environment: 'live',
            status: 201,
            headers: {},
            body: '{}',
            personalData: false,
          },
          new Date(),
        );
      });
      const [committed] = await database.sql<{ end: string }>('SELECT pg_current_wal_insert_lsn()::text AS end');
      const found = await database.database.transaction({ tenantId }, async (tx) => {
        void tx.query(sql`SET LOCAL synchronous_commit = on`);
        return idempotency.reserve(tx, call(`early-${round}`));
      });
      expect(found).toHaveProperty('status', 201);
      const [disk] = await database.sql<{ has: boolean }>('SELECT pg_current_wal_flush_lsn() >= $1::pg_lsn AS has', [
        committed?.end,
      ]);
      expect(disk?.has).toBe(true);
    }
  });

  it('returns the stored response only to the same call', async () => {
    const idempotency = new Idempotency(database.secrets);
    const begin = (over: Partial<IdempotentCall> = {}) =>
      database.database.transaction({ tenantId }, (tx) => idempotency.reserve(tx, { ...call('kept'), ...over }));
    await database.database.transaction({ tenantId }, async (tx) => {
      const claim = (await idempotency.reserve(tx, call('kept'))) as IdempotencyReservation;
      claim.keep(
        {
          environment: 'live',
          status: 201,
          headers: { ETag: '"1"' },
          body: '{"secret":"s"}',
          personalData: true,
        },
        new Date(),
      );
    });
    expect(await begin()).toEqual({
      environment: 'live',
      status: 201,
      headers: { ETag: '"1"' },
      body: '{"secret":"s"}',
      personalData: true,
    });
    await expect(begin({ body: { a: 2 } })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    await expect(begin({ fileDigest: 'f' })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    for (const over of [{ principal: 'user:u' }, { path: '/v1/other' }, { method: 'PUT' }, { key: 'other' }])
      expect(await begin(over)).toHaveProperty('keep');
  });
});
