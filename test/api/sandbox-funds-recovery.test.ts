/** Tests of a simulated recovery that was started through the API: its defaults, pace and outcome. */
import { describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { expectedOf, notationOf, PlayWorld } from './sandbox-funds-recovery-world.ts';

const world = await shared(PlayWorld.start());

const hour = 3_600_000;
const between = (from: string, to: string): number => Date.parse(to) - Date.parse(from);

describe('a run', () => {
  it('is answered with the chosen defaults, and found again at its Location', async () => {
    const sandbox = await world.sandbox();
    const answer = await success(sandbox.startScenario({ scenario: 'happy-path' }));
    const run = answer.body;
    expect(run).toMatchObject({
      scenario: 'happy-path',
      role: 'SENT',
      pace: 'stepped',
      finished: false,
      createdAt: run.now,
    });
    expect(between(run.now, run.nextStepAt ?? '')).toBe(hour / 20);
    expect(answer.headers.get('location')).toBe(`/v1/sandbox/funds-recovery/runs/${run.runId}`);
    expect(answer.headers.get('x-environment')).toBe('sandbox');
    expect((await success(sandbox.run(run.runId))).body).toMatchObject({ ...run, now: expect.any(String) });
    const [created] = await sandbox.feed();
    expect(created).toMatchObject({
      eventType: 'FUNDS_RECOVERY_CREATED',
      fundsRecoveryId: run.fundsRecoveryId,
      status: 'CREATED',
      timestamp: run.createdAt,
    });
  });

  it('that the directory refuses to start has no recovery, ends at once and publishes nothing', async () => {
    const sandbox = await world.sandbox();
    expect(await sandbox.started('tracking-refused')).toMatchObject({
      fundsRecoveryId: null,
      finished: true,
      nextStepAt: null,
    });
    expect(await sandbox.feed()).toEqual([]);
  });

  it('that the directory refuses, as requested or because the payment is too small, says why', async () => {
    const sandbox = await world.sandbox();
    expect(await sandbox.started('happy-path', { refusal: 'FundsRecoveryForTransactionAlreadyExists' })).toMatchObject({
      refusal: 'FundsRecoveryForTransactionAlreadyExists',
      finished: true,
    });
    expect(await sandbox.started('happy-path', { amount: { amount: 19_999, currency: 'BRL' } })).toMatchObject({
      refusal: 'FundsRecoveryTransactionNotIndexed',
      fundsRecoveryId: null,
    });
    expect(await sandbox.started('happy-path', { amount: { amount: 20_000, currency: 'BRL' } })).toMatchObject({
      refusal: null,
      fundsRecoveryId: expect.any(String),
    });
  });

  it('ends for the reason, and with the documents, that it was started with', async () => {
    const sandbox = await world.sandbox();
    const run = await sandbox.started('happy-path', {
      situationType: 'OTHER',
      refundReason: 'OPERATIONAL_FLAW',
      rejectionReason: 'INVALID_REQUEST',
      documents: 'MINIMAL',
    });
    await sandbox.toTheEnd(run);
    const payload = (type: string) =>
      sandbox.feed().then((feed) => feed.find(({ eventType }) => eventType === `FUNDS_RECOVERY_${type}`)?.rawPayload);
    expect(await payload('CREATED')).toMatchObject({
      FundsRecovery: { SituationType: 'OTHER', ReportDetails: expect.any(String) },
    });
    const closed = (await payload('REFUND_CLOSED')) as { readonly Refunds: readonly object[] };
    expect(closed.Refunds[0]).toMatchObject({
      RefundReason: 'OPERATIONAL_FLAW',
      RefundDetails: expect.any(String),
      AnalysisResult: 'REJECTED',
      RefundRejectionReason: 'INVALID_REQUEST',
    });
    for (const element of ['RefundAccount', 'MonitorAccount', 'AnalysisDetails'])
      expect(closed.Refunds[0]).not.toHaveProperty(element);
    const refused = await sandbox.post('/scenarios', { scenario: 'happy-path', rejectionReason: 'INVALID_REQUEST' });
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { errors: [{ pointer: '/rejectionReason', code: 'not_allowed' }] },
    ]);
  });

  it('is about the amount that it was started with', async () => {
    const sandbox = await world.sandbox();
    const run = await sandbox.started('happy-path', { amount: { amount: 20_001, currency: 'BRL' } });
    await sandbox.toTheEnd(run);
    const refund = (await sandbox.feed()).find(({ eventType }) => eventType === 'FUNDS_RECOVERY_REFUND_CLOSED');
    expect(refund?.rawPayload).toMatchObject({
      Refunds: [{ RefundAmount: '200.01', EffectiveRefundedAmount: '200.01' }],
    });
  });

  it('that has ended does not change when it is advanced to its next event', async () => {
    const sandbox = await world.sandbox();
    const end = await sandbox.toTheEnd(await sandbox.started('root-rejected'));
    const again = await sandbox.advanced(end.runId, 'toNextEvent');
    expect(between(end.now, again.now)).toBeLessThan(hour);
    expect(again).toMatchObject({ finished: true, nextStepAt: null });
  });
});

