/** Tests of the faults that a sandbox can arm, by which the simulated directory disturbs its answers. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { day, hour, iso, minute, sandboxIspb } from './core/values.ts';
import { eventsOf, TestSandbox } from './testing/test-sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await TestSandbox.open();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.newTenant());

describe('an armed fault', () => {
  beforeEach(async () => {
    await sandbox.start('root-rejected', { pace: 'instant' });
    sandbox.now += 1000;
  });

  it('repeats a page', async () => {
    const good = await sandbox.list();
    await sandbox.arm('duplicate_page');
    const first = await sandbox.list();
    const second = await sandbox.list(first.nextCursor);
    expect([first.hasMore, second.hasMore, first.notifications, second.notifications]).toEqual([
      true,
      false,
      good.notifications,
      good.notifications,
    ]);
  });

  it('reverses a page', async () => {
    await sandbox.arm('reversed_page');
    expect(eventsOf(await sandbox.list())).toEqual(['COMPLETED', 'ANALYSED']);
    expect(eventsOf(await sandbox.list())).toEqual(['ANALYSED', 'COMPLETED']);
  });

  it.each([
    ['rate_limited', 'RateLimited', 60],
    ['unavailable', 'ServiceUnavailable', 30],
    ['truncated', 'Unreadable', null],
    ['wrong_signature', 'SignatureInvalid', null],
    ['slow', 'Transport', null],
  ] as const)('%s fails one call as %s, and the next one works', async (kind, failure, retryAfterSeconds) => {
    await sandbox.arm(kind);
    await expect(sandbox.list()).rejects.toMatchObject({ kind: failure, retryAfterSeconds });
    expect((await sandbox.list()).notifications).toHaveLength(2);
  });

  it('invalidates a cursor', async () => {
    await sandbox.arm('duplicate_page', 2);
    const { nextCursor } = await sandbox.list();
    await sandbox.arm('cursor_invalidated');
    await expect(sandbox.list(nextCursor)).rejects.toMatchObject({ kind: 'BadRequest' });
    expect((await sandbox.list(nextCursor)).notifications).toHaveLength(2);
  });

  it('adds an event and a status that the API does not have', async () => {
    await sandbox.arm('unknown_enum', 2);
    const page = await sandbox.list();
    expect(eventsOf(page)).toEqual(['ANALYSED', 'COMPLETED', 'ESCALATED']);
    const id = page.notifications[0]?.EntityId ?? '';
    expect((await sandbox.client.getFundsRecovery(sandbox.ispb, id)).document.Status).toBe('ESCALATED');
    expect((await sandbox.client.getFundsRecovery(sandbox.ispb, id)).document.Status).toBe('COMPLETED');
  });

  it('puts a wrong time into an answer', async () => {
    await sandbox.arm('clock_skew');
    expect([(await sandbox.list()).responseTime, (await sandbox.list()).responseTime]).toEqual([
      iso(sandbox.now + hour),
      iso(sandbox.now),
    ]);
  });

  it('delays or drops the next notification permanently', async () => {
    await sandbox.arm('late_notification');
    await sandbox.start('root-rejected', { pace: 'instant' });
    sandbox.now += 1000;
    expect(eventsOf(await sandbox.list())).toEqual(['ANALYSED', 'COMPLETED', 'COMPLETED']);
    sandbox.now += 6 * minute;
    expect(eventsOf(await sandbox.list())).toEqual(['ANALYSED', 'COMPLETED', 'COMPLETED', 'ANALYSED']);
    await sandbox.arm('dropped_notification', 2);
    await sandbox.start('root-rejected', { pace: 'instant' });
    sandbox.now += day;
    expect((await sandbox.list()).notifications).toHaveLength(4);
  });

  it('affects only its own tenant', async () => {
    await sandbox.arm('unavailable');
    const other = await sandbox.database.tenant();
    expect(
      (await sandbox.client.listEventNotifications(sandboxIspb(other), { cursor: null, includeIndirect: false }))
        .notifications,
    ).toEqual([]);
  });
});
