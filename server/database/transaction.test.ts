/** Tests of transactions: commit, rollback, and how failures are reported. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../test/support/postgres.ts';
import type { TestDatabase } from '../../test/support/postgres.ts';
import {
  DatabaseUnavailable,
  knex,
  LockNotAvailable,
  SerializationFailure,
  sql,
  statement,
  UnexpectedRowCount,
  UniqueViolation,
} from './index.ts';

interface Consumer {
  readonly consumer_id: string;
  readonly acked_seq: number;
}

type Key = { tenantId: string; consumer: string };

const insert = statement<Key>('test.insert', (p) =>
  knex('fr_consumer').insert({ tenant_id: p.tenantId, env: 'sandbox', consumer_id: p.consumer }),
);
const acknowledge = statement<Key & { seq: number }, Pick<Consumer, 'acked_seq'>>('test.acknowledge', (p) =>
  knex('fr_consumer')
    .update({ acked_seq: p.seq })
    .where({ tenant_id: p.tenantId, env: 'sandbox', consumer_id: p.consumer })
    .returning('acked_seq'),
);
const acknowledgeOne = statement<Key & { seq: number }>(
  'test.acknowledgeOne',
  (p) => knex('fr_consumer').update({ acked_seq: p.seq }).where({ tenant_id: p.tenantId, consumer_id: p.consumer }),
  { expectRows: 1 },
);
const list = statement<{ tenantId: string }, Consumer>('test.list', (p) =>
  knex('fr_consumer').select('consumer_id', 'acked_seq').where({ tenant_id: p.tenantId }).orderBy('consumer_id'),
);

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 2 });
});
afterAll(() => test.close());

const consumers = async (tenantId: string): Promise<string[]> =>
  (await test.database.transaction({ tenantId, readOnly: true }, (tx) => tx.run(list, { tenantId }))).map(
    (row) => row.consumer_id,
  );

describe('transaction', () => {
  it('commits its changes and returns the result of the work', async () => {
    const tenantId = await test.tenant();
    const answer = await test.database.transaction({ tenantId }, async (tx) => {
      expect(await tx.count(insert, { tenantId, consumer: 'a' })).toBe(1);
      return tx.run(acknowledge, { tenantId, consumer: 'a', seq: 7 });
    });
    expect(answer).toEqual([{ acked_seq: 7 }]);
    expect(await consumers(tenantId)).toEqual(['a']);
  });

  it('rolls back everything if the work throws, pipelined statements included', async () => {
    const tenantId = await test.tenant();
    const failing = test.database.transaction({ tenantId }, async (tx) => {
      void tx.run(insert, { tenantId, consumer: 'a' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await consumers(tenantId)).toEqual([]);
  });

  it('sends statements registered for the end together with COMMIT, in order', async () => {
    const tenantId = await test.tenant();
    await test.database.transaction({ tenantId }, async (tx) => {
      tx.beforeCommit(insert, { tenantId, consumer: 'z' });
      tx.beforeCommit(acknowledgeOne, { tenantId, consumer: 'z', seq: 3 });
      expect(await tx.run(list, { tenantId })).toEqual([]);
    });
    expect(await consumers(tenantId)).toEqual(['z']);
  });

  it('fails with the cause if a statement fails that was not awaited', async () => {
    const tenantId = await test.tenant();
    const failing = test.database.transaction({ tenantId }, async (tx) => {
      void tx.run(insert, { tenantId, consumer: 'a' });
      void tx.run(insert, { tenantId, consumer: 'a' });
      void tx.run(insert, { tenantId, consumer: 'b' });
    });
    await expect(failing).rejects.toMatchObject({ name: 'UniqueViolation', constraint: 'fr_consumer_pkey' });
    expect(await consumers(tenantId)).toEqual([]);
  });

  it('fails with the cause if the work swallows a failure, because COMMIT was answered by ROLLBACK', async () => {
    const tenantId = await test.tenant();
    const failing = test.database.transaction({ tenantId }, async (tx) => {
      await tx.run(insert, { tenantId, consumer: 'a' });
      await tx.run(insert, { tenantId, consumer: 'a' }).catch(() => {});
      return 'looks fine';
    });
    await expect(failing).rejects.toBeInstanceOf(UniqueViolation);
    expect(await consumers(tenantId)).toEqual([]);
  });

  it('names the cause and not its consequence when a later statement is awaited', async () => {
    const tenantId = await test.tenant();
    const failing = test.database.transaction({ tenantId }, async (tx) => {
      void tx.run(insert, { tenantId, consumer: 'a' });
      void tx.run(insert, { tenantId, consumer: 'a' });
      await tx.run(list, { tenantId });
    });
    await expect(failing).rejects.toBeInstanceOf(UniqueViolation);
  });

  it('rolls back if a last statement fails', async () => {
    const tenantId = await test.tenant();
    const failing = test.database.transaction({ tenantId }, async (tx) => {
      await tx.run(insert, { tenantId, consumer: 'a' });
      tx.beforeCommit(insert, { tenantId, consumer: 'a' });
    });
    await expect(failing).rejects.toBeInstanceOf(UniqueViolation);
    expect(await consumers(tenantId)).toEqual([]);
  });

  it.each(['during the work', 'at the end'])('rolls back when a statement misses its row %s', async (when) => {
    const tenantId = await test.tenant();
    const failing = test.database.transaction({ tenantId }, async (tx) => {
      await tx.run(insert, { tenantId, consumer: 'a' });
      if (when === 'at the end') tx.beforeCommit(acknowledgeOne, { tenantId, consumer: 'other', seq: 1 });
      else void tx.run(acknowledgeOne, { tenantId, consumer: 'other', seq: 1 });
    });
    await expect(failing).rejects.toBeInstanceOf(UnexpectedRowCount);
    expect(await consumers(tenantId)).toEqual([]);
  });

  it('refuses to write if it is read-only', async () => {
    const tenantId = await test.tenant();
    const writing = test.database.transaction({ tenantId, readOnly: true }, (tx) =>
      tx.run(insert, { tenantId, consumer: 'a' }),
    );
    await expect(writing).rejects.toMatchObject({ code: '25006' });
  });

  it('refuses a statement after its end', async () => {
    const tenantId = await test.tenant();
    const ended = await test.database.transaction({ tenantId }, async (tx) => {
      await tx.run(list, { tenantId });
      return { tx };
    });
    await expect(ended.tx.run(insert, { tenantId, consumer: 'late' })).rejects.toThrow('has ended');
    expect(await consumers(tenantId)).toEqual([]);
  });

  it('needs no connection to the server if no statement was sent', async () => {
    expect(await test.database.transaction({ tenantId: await test.tenant() }, async () => 1)).toBe(1);
  });

  it('refuses a tenant id that is not a UUID', async () => {
    await expect(test.database.transaction({ tenantId: `' OR true` }, async () => 1)).rejects.toThrow('UUID');
  });

  it('returns each connection exactly once, however it ends', async () => {
    const tenantId = await test.tenant();
    await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        test.database.transaction({ tenantId, readOnly: index % 4 === 0 }, async (tx) => {
          void tx.run(list, { tenantId });
          if (index % 4 === 1) throw new Error('no');
          if (index % 4 === 2) await tx.query(sql`SELECT 1 / 0`);
        }),
      ),
    );
    await sleep(20);
    expect(test.database.connections()).toMatchObject({ waiting: 0, idle: test.database.connections().total });
  });
});

describe('failures', () => {
  it('report a connection that breaks as an unavailable database and replace it', async () => {
    const tenantId = await test.tenant();
    const breaking = test.database.transaction({ tenantId }, async (tx) => {
      const [row] = await tx.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
      await test.sql('SELECT pg_terminate_backend($1)', [row?.pid]);
      await tx.run(insert, { tenantId, consumer: 'a' });
    });
    await expect(breaking).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await consumers(tenantId)).toEqual([]);
  });

  it('report a statement that runs too long as an unavailable database', async () => {
    const slow = test.database.transaction({ tenantId: await test.tenant() }, async (tx) => {
      await tx.query(sql`SET LOCAL statement_timeout = '20ms'`);
      await tx.query(sql`SELECT pg_sleep(5)`);
    });
    await expect(slow).rejects.toBeInstanceOf(DatabaseUnavailable);
  });

  it('report a row that another transaction holds, if NOWAIT was set', async () => {
    const tenantId = await test.tenant();
    await test.database.transaction({ tenantId }, (tx) => tx.run(insert, { tenantId, consumer: 'a' }));
    const lock = (): ReturnType<typeof knex> =>
      knex('fr_consumer').select('env').where({ tenant_id: tenantId }).forUpdate().noWait();
    const second = test.database.transaction({ tenantId }, async (tx) => {
      await tx.query(lock());
      await test.database.transaction({ tenantId }, (other) => other.query(lock()));
    });
    await expect(second).rejects.toBeInstanceOf(LockNotAvailable);
  });

  it('report two transactions in a deadlock as repeatable', async () => {
    const tenantId = await test.tenant();
    await test.database.transaction({ tenantId }, async (tx) => {
      void tx.run(insert, { tenantId, consumer: 'a' });
      void tx.run(insert, { tenantId, consumer: 'b' });
    });
    let bothHold: () => void = () => {};
    const meeting = new Promise<void>((resolve) => (bothHold = resolve));
    let holding = 0;
    const results = await Promise.allSettled(
      [
        ['a', 'b'],
        ['b', 'a'],
      ].map(([first = '', second = '']) =>
        test.database.transaction({ tenantId }, async (tx) => {
          await tx.run(acknowledge, { tenantId, consumer: first, seq: 1 });
          if (++holding === 2) bothHold();
          await meeting;
          await tx.run(acknowledge, { tenantId, consumer: second, seq: 2 });
        }),
      ),
    );
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(failures).toHaveLength(1);
    expect(failures[0]).toBeInstanceOf(SerializationFailure);
  });

  it('report a server that does not exist as an unavailable database', async () => {
    const { connectDatabase } = await import('./index.ts');
    const { silent } = await import('../../test/support/silent.ts');
    const nowhere = connectDatabase({ ...test.location, host: '/nonexistent' }, test.secrets, {
      poolSize: 1,
      log: silent,
      stop: async () => {},
    });
    await expect(nowhere.ping()).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(
      nowhere.transaction({ tenantId: await test.tenant() }, (tx) => tx.query(sql`SELECT 1`)),
    ).rejects.toBeInstanceOf(DatabaseUnavailable);
    await nowhere.close();
  });
});
