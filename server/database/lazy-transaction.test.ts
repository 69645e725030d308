/** Tests of transactions that take a connection only when the first statement is run. */
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../test/support/postgres.ts';
import { knex, statement, type Transaction } from './index.ts';
import { lazyTransaction } from './lazy-transaction.ts';

const add = statement<{ key: string }>('lazy.add', (p) => knex('login_throttle').insert({ key: p.key }));
const count = statement<Record<never, never>, { count: number }>('lazy.count', () =>
  knex('login_throttle').count('* as count'),
);

describe('a transaction that is opened on first use', async () => {
  const { database, close } = await createTestDatabase({ poolSize: 2 });
  let opened = 0;
  const open = (work: (tx: Transaction) => Promise<void>): Promise<void> => {
    opened++;
    return database.platform({ tenantId: null }, work);
  };
  const rows = async (): Promise<number> =>
    (await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(count, {})))[0]?.count ?? -1;

  it('takes no connection if no statement is run', async () => {
    expect(await lazyTransaction(open, async () => 'nothing')).toBe('nothing');
    await expect(
      lazyTransaction(open, async () => {
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    expect(opened).toBe(0);
  });

  it('commits statements that are run at once and at the end', async () => {
    await lazyTransaction(open, async (tx) => {
      await tx.run(add, { key: 'a' });
      tx.beforeCommit(add, { key: 'b' });
    });
    await lazyTransaction(open, async (tx) => tx.beforeCommit(add, { key: 'c' }));
    expect(await rows()).toBe(3);
  });

  it('rolls everything back with the error of the work', async () => {
    await expect(
      lazyTransaction(open, async (tx) => {
        await tx.run(add, { key: 'd' });
        tx.beforeCommit(add, { key: 'e' });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await rows()).toBe(3);
  });

  it('fails if a statement that was not awaited failed', async () => {
    await expect(
      lazyTransaction(open, async (tx) => {
        tx.beforeCommit(add, { key: 'a' });
      }),
    ).rejects.toThrow('login_throttle');
    expect(await rows()).toBe(3);
  });

  it('fails if no connection is available', async () => {
    await expect(
      lazyTransaction(
        () => Promise.reject(new Error('no connection')),
        (tx) => tx.run(count, {}),
      ),
    ).rejects.toThrow('no connection');
  });

  it('allows more concurrent callers with look-ups of their own than there are connections', async () => {
    const callers = Array.from({ length: 8 }, (_, n) =>
      lazyTransaction(open, async (tx) => {
        await rows();
        await tx.run(add, { key: `many-${n}` });
      }),
    );
    await Promise.all(callers);
    expect(await rows()).toBe(11);
    await close();
  });
});
