import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.ts';
import { createLog } from '../http/log.ts';
import { DirectoryClient, openAuthority, type InfractionReportQuery, type NotificationDocument, type RefundQuery } from '../providers/directory/index.ts';
import {
  appendCommand, armFault, historyOf, nextEventOf, sandboxIspb, scenarioNamed, startDirectorySimulator, startRun, stateAt,
  type DirectorySimulator, type Fault, type Role,
} from './index.ts';
import { day, hour, iso, minute } from './core/time.ts';
import { directoryRates } from './wire/policies.ts';

const plenty = { refillTokens: 100_000, capacity: 100_000, refillPeriodSeconds: 1 };
const allRates = { EVENT_LIST: plenty, INFRACTION_REPORTS_LIST_WITH_ROLE: plenty, REFUND_LIST_WITH_ROLE: plenty, POLICIES_READ: plenty, FUNDS_RECOVERIES: plenty };

let database: TestDatabase;
let dataDir: string;
let simulator: DirectorySimulator;
let directory: DirectoryClient;
let now: number;
let tenantId: string;
let ispb: string;
let runs = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'directory-simulator-'));
  simulator = await startDirectorySimulator({ database: database.database, clock: () => new Date(now), log: createLog('silent'), dataDir, slowMilliseconds: 700 });
  directory = new DirectoryClient({ ...simulator.client, rates: allRates, timeouts: { connectMilliseconds: 500, totalMilliseconds: 500 } });
});
afterAll(async () => {
  await directory.close();
  await simulator.stop();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  now = Date.parse('2026-03-02T09:00:00.000Z');
  tenantId = await database.tenant();
  ispb = sandboxIspb(tenantId);
});

const inTenant = <T>(work: Parameters<TestDatabase['database']['transaction']>[1] extends (tx: infer X) => unknown ? (tx: X) => Promise<T> : never) =>
  database.database.transaction({ tenantId }, work);

async function start(name: string, { role = 'SENT', pace = 'stepped' }: { readonly role?: Role; readonly pace?: 'instant' | 'stepped' } = {}): Promise<string> {
  const scenario = scenarioNamed(name);
  if (scenario === null) throw new Error(`no scenario ${name}`);
  const options = { runId: `run-${++runs}`, role, amount: '1000.00', pace, onTimeout: null, situation: 'SCAM' } as const;
  return await inTenant((tx) => startRun(tx, new Date(now), scenario, options)) ?? '';
}
const arm = (kind: Fault, count = 1) => inTenant((tx) => armFault(tx, new Date(now), kind, count));
const list = (cursor: string | null = null) => directory.listEventNotifications(ispb, { cursor, includeIndirect: false });
const eventsOf = (notifications: readonly NotificationDocument[]) => notifications.map(({ Event }) => Event.replace('FUNDS_RECOVERY_', ''));
const reports = (role: InfractionReportQuery['role']) => directory.listInfractionReports(ispb, { role, modifiedAfter: iso(0) });
const refunds = (role: RefundQuery['role'], cursor: string | null = null) => directory.listRefunds(ispb, { role, modifiedAfter: iso(0), cursor });

