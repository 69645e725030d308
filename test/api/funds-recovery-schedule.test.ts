/** Tests of the schedule, which says what is due and when a consumer should read the feed again. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { success } from '../support/api.ts';
import { takeInRecovery, type RecoveryOptions } from '../support/recoveries.ts';
import type { Credential, Tenant } from '../support/service.ts';
import { useFeed } from './funds-recovery-world.ts';

type Schedule = components['schemas']['PollSchedule'];

/** Noon in São Paulo on Carnival Tuesday. */
const NOW = Date.parse('2027-02-09T15:00:00.000Z');
const hour = 60 * 60_000;
const ago = (hours: number): Date => new Date(NOW - hours * hour);

let tenant: Tenant;
let client: Credential;
const world = await useFeed();
beforeAll(async () => {
  world.service.advance(NOW - Date.now());
});
beforeEach(async () => {
  tenant = await world.service.tenant();
  client = await tenant.client(['read']);
});

const schedule = async (): Promise<Schedule> =>
  (await success(world.service.api.GET('/api/v1/funds-recovery/events/schedule', { headers: client }))).body;
const takeIn = (options: RecoveryOptions) =>
  takeInRecovery(world.service.database.database, tenant.id, { readAt: ago(0), ...options });
/** Expects an interval at most a tenth and five minutes shorter, because the clock of the test runs on meanwhile. */
const isAbout = (seconds: number, expected: number): void => {
  expect(seconds).toBeLessThanOrEqual(expected);
  expect(seconds).toBeGreaterThanOrEqual(expected - Math.min(expected / 10, 300) - 60);
};

