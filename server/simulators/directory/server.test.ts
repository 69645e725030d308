/** Tests of the answers of the simulated directory over mutual TLS, for each role in a recovery. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InfractionReportQuery, RefundQuery } from '../../providers/directory/index.ts';
import { day, hour, iso } from './core/values.ts';
import { eventsOf, TestSandbox } from './testing/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.newTenant());

const reports = (role: InfractionReportQuery['role']) =>
  sandbox.client.listInfractionReports(sandbox.ispb, { role, modifiedAfter: iso(0) });
const refunds = (role: RefundQuery['role']) =>
  sandbox.client.listRefunds(sandbox.ispb, { role, modifiedAfter: iso(0), cursor: null });

describe('the simulated directory, for the creator of a recovery', () => {
  it('sends its notifications and shows the recovery at that time', async () => {
    const id = await sandbox.start('tracking-three-reports');
    expect((await sandbox.list()).notifications).toEqual([]);
    expect((await sandbox.client.getFundsRecovery(sandbox.ispb, id)).document).toMatchObject({
      Status: 'CREATED',
      ReporterParticipant: sandbox.ispb,
      CreationTime: iso(sandbox.now),
    });
    await expect(sandbox.client.getTrackingGraph(sandbox.ispb, id)).rejects.toMatchObject({ kind: 'NotFound' });
    sandbox.now += 31 * hour;
    const page = await sandbox.list();
    expect([eventsOf(page), page.hasMore, page.nextCursor, page.responseTime]).toEqual([
      ['ANALYSED'],
      false,
      null,
      iso(sandbox.now),
    ]);
    expect(page.notifications[0]).toMatchObject({
      EntityId: id,
      EntityType: 'FUNDS_RECOVERY',
      Participant: sandbox.ispb,
    });
    expect((await sandbox.client.getFundsRecovery(sandbox.ispb, id)).document).toMatchObject({
      Status: 'ANALYSED',
      LastModified: page.notifications[0]?.Timestamp,
    });
    sandbox.now += day;
    expect(eventsOf(await sandbox.list())).toEqual(['ANALYSED', 'COMPLETED']);
    expect(
      (await sandbox.client.listRecoveryRefunds(sandbox.ispb, id)).document.map(
        ({ RefundAmount, EffectiveRefundedAmount, AnalysisResult }) => [
          RefundAmount,
          EffectiveRefundedAmount,
          AnalysisResult,
        ],
      ),
    ).toEqual([
      ['1000.00', '400.00', 'PARTIALLY_ACCEPTED'],
      ['600.00', '600.00', 'TOTALLY_ACCEPTED'],
    ]);
    expect(
      (await sandbox.client.listRecoveryInfractionReports(sandbox.ispb, id)).document.map(
        ({ Status, AnalysisResult }) => [Status, AnalysisResult],
      ),
    ).toEqual(Array(3).fill(['CLOSED', 'AGREED']));
  });

  it('shows the payer and the receiver of each payment', async () => {
    const id = await sandbox.start('tracking-three-reports');
    sandbox.now += hour;
    const { document } = await sandbox.client.getTrackingGraph(sandbox.ispb, id);
    const { document: recovery } = await sandbox.client.getFundsRecovery(sandbox.ispb, id);
    expect(document).toMatchObject({ RootTransactionId: recovery.RootTransactionId, Parameters: { MaxHops: '2' } });
    const [accounts, transactions] = [document['Accounts'], document['Transactions']].map((value) =>
      Array.isArray(value) ? value : [],
    );
    expect([accounts?.length, transactions?.length]).toEqual([4, 3]);
    expect(recovery.RootTransactionId).toMatch(new RegExp(`^E${sandbox.ispb}20260301\\d{4}[0-9A-Z]{11}$`));
  });

  it('lists the reports and refunds of every recovery by their last change', async () => {
    for (const name of ['tracking-three-reports', 'happy-path']) await sandbox.start(name);
    sandbox.now += 10 * day;
    const { items, hasMore } = await reports('reporter');
    // The creator made only the root payments.
    expect([items.length, hasMore, (await reports('counterparty')).items]).toEqual([2, false, []]);
    expect(items.map(({ LastModified }) => LastModified)).toEqual(
      items.map(({ LastModified }) => LastModified).toSorted(),
    );
    const bounded = await sandbox.client.listInfractionReports(sandbox.ispb, {
      role: 'reporter',
      modifiedAfter: items[0]?.LastModified ?? '',
      modifiedBefore: items[0]?.LastModified ?? '',
    });
    expect(bounded.items).toEqual(items.filter(({ LastModified }) => LastModified === items[0]?.LastModified));
    expect((await refunds('REQUESTING')).items).toHaveLength(3);
    expect((await refunds('CONTESTED')).items).toEqual([]);
  });
});

describe('the simulated directory, for a counterparty', () => {
  it('shows a recovery with the own report of the counterparty, and lists no other', async () => {
    const id = await sandbox.start('tracking-three-reports', { role: 'RECEIVED' });
    expect((await reports('counterparty')).items).toMatchObject([{ FundsRecoveryId: id, Status: 'OPEN' }]);
    sandbox.now += 10 * day;
    expect((await sandbox.list()).notifications).toEqual([]);
    expect((await sandbox.client.getFundsRecovery(sandbox.ispb, id)).document.Status).toBe('COMPLETED');
    await expect(sandbox.client.listRecoveryInfractionReports(sandbox.ispb, id)).rejects.toMatchObject({
      kind: 'Forbidden',
    });
    await expect(sandbox.client.listRecoveryRefunds(sandbox.ispb, id)).rejects.toMatchObject({ kind: 'Forbidden' });
    expect((await reports('counterparty')).items).toMatchObject([
      { FundsRecoveryId: id, CounterpartyParticipant: sandbox.ispb, Status: 'CLOSED' },
    ]);
    expect((await refunds('CONTESTED')).items).toMatchObject([
      { FundsRecoveryId: id, ContestedParticipant: sandbox.ispb },
    ]);
  });

  it('notifies of cancellation and of new information', async () => {
    await sandbox.start('cancelled-during-analysis', { role: 'RECEIVED' });
    await sandbox.start('information-updated', { role: 'RECEIVED' });
    sandbox.now += 5 * hour;
    expect(eventsOf(await sandbox.list())).toEqual(['INFORMATION_UPDATED', 'INFORMATION_UPDATED', 'CANCELLED']);
  });
});

describe('pages of notifications', () => {
  const recoveries = 101;
  const startMany = async (): Promise<void> => {
    for (let i = 0; i < recoveries; i++) await sandbox.start('root-rejected', { pace: 'instant' });
    sandbox.now += 1000;
  };

  it('have 200 entries and a cursor only if another page follows', async () => {
    await startMany();
    const first = await sandbox.list();
    const second = await sandbox.list(first.nextCursor);
    expect([
      first.notifications.length,
      first.hasMore,
      second.notifications.length,
      second.hasMore,
      second.nextCursor,
    ]).toEqual([200, true, 2, false, null]);
    expect(new Set([...first.notifications, ...second.notifications].map(({ Id }) => Id)).size).toBe(2 * recoveries);
    expect((await sandbox.list(first.nextCursor)).notifications).toEqual(second.notifications);

    sandbox.now += 7 * day;
    await expect(sandbox.list(first.nextCursor)).rejects.toMatchObject({ kind: 'BadRequest' });
    expect((await sandbox.list()).notifications).toEqual([]);
  });

  it('reject an invalid cursor and one from before a reset', async () => {
    await startMany();
    const { nextCursor } = await sandbox.list();
    await sandbox.restartFeed();
    for (const cursor of ['abc', '!', 'a'.repeat(600), nextCursor])
      await expect(sandbox.list(cursor)).rejects.toMatchObject({ kind: 'BadRequest' });
  });
});