describe('the pace', () => {
  it.each(['SENT', 'RECEIVED'] as const)(
    'instant puts everything into the feed before the answer, as %s',
    async (role) => {
      const sandbox = await world.sandbox();
      await sandbox.started('tracking-three-reports', { role, pace: 'instant' });
      await sandbox.caughtUp();
      // A receiver does not see the end of the analysis, because it can read the analysis only while it lasts. An
      // acknowledgement that no read has shown is published with the answer.
      const besides = (types: readonly string[]) => types.filter((type) => type !== 'REPORT_ACKNOWLEDGED');
      const published = await sandbox.published();
      expect(besides(published)).toEqual(
        besides(expectedOf('tracking-three-reports', role)).filter((type) => role === 'SENT' || type !== 'ANALYSED'),
      );
      expect(published.length - besides(published).length).toBe(role === 'SENT' ? 3 : 1);
    },
  );

  it('in real time publishes each event as it happens, without a call to advance it', async () => {
    const sandbox = await world.sandbox();
    const run = await sandbox.started('cancelled-when-tracked', { pace: 'realtime' });
    expect(run.finished).toBe(false);
    await expect
      .poll(() => sandbox.published())
      .toEqual(['CREATED', 'REPORT_OPENED', 'TRACKED', 'REPORT_CANCELLED', 'CANCELLED']);
  });

  it('stepped leaves everything to the clock', async () => {
    const sandbox = await world.sandbox();
    const run = await sandbox.started('happy-path');
    const after = await sandbox.advanced(run.runId, 'P1D');
    expect(between(run.now, after.now)).toBeGreaterThanOrEqual(24 * hour);
    expect(after.finished).toBe(true);
    await sandbox.caughtUp();
    expect(await sandbox.published()).toEqual(expectedOf('happy-path', 'SENT'));
  });
});

const oneOpened = ['CREATED', 'REPORT_OPENED', 'AWAITING_ANALYSIS'];
const twoOpened = ['CREATED', 'REPORT_OPENED', 'TRACKED', 'REPORT_OPENED', 'AWAITING_ANALYSIS'];

describe('the behaviour of the directory at a limit', () => {
  it.each([
    [
      'analysis-timeout-auto-agree',
      'NONE',
      [...twoOpened, 'REPORT_ACKNOWLEDGED', 'COUNTERPARTY_ANALYSED AGREED', 'ANALYSIS_TIMED_OUT'],
    ],
    [
      'analysis-timeout-auto-agree',
      'AUTO_CANCEL',
      [
        ...twoOpened,
        'REPORT_ACKNOWLEDGED',
        'COUNTERPARTY_ANALYSED AGREED',
        'ANALYSIS_TIMED_OUT',
        'REPORT_CANCELLED',
        'REPORT_CANCELLED',
        'CANCELLED',
      ],
    ],
    [
      'analysis-timeout-auto-disagree',
      'AUTO_AGREE',
      [
        ...oneOpened,
        'ANALYSIS_TIMED_OUT',
        'REPORT_ACKNOWLEDGED',
        'COUNTERPARTY_ANALYSED AGREED',
        'ANALYSED',
        'REFUND_START_TIMED_OUT',
      ],
    ],
    [
      'refund-start-timeout',
      'AUTO_CANCEL',
      [
        ...oneOpened,
        'REPORT_ACKNOWLEDGED',
        'COUNTERPARTY_ANALYSED AGREED',
        'ANALYSED',
        'REFUND_START_TIMED_OUT',
        'REPORT_CANCELLED',
        'CANCELLED',
      ],
    ],
  ] as const)('is as requested: %s with %s', async (scenario, onTimeout, expected) => {
    const sandbox = await world.sandbox();
    await sandbox.toTheEnd(await sandbox.started(scenario, { onTimeout }));
    expect(await sandbox.published()).toEqual(expected);
  });
});