describe('the simulated directory, for the creator of a recovery', () => {
  it('notifies of what it notifies of, and shows the recovery as it then is', async () => {
    const id = await start('tracking-three-reports');
    expect((await list()).notifications).toEqual([]);
    expect((await directory.getFundsRecovery(ispb, id)).document).toMatchObject({ Status: 'CREATED', ReporterParticipant: ispb, CreationTime: iso(now) });
    await expect(directory.getTrackingGraph(ispb, id)).rejects.toMatchObject({ kind: 'NotFound' });
    now += 31 * hour;
    const page = await list();
    expect([eventsOf(page.notifications), page.hasMore, page.nextCursor, page.responseTime]).toEqual([['ANALYSED'], false, null, iso(now)]);
    expect(page.notifications[0]).toMatchObject({ EntityId: id, EntityType: 'FUNDS_RECOVERY', Participant: ispb });
    expect((await directory.getFundsRecovery(ispb, id)).document).toMatchObject({ Status: 'ANALYSED', LastModified: page.notifications[0]?.Timestamp });
    now += day;
    expect(eventsOf((await list()).notifications)).toEqual(['ANALYSED', 'COMPLETED']);
    expect((await directory.listRecoveryRefunds(ispb, id)).document.map(({ RefundAmount, EffectiveRefundedAmount, AnalysisResult }) => [RefundAmount, EffectiveRefundedAmount, AnalysisResult]))
      .toEqual([['1000.00', '400.00', 'PARTIALLY_ACCEPTED'], ['600.00', '600.00', 'TOTALLY_ACCEPTED']]);
    expect((await directory.listRecoveryInfractionReports(ispb, id)).document.map(({ Status, AnalysisResult }) => [Status, AnalysisResult])).toEqual(Array(3).fill(['CLOSED', 'AGREED']));
  });

  it('shows who paid whom', async () => {
    const id = await start('tracking-three-reports');
    now += hour;
    const { document } = await directory.getTrackingGraph(ispb, id);
    const { document: recovery } = await directory.getFundsRecovery(ispb, id);
    expect(document).toMatchObject({ RootTransactionId: recovery.RootTransactionId, Parameters: { MaxHops: '2' } });
    const [accounts, transactions] = [document['Accounts'], document['Transactions']].map((value) => (Array.isArray(value) ? value : []));
    expect([accounts?.length, transactions?.length]).toEqual([4, 3]);
    expect(recovery.RootTransactionId).toMatch(new RegExp(`^E${ispb}20260301\\d{4}[0-9A-Z]{11}$`));
  });

  it('lists the reports and refunds of every recovery by their last change', async () => {
    for (const name of ['tracking-three-reports', 'happy-path']) await start(name);
    now += 10 * day;
    const { items, hasMore } = await reports('reporter');
    expect([items.length, hasMore, (await reports('counterparty')).items]).toEqual([4, false, []]);
    expect(items.map(({ LastModified }) => LastModified)).toEqual(items.map(({ LastModified }) => LastModified).toSorted());
    const bounded = await directory.listInfractionReports(ispb, { role: 'reporter', modifiedAfter: items[1]?.LastModified ?? '', modifiedBefore: items[2]?.LastModified ?? '' });
    expect(bounded.items).toEqual(items.slice(1, 3));
    expect((await refunds('REQUESTING')).items).toHaveLength(3);
    expect((await refunds('CONTESTED')).items).toEqual([]);
  });
});

describe('the simulated directory, for a counterparty', () => {
  it('tells of a recovery only once there is a report, and of that report alone', async () => {
    const id = await start('tracking-three-reports', { role: 'RECEIVED' });
    await expect(directory.getFundsRecovery(ispb, id)).rejects.toMatchObject({ kind: 'Forbidden' });
    now += 10 * day;
    expect((await list()).notifications).toEqual([]);
    expect((await directory.getFundsRecovery(ispb, id)).document.Status).toBe('COMPLETED');
    for (const refused of [directory.listRecoveryInfractionReports(ispb, id), directory.listRecoveryRefunds(ispb, id)]) await expect(refused).rejects.toMatchObject({ kind: 'Forbidden' });
    expect((await reports('counterparty')).items).toMatchObject([{ FundsRecoveryId: id, CounterpartyParticipant: ispb, Status: 'CLOSED' }]);
    expect((await refunds('CONTESTED')).items).toMatchObject([{ FundsRecoveryId: id, ContestedParticipant: ispb }]);
  });

  it('notifies of cancellation and of new information', async () => {
    await start('cancelled-during-analysis', { role: 'RECEIVED' });
    await start('information-updated', { role: 'RECEIVED' });
    now += 5 * hour;
    expect(eventsOf((await list()).notifications)).toEqual(['INFORMATION_UPDATED', 'INFORMATION_UPDATED', 'CANCELLED']);
  });
});

describe('the journal of a tenant', () => {
  it('is what another process, or the same one after a crash, answers from', async () => {
    for (const name of ['happy-path', 'root-rejected', 'broken-chain']) await start(name);
    now += 3 * day;
    const { notifications } = await list();
    const second = await startDirectorySimulator({ database: database.database, clock: () => new Date(now), log: createLog('silent'), dataDir });
    const other = new DirectoryClient({ ...second.client, rates: allRates });
    expect((await other.listEventNotifications(ispb, { cursor: null, includeIndirect: false })).notifications).toEqual(notifications);
    await other.close();
    await second.stop();
    expect(historyOf(await inTenant((tx) => stateAt(tx, new Date(now)))).filter(({ origin }) => origin === 'NATIVE').map(({ eventType, occurredAt }) => [eventType, occurredAt]))
      .toEqual(notifications.map(({ Event, Timestamp }) => [Event, Timestamp]));
  });

  it('follows the clock of the sandbox', async () => {
    await start('root-rejected');
    await database.sql('UPDATE tenant SET sandbox_clock_offset_seconds = $2 WHERE id = $1', [tenantId, 86_400]);
    const page = await list();
    expect([eventsOf(page.notifications), page.responseTime]).toEqual([['ANALYSED', 'COMPLETED'], iso(now + day)]);
  });

  it('tells when the next event is due', async () => {
    await start('refund-start-timeout');
    const due = async (): Promise<number | null> => (await inTenant((tx) => nextEventOf(tx, `run-${runs}`, new Date(now))))?.getTime() ?? null;
    const times: number[] = [];
    for (let next = await due(); next !== null; next = await due()) times.push((now = next));
    expect(times.map((time) => time - Date.parse('2026-03-02T09:00:00.000Z'))).toEqual([3 * minute, 6 * hour + 3 * minute, 6 * hour + 4 * minute, 78 * hour + 4 * minute]);
  });

  it('takes commands one after the other, however many come at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => inTenant((tx) => appendCommand(tx, new Date(now), { type: 'DROP_NOTIFICATIONS', count: 1 }))));
    expect(await database.sql('SELECT array_agg(seq ORDER BY seq)::text AS seqs FROM dict_sim_command WHERE tenant_id = $1', [tenantId])).toEqual([{ seqs: '{1,2,3,4,5,6,7,8}' }]);
  });

  it('is forgotten with a reset, even when it begins anew at the same number', async () => {
    const gone = await start('happy-path');
    expect((await directory.getFundsRecovery(ispb, gone)).document.Status).toBe('CREATED');
    await database.sql(`DELETE FROM dict_sim_command WHERE tenant_id = $1`, [tenantId]);
    await database.sql(`UPDATE fr_feed SET generation = generation + 1 WHERE tenant_id = $1 AND env = 'sandbox'`, [tenantId]);
    const id = await start('happy-path');
    await expect(directory.getFundsRecovery(ispb, gone)).rejects.toMatchObject({ kind: 'NotFound' });
    expect((await directory.getFundsRecovery(ispb, id)).document.Status).toBe('CREATED');
  });
});