describe('the schedule', () => {
  it('waits for the next morning while nothing is open', async () => {
    const body = await schedule();
    isAbout(body.intervalSeconds, 21 * 3600);
    expect(body).toMatchObject({
      timezone: 'America/Sao_Paulo',
      reason: null,
      deadlines: [],
      businessDay: false,
      nextHoliday: '2027-03-26',
    });
    expect(Math.abs(Date.parse(body.now) - NOW)).toBeLessThan(hour);
    expect(Date.parse(body.nextPollAt) - Date.parse(body.now)).toBe(body.intervalSeconds * 1000);
  });

  it.each<[string, RecoveryOptions, { seconds: number; phase: string; day: number }]>([
    ['just created', { status: 'CREATED', createdAt: ago(0.5) }, { seconds: 300, phase: 'CREATED', day: 0 }],
    ['created two hours ago', { status: 'CREATED', createdAt: ago(2) }, { seconds: 3600, phase: 'CREATED', day: 0 }],
    [
      'two days in analysis',
      { status: 'AWAITING_ANALYSIS', createdAt: ago(48) },
      { seconds: 6 * 3600, phase: 'AWAITING_ANALYSIS', day: 2 },
    ],
    [
      'three days in analysis',
      { status: 'AWAITING_ANALYSIS', createdAt: ago(72) },
      { seconds: 3600, phase: 'AWAITING_ANALYSIS', day: 3 },
    ],
    [
      'seven days in analysis',
      { status: 'AWAITING_ANALYSIS', createdAt: ago(167) },
      { seconds: 3600, phase: 'AWAITING_ANALYSIS', day: 7 },
    ],
    [
      'analysed 60 hours ago, on day 2 still',
      { status: 'ANALYSED', createdAt: ago(100), analysedAt: ago(60) },
      { seconds: 3600, phase: 'ANALYSED', day: 2 },
    ],
    [
      'analysed 66 hours ago, on day 3',
      { status: 'ANALYSED', createdAt: ago(100), analysedAt: ago(66) },
      { seconds: 900, phase: 'ANALYSED', day: 3 },
    ],
    [
      'analysed 73 hours ago, too late',
      { status: 'ANALYSED', createdAt: ago(100), analysedAt: ago(73) },
      { seconds: 6 * 3600, phase: 'ANALYSED', day: 3 },
    ],
    [
      'refunding',
      { status: 'REFUNDING', createdAt: ago(100), analysedAt: ago(30) },
      { seconds: 3600, phase: 'REFUNDING', day: 1 },
    ],
  ])('names the recovery that decides: %s', async (_what, options, { seconds, phase, day }) => {
    const fundsRecoveryId = await takeIn(options);
    await takeIn({ status: 'COMPLETED', createdAt: ago(100) });
    const body = await schedule();
    isAbout(body.intervalSeconds, seconds);
    expect(body.reason).toEqual({ fundsRecoveryId, phase, day });
    const { headers } = await world.page(client);
    isAbout(Number(headers.get('x-poll-interval')), seconds);
  });

  it('is a minute from the first report that the tenant receives on, in live and not for its sandbox', async () => {
    expect((await schedule()).rule).toBe('nothing_open');
    await takeIn({ status: 'COMPLETED', createdAt: ago(2_000), role: 'RECEIVED' });
    expect(await schedule()).toMatchObject({ intervalSeconds: 60, rule: 'receives_reports', reason: null });
    expect((await world.page(client)).headers.get('x-poll-interval')).toBe('60');
    await success(world.service.api.POST('/v1/sandbox/enable', { headers: await tenant.key(['admin']) }));
    expect((await schedule()).rule).toBe('nothing_open');
  });

  it('is a minute before the first report if the settings say that the tenant receives reports', async () => {
    const settings = {
      headers: { ...(await tenant.key(['admin'])), 'If-Match': '"1"' },
      body: { fundsRecovery: { receivesReports: true } },
    };
    await success(world.service.api.PATCH('/v1/settings', settings));
    expect(await schedule()).toMatchObject({ intervalSeconds: 60, rule: 'receives_reports' });
    expect((await world.page(client)).headers.get('x-poll-interval')).toBe('60');
  });

  it('ends at the next deadline of the tenant if the calendar would wait longer', async () => {
    await takeIn({ status: 'AWAITING_ANALYSIS', createdAt: ago(167.5) });
    const { intervalSeconds, rule, nextPollAt, deadlines } = await schedule();
    expect(rule).toBe('next_deadline');
    isAbout(intervalSeconds, 1800);
    expect(Date.parse(nextPollAt)).toBeLessThanOrEqual(Date.parse(deadlines[0]!.dueAt) + 1000);
  });

  it('equals the header of the feed, call after call', async () => {
    await takeIn({ status: 'AWAITING_ANALYSIS', createdAt: ago(48) });
    for (let call = 0; call < 5; call++) {
      const { intervalSeconds } = await schedule();
      expect(Number((await world.page(client)).headers.get('x-poll-interval'))).toBe(intervalSeconds);
    }
  });

  it('lets the most urgent of several decide', async () => {
    await takeIn({ status: 'AWAITING_ANALYSIS', createdAt: ago(48) });
    await takeIn({ status: 'REFUNDING', createdAt: ago(100), analysedAt: ago(30) });
    const urgent = await takeIn({ status: 'ANALYSED', createdAt: ago(100), analysedAt: ago(66) });
    await takeIn({ status: 'ANALYSED', createdAt: ago(100), analysedAt: ago(20) });
    expect((await schedule()).reason?.fundsRecoveryId).toBe(urgent);
    const newest = await takeIn({ status: 'CREATED', createdAt: ago(0.2) });
    expect((await schedule()).reason?.fundsRecoveryId).toBe(newest);
  });

  it('lists what is due, the soonest first, and moves no deadline for a holiday or a weekend', async () => {
    const waiting = await takeIn({ status: 'AWAITING_ANALYSIS', createdAt: ago(48) });
    // Saturday of Carnival; the deadline 72 hours later is on Carnival Tuesday.
    const analysed = await takeIn({
      status: 'ANALYSED',
      createdAt: ago(100),
      analysedAt: new Date('2027-02-06T20:30:00.000Z'),
    });
    await takeIn({ status: 'COMPLETED', createdAt: ago(100) });
    expect((await schedule()).deadlines).toEqual([
      {
        fundsRecoveryId: analysed,
        stage: 'REFUND_START',
        setBy: 'DIRECTORY',
        dueAt: '2027-02-09T20:30:00.000Z',
      },
      // The deadline is on a Sunday, because the report was opened a second after the recovery.
      {
        fundsRecoveryId: waiting,
        stage: 'ANALYSIS',
        setBy: 'DIRECTORY',
        dueAt: '2027-02-14T15:00:01.000Z',
      },
    ]);
  });

  it('lists a hundred deadlines at most', async () => {
    await takeIn({ status: 'AWAITING_ANALYSIS', createdAt: ago(48) });
    await world.service.database.sql(
      `
      INSERT INTO fr_record (tenant_id, env, funds_recovery_id, ispb, role, root_transaction_id, status, revision,
        created_at, last_modified, analysed_at, next_deadline_at, next_deadline_stage, wake_at, last_read_at,
        published_keys, held, snapshot)
        SELECT r.tenant_id, r.env, gen_random_uuid(), r.ispb, r.role, r.root_transaction_id, r.status, r.revision,
        r.created_at, r.last_modified,
        r.analysed_at, r.next_deadline_at - n * interval '1 minute', r.next_deadline_stage, r.wake_at, r.last_read_at,
          r.published_keys, r.held, r.snapshot
      FROM fr_record r, generate_series(1, 100) n WHERE r.tenant_id = $1`,
      [tenant.id],
    );
    const { deadlines } = await schedule();
    expect(deadlines).toHaveLength(100);
    expect(deadlines.at(-1)?.dueAt).toBe('2027-02-14T14:59:01.000Z');
  });

  it('uses the clock of the sandbox there, but says in real time when to return', async () => {
    const admin = await tenant.key(['admin']);
    await success(world.service.api.POST('/v1/sandbox/enable', { headers: admin }));
    const simulate = (body: components['schemas']['SimulationCreate']) =>
      success(world.service.api.POST('/v1/sandbox/simulations', { headers: admin, body }));
    const began = await simulate({
      type: 'funds_recovery_event',
      parameters: { eventType: 'FUNDS_RECOVERY_ANALYSED' },
    });
    await simulate({ type: 'advance_clock', parameters: { seconds: 70 * 3600 } });
    const body = await schedule();
    isAbout(body.intervalSeconds, 900);
    expect(body.reason).toEqual({ fundsRecoveryId: began.body.effects[0]?.resource.id, phase: 'ANALYSED', day: 3 });
    expect(Date.parse(body.now) - NOW).toBeGreaterThan(69 * hour);
    expect(Date.parse(body.nextPollAt) - NOW).toBeLessThan(2 * hour);
    expect([body.businessDay, body.deadlines]).toEqual([true, []]);
  });
});