describe('the clock of the sandbox', () => {
  it('moves for every run, for applications, and for each of several simultaneous advances', async () => {
    const sandbox = await world.sandbox();
    const runs = await Promise.all(['happy-path', 'root-rejected'].map((scenario) => sandbox.started(scenario)));
    const admin = await sandbox.admin();
    const { body: draft } = await success(
      sandbox.api.POST('/v1/applications', {
        ...admin,
        body: { purpose: 'other', applicant: { fullName: 'Maria da Silva' } },
      }),
    );
    const [first] = runs;
    await Promise.all(Array.from({ length: 4 }, () => sandbox.advanced(first?.runId ?? '', 'P30D')));
    const {
      body: { clock },
    } = await success(sandbox.api.GET('/v1/sandbox', admin));
    expect(clock.offsetSeconds).toBe(120 * 86_400);
    expect(
      (
        await success(
          sandbox.api.GET('/v1/applications/{applicationId}', {
            ...admin,
            params: { path: { applicationId: draft.id } },
          }),
        )
      ).body.status,
    ).toBe('expired');
    await sandbox.caughtUp();
    const feed = await sandbox.feed();
    for (const { scenario, fundsRecoveryId } of runs) {
      expect(notationOf(feed.filter((event) => event.fundsRecoveryId === fundsRecoveryId))).toEqual(
        expectedOf(scenario, 'SENT'),
      );
    }
  });

  it('continues the run if a simulation moves it', async () => {
    const sandbox = await world.sandbox();
    const run = await sandbox.started('refund-start-timeout');
    await success(
      sandbox.api.POST('/v1/sandbox/simulations', {
        ...(await sandbox.admin()),
        body: { type: 'advance_clock', parameters: { seconds: 4 * 86_400 } },
      }),
    );
    await sandbox.caughtUp();
    expect(await sandbox.published()).toEqual(expectedOf('refund-start-timeout', 'SENT'));
    expect((await success(sandbox.run(run.runId))).body.finished).toBe(true);
  });
});

describe('many advances at once', () => {
  it('lead to the same end', async () => {
    const sandbox = await world.sandbox();
    const { runId } = await sandbox.started('root-rejected', { pace: 'instant' });
    await Promise.all(Array.from({ length: 40 }, () => sandbox.advanced(runId, 'PT1S')));
    await sandbox.caughtUp();
    expect(await sandbox.published()).toEqual(expectedOf('root-rejected', 'SENT'));
  });
});

describe('a reset', () => {
  it('during a run leaves neither events nor a clock that is ahead, and nothing follows it', async () => {
    const sandbox = await world.sandbox();
    const { runId } = await sandbox.started('cancelled-when-tracked', { pace: 'realtime' });
    const [advanced] = await Promise.all([sandbox.advance(runId, { by: 'PT1H' }), sandbox.reset()]);
    expect(advanced.response.status).toBeOneOf([200, 404]);
    await sandbox.caughtUp();
    expect(await sandbox.feed()).toEqual([]);
    const run = await sandbox.started('cancelled-when-created', { pace: 'instant' });
    expect(Math.abs(Date.parse(run.now) - Date.now())).toBeLessThan(60_000);
    await sandbox.caughtUp();
    expect(await sandbox.published()).toEqual(['CREATED', 'REPORT_OPENED', 'REPORT_CANCELLED', 'CANCELLED']);
  });
});

describe('two tenants', () => {
  it('play without seeing or moving anything of each other', async () => {
    const [ours, theirs] = [await world.sandbox(), await world.sandbox()];
    await success(theirs.arm({ kind: 'truncated', count: 100 }));
    const [run] = await Promise.all([ours.started('happy-path'), theirs.started('root-rejected')]);
    await ours.toTheEnd(run);
    await Promise.all([ours.caughtUp(), theirs.caughtUp()]);
    expect(await ours.published()).toEqual(expectedOf('happy-path', 'SENT'));
    expect(await theirs.feed()).toEqual([]);
    const {
      body: { clock },
    } = await success(theirs.api.GET('/v1/sandbox', await theirs.admin()));
    expect(clock.offsetSeconds).toBe(0);
  });
});