describe('pages of notifications', () => {
  const recoveries = 101;
  const startMany = async (): Promise<void> => {
    for (let i = 0; i < recoveries; i++) await start('root-rejected', { pace: 'instant' });
    now += 1000;
  };

  it('have 200 entries; a cursor leads to the next and is there only when there is one', async () => {
    await startMany();
    const first = await list();
    const second = await list(first.nextCursor);
    expect([first.notifications.length, first.hasMore, second.notifications.length, second.hasMore, second.nextCursor]).toEqual([200, true, 2, false, null]);
    expect(new Set([...first.notifications, ...second.notifications].map(({ Id }) => Id)).size).toBe(2 * recoveries);
    expect((await list(first.nextCursor)).notifications).toEqual(second.notifications);

    now += 7 * day;
    await expect(list(first.nextCursor)).rejects.toMatchObject({ kind: 'BadRequest' });
    expect((await list()).notifications).toEqual([]);
  });

  it('refuse a cursor that is none, or of before a reset', async () => {
    await startMany();
    const { nextCursor } = await list();
    await database.sql(`UPDATE fr_feed SET generation = generation + 1 WHERE tenant_id = $1 AND env = 'sandbox'`, [tenantId]);
    for (const cursor of ['abc', '!', 'a'.repeat(600), nextCursor]) await expect(list(cursor)).rejects.toMatchObject({ kind: 'BadRequest' });
  });
});

describe('an armed fault', () => {
  beforeEach(async () => {
    await start('root-rejected', { pace: 'instant' });
    now += 1000;
  });

  it('gives a page twice', async () => {
    const good = await list();
    await arm('duplicate_page');
    const first = await list();
    const second = await list(first.nextCursor);
    expect([first.hasMore, second.hasMore, first.notifications, second.notifications]).toEqual([true, false, good.notifications, good.notifications]);
  });

  it('gives a page from its end', async () => {
    await arm('reversed_page');
    expect(eventsOf((await list()).notifications)).toEqual(['COMPLETED', 'ANALYSED']);
    expect(eventsOf((await list()).notifications)).toEqual(['ANALYSED', 'COMPLETED']);
  });

  it.each([
    ['rate_limited', 'RateLimited', 60], ['unavailable', 'ServiceUnavailable', 30], ['truncated', 'Unreadable', null], ['wrong_signature', 'SignatureInvalid', null], ['slow', 'Transport', null],
  ] as const)('%s fails one call as %s, and the next one works', async (kind, failure, retryAfterSeconds) => {
    await arm(kind);
    await expect(list()).rejects.toMatchObject({ kind: failure, retryAfterSeconds });
    expect((await list()).notifications).toHaveLength(2);
  });

  it('invalidates a cursor', async () => {
    await arm('duplicate_page', 2);
    const { nextCursor } = await list();
    await arm('cursor_invalidated');
    await expect(list(nextCursor)).rejects.toMatchObject({ kind: 'BadRequest' });
    expect((await list(nextCursor)).notifications).toHaveLength(2);
  });

  it('adds an event, and shows a status, that the API does not have', async () => {
    await arm('unknown_enum', 2);
    const { notifications } = await list();
    expect(eventsOf(notifications)).toEqual(['ANALYSED', 'COMPLETED', 'ESCALATED']);
    const id = notifications[0]?.EntityId ?? '';
    expect((await directory.getFundsRecovery(ispb, id)).document.Status).toBe('ESCALATED');
    expect((await directory.getFundsRecovery(ispb, id)).document.Status).toBe('COMPLETED');
  });

  it('sets the clock of an answer wrong', async () => {
    await arm('clock_skew');
    expect([(await list()).responseTime, (await list()).responseTime]).toEqual([iso(now + hour), iso(now)]);
  });

  it('lets the next notification be late or never be listed, for good', async () => {
    await arm('late_notification');
    await start('root-rejected', { pace: 'instant' });
    now += 1000;
    expect(eventsOf((await list()).notifications)).toEqual(['ANALYSED', 'COMPLETED', 'COMPLETED']);
    now += 6 * minute;
    expect(eventsOf((await list()).notifications)).toEqual(['ANALYSED', 'COMPLETED', 'COMPLETED', 'ANALYSED']);
    await arm('dropped_notification', 2);
    await start('root-rejected', { pace: 'instant' });
    now += day;
    expect((await list()).notifications).toHaveLength(4);
  });

  it('is that of its tenant', async () => {
    await arm('unavailable');
    const other = await database.tenant();
    expect((await directory.listEventNotifications(sandboxIspb(other), { cursor: null, includeIndirect: false })).notifications).toEqual([]);
  });
});

