/** Tests of the journal from which the simulated directory computes its state. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { historyOf } from './core/history.ts';
import { day, hour, iso, minute } from './core/values.ts';
import { appendCommand, clearJournal } from './journal.ts';
import { runAt, stateAt } from './state.ts';
import { eventsOf, TestSandbox } from './testing/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.newTenant());

describe('the journal of a tenant', () => {
  it('determines the answers of another process, or of the same one after a crash', async () => {
    for (const name of ['happy-path', 'root-rejected', 'broken-chain']) await sandbox.start(name);
    sandbox.now += 3 * day;
    const { notifications } = await sandbox.list();
    const second = await sandbox.another();
    const other = sandbox.clientOf(second);
    expect(
      (await other.listEventNotifications(sandbox.ispb, { cursor: null, includeIndirect: false })).notifications,
    ).toEqual(notifications);
    await other.close();
    await second.stop();
    expect(
      historyOf(await sandbox.inTenant((tx) => stateAt(tx, new Date(sandbox.now))))
        .filter(({ origin }) => origin === 'NATIVE')
        .map(({ eventType, occurredAt }) => [eventType, occurredAt]),
    ).toEqual(notifications.map(({ Event, Timestamp }) => [Event, Timestamp]));
  });

  it('follows the clock of the sandbox', async () => {
    await sandbox.start('root-rejected');
    await sandbox.database.sql('UPDATE tenant SET sandbox_clock_offset_seconds = $2 WHERE id = $1', [
      sandbox.tenantId,
      86_400,
    ]);
    const page = await sandbox.list();
    expect([eventsOf(page), page.responseTime]).toEqual([['ANALYSED', 'COMPLETED'], iso(sandbox.now + day)]);
  });

  it('determines the time of the next event', async () => {
    await sandbox.start('refund-start-timeout');
    const due = async (): Promise<number | null> =>
      (await sandbox.inTenant((tx) => runAt(tx, sandbox.runId, new Date(sandbox.now))))?.nextEventAt?.getTime() ?? null;
    const times: number[] = [];
    for (let next = await due(); next !== null; next = await due()) times.push((sandbox.now = next));
    expect(times.map((time) => time - Date.parse('2026-03-02T09:00:00.000Z'))).toEqual([
      3 * minute,
      3 * hour + 3 * minute,
      6 * hour + 3 * minute,
      78 * hour + 3 * minute,
    ]);
  });

  it('appends simultaneous commands one after the other', async () => {
    await Promise.all(
      Array.from({ length: 8 }, () =>
        sandbox.inTenant((tx) => appendCommand(tx, new Date(sandbox.now), { type: 'DROP_NOTIFICATIONS', count: 1 })),
      ),
    );
    expect(
      await sandbox.database.sql(
        'SELECT array_agg(seq ORDER BY seq)::text AS seqs FROM dict_sim_command WHERE tenant_id = $1',
        [sandbox.tenantId],
      ),
    ).toEqual([{ seqs: '{1,2,3,4,5,6,7,8}' }]);
  });

  it('is cleared together with commands that are being appended', async () => {
    const appended = Promise.withResolvers<void>();
    const appending = sandbox.inTenant(async (tx) => {
      await appendCommand(tx, new Date(sandbox.now), { type: 'DROP_NOTIFICATIONS', count: 1 });
      appended.resolve();
      await sleep(100);
    });
    await appended.promise;
    await sandbox.inTenant(clearJournal);
    await appending;
    expect(await sandbox.database.sql('SELECT FROM dict_sim_command WHERE tenant_id = $1', [sandbox.tenantId])).toEqual(
      [],
    );
  });

  it('is dropped from the cache after a reset, even if it starts again at the same number', async () => {
    const gone = await sandbox.start('happy-path');
    expect((await sandbox.client.getFundsRecovery(sandbox.ispb, gone)).document.Status).toBe('CREATED');
    await sandbox.inTenant(clearJournal);
    await sandbox.restartFeed();
    const id = await sandbox.start('happy-path');
    await expect(sandbox.client.getFundsRecovery(sandbox.ispb, gone)).rejects.toMatchObject({ kind: 'NotFound' });
    expect((await sandbox.client.getFundsRecovery(sandbox.ispb, id)).document.Status).toBe('CREATED');
  });
});
