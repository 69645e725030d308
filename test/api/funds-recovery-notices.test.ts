/** Tests of the events that announce a deadline in the feed before it passes. */
import { expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { type PlayedSandbox, PlayWorld } from './sandbox-funds-recovery-world.ts';

const world = await shared(PlayWorld.start());
const [hour, day] = [3_600_000, 24 * 3_600_000];

/** Changes the settings as an integrator does, and waits for the consequences. */
async function announce(sandbox: PlayedSandbox, hours: number[], version = 1): Promise<void> {
  await success(
    sandbox.api.PATCH('/v1/settings', {
      headers: { ...(await sandbox.tenant.key(['admin'])), 'If-Match': `"${version}"` },
      body: { fundsRecovery: { deadlineNoticeHours: hours } },
    }),
  );
  await world.service.running.runTasks();
}

async function later(sandbox: PlayedSandbox, milliseconds: number): Promise<void> {
  await success(
    sandbox.api.POST('/v1/sandbox/simulations', {
      ...(await sandbox.admin()),
      body: { type: 'advance_clock', parameters: { seconds: milliseconds / 1000 } },
    }),
  );
  await sandbox.caughtUp();
}

/**
 * Returns the announced deadlines of each report: the notices in hours, and by how many hours each event precedes the
 * due date.
 */
async function noticesOfReports(sandbox: PlayedSandbox): Promise<(readonly (string | number | null)[])[][]> {
  const notices = (await sandbox.feed()).flatMap(({ eventType, timestamp, rawPayload }) => {
    if (!/DEADLINE_APPROACHING|ANALYSIS_TIMED_OUT/.test(eventType)) return [];
    const {
      Deadline: { Stage: stage, EntityId: report, DueAt, NoticeHours: notice = null },
    } = rawPayload as { Deadline: Readonly<Record<string, string>> & { DueAt: string } };
    return stage === 'ANALYSIS'
      ? [
          {
            report,
            event: [
              eventType.replace('FUNDS_RECOVERY_', ''),
              notice,
              (Date.parse(DueAt) - Date.parse(timestamp)) / hour,
            ],
          },
        ]
      : [];
  });
  return [...Map.groupBy(notices, ({ report }) => report).values()].map((events) => events.map(({ event }) => event));
}

it('announces each deadline in the feed, at the hours before it that the tenant has set', async () => {
  const sandbox = await world.sandbox();
  await announce(sandbox, [48, 24]);
  await sandbox.started('analysis-timeout');
  await later(sandbox, 4 * day);
  expect(await noticesOfReports(sandbox)).toEqual([]);
  for (let passed = 4 * day; passed < 8 * day; passed += 12 * hour) await later(sandbox, 12 * hour);
  const ofReport = [
    ['DEADLINE_APPROACHING', '48', 48],
    ['DEADLINE_APPROACHING', '24', 24],
    ['ANALYSIS_TIMED_OUT', null, 0],
  ];
  expect(await noticesOfReports(sandbox)).toEqual([ofReport, ofReport]);
});

it('requests a read when the next deadline is announced', async () => {
  const sandbox = await world.sandbox();
  await announce(sandbox, [48]);
  await sandbox.started('analysis-timeout');
  await later(sandbox, 4 * day + 20 * hour);
  const {
    body: { rule, intervalSeconds },
  } = await success(
    sandbox.api.GET('/api/v1/funds-recovery/events/schedule', {
      headers: await sandbox.tenant.client(['read'], { environment: 'test' }),
    }),
  );
  expect(rule).toBe('next_deadline');
  // The first report is opened minutes after the run begins, and the interval ends up to five minutes earlier. Without
  // the notice the interval would be six hours.
  expect(intervalSeconds).toBeGreaterThan(3.8 * 3600);
  expect(intervalSeconds).toBeLessThan(4.2 * 3600);
});

it('applies hours that are set while a recovery is open, and announces the last of those that have passed', async () => {
  const sandbox = await world.sandbox();
  await sandbox.started('analysis-timeout');
  await later(sandbox, 6 * day + 12 * hour);
  expect(await noticesOfReports(sandbox)).toEqual([]);
  await announce(sandbox, [72, 48, 2]);
  await sandbox.caughtUp();
  const ofReport = [['DEADLINE_APPROACHING', '48', 48]];
  expect(await noticesOfReports(sandbox)).toEqual([ofReport, ofReport]);
  await announce(sandbox, [], 2);
  await later(sandbox, 11 * hour);
  expect(await noticesOfReports(sandbox)).toEqual([ofReport, ofReport]);
});

it('refuses hours beyond a week’s limit', async () => {
  const sandbox = await world.sandbox();
  const refused = await sandbox.api.PATCH('/v1/settings', {
    headers: { ...(await sandbox.tenant.key(['admin'])), 'If-Match': '"1"' },
    body: { fundsRecovery: { deadlineNoticeHours: [24, 145] } },
  });
  expect([refused.response.status, refused.error]).toMatchObject([
    422,
    { errors: [{ pointer: '/fundsRecovery/deadlineNoticeHours/1' }] },
  ]);
});