describe('the rates of the directory', () => {
  it('are those of its policies, which it describes', async () => {
    expect(await directory.getPolicy(ispb, 'EVENT_LIST')).toEqual({ availableTokens: 200, ...directoryRates.EVENT_LIST });
    for (let i = 0; i < 200; i++) await list();
    await expect(list()).rejects.toMatchObject({ kind: 'RateLimited' });
    const other = await database.tenant();
    expect((await directory.listEventNotifications(sandboxIspb(other), { cursor: null, includeIndirect: false })).notifications).toEqual([]);
    await expect(directory.getPolicy(ispb, 'NO_SUCH_POLICY')).rejects.toMatchObject({ kind: 'NotFound' });
  });
});

describe('who may ask', () => {
  const raw = async (as: string, path: string, headers: Record<string, string> = {}) => {
    const authority = await openAuthority(join(dataDir, 'directory'));
    const identity = await authority.client(as);
    return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
      const agent = new Agent({ ca: authority.certificate, cert: identity.certificate, key: identity.key, keepAlive: true });
      request(new URL(path, simulator.url), { agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
          agent.destroy();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() });
        });
      }).on('error', reject).end();
    });
  };

  it('is a participant of a tenant, by its certificate', async () => {
    const { status, headers, body } = await raw('9ABCDEFG', 'event-notifications?Participant=9ABCDEFG');
    expect([status, headers['content-type']]).toEqual([403, 'application/problem+xml']);
    expect(body).toContain('https://dict.pi.rsfn.net.br/api/v2/error/Forbidden');
  });

  it('asks for itself, in the query and in the header', async () => {
    const other = sandboxIspb(await database.tenant());
    expect((await raw(ispb, `event-notifications?Participant=${other}`)).status).toBe(403);
    expect((await raw(ispb, `event-notifications?Participant=${ispb}`, { 'PI-RequestingParticipant': other })).status).toBe(403);
    const plain = await raw(ispb, `event-notifications?Participant=${ispb}`, { 'PI-RequestingParticipant': ispb });
    expect([plain.status, plain.headers['content-encoding'], plain.headers['keep-alive']]).toEqual([200, undefined, 'timeout=65']);
    expect((await raw(ispb, `event-notifications?Participant=${ispb}`, { 'Accept-Encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
  });

  it('is refused without a certificate, or with one of another authority', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'directory-other-'));
    const stranger = await openAuthority(folder);
    const client = new DirectoryClient({ ...simulator.client, identify: (name) => stranger.client(name) });
    await expect(client.listEventNotifications(ispb, { cursor: null, includeIndirect: false })).rejects.toMatchObject({ kind: 'Transport' });
    await client.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['event-notifications', 400], ['event-notifications?Participant=me', 400], ['event-notifications?Participant=ISPB&IncludeIndirectParticipants=perhaps', 400],
    ['infraction-reports/?Participant=ISPB&Limit=201', 400], ['infraction-reports/?Participant=ISPB&ModifiedAfter=yesterday', 400], ['infraction-reports/?Participant=ISPB', 200],
    ['refunds/?Participant=ISPB', 400], ['funds-recoveries/5f0c1b7e-9d1a-4c53-8e53-6a2f0c9d1e22', 404], ['funds-recoveries/1', 404], ['claims/', 404], ['funds-recoveries/', 404],
  ])('gets %s answered %i', async (path, status) => {
    expect((await raw(ispb, path.replace('ISPB', ispb))).status).toBe(status);
  });
});
