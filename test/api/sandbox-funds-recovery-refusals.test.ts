/** Tests of refused requests to start, advance and read simulated recoveries. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../server/contract/operation.ts';
import { newRun } from '../operations/records.ts';
import { refusal, success } from '../support/api.ts';
import { expectDocumented } from '../support/calls.ts';
import { operation } from '../support/contract.ts';
import { shared, startTestService, type Answer } from '../support/service.ts';
import { PlayedSandbox, PlayWorld } from './sandbox-funds-recovery-world.ts';

const world = await shared(PlayWorld.start());
const sandbox = await world.sandbox();

function expectRefused(
  id: OperationId,
  answer: Answer<unknown>,
  { status, code, pointer }: { readonly status: number; readonly code: string; readonly pointer?: string },
): void {
  expect(answer).toMatchObject({ status, body: { code, ...(pointer !== undefined && { errors: [{ pointer }] }) } });
  if (pointer === undefined) expect(answer.body).not.toHaveProperty('errors');
  expectDocumented(operation(id), answer);
}

describe('a scenario is refused', () => {
  const happy = { scenario: 'happy-path' };

  it.each([
    ['that nobody knows', { scenario: 'unheard-of' }, 'scenario_unknown', '/scenario'],
    [
      'with a part that it does not offer',
      { scenario: 'broken-chain', role: 'RECEIVED' },
      'validation_failed',
      '/role',
    ],
    [
      'of less than one real',
      { ...happy, amount: { amount: 99, currency: 'BRL' } },
      'validation_failed',
      '/amount/amount',
    ],
    [
      'of more than a thousand million',
      { ...happy, amount: { amount: 100_000_000_001, currency: 'BRL' } },
      'validation_failed',
      '/amount/amount',
    ],
    [
      'in another currency',
      { ...happy, amount: { amount: 100, currency: 'USD' } },
      'validation_failed',
      '/amount/currency',
    ],
    ['at a pace that nobody knows', { ...happy, pace: 'leisurely' }, 'validation_failed', '/pace'],
    ['with a policy that nobody knows', { ...happy, onTimeout: 'AUTO_PAY' }, 'validation_failed', '/onTimeout'],
    ['with a member that nobody knows', { ...happy, colour: 'blue' }, 'validation_failed', '/colour'],
  ] as const)('%s', async (_, body, code, pointer) => {
    expectRefused('startRecoveryScenario', await sandbox.post('/scenarios', body), { status: 422, code, pointer });
  });

  it('with the names of the available ones', async () => {
    const { scenarios } = (
      await success(sandbox.api.GET('/v1/sandbox/funds-recovery/scenarios', await sandbox.admin()))
    ).body;
    expect((await refusal(sandbox.startScenario({ scenario: 'unheard-of' }))).body.known).toEqual(
      scenarios.map(({ name }) => name),
    );
  });

  it('if the directory is full', async () => {
    const full = await world.sandbox();
    await world.service.database.sql(
      `
      INSERT INTO dict_sim_command (tenant_id, env, seq, at, command)
      SELECT $1, 'sandbox', n, now(), '{"type": "DROP_NOTIFICATIONS", "count": 1}' FROM generate_series(1, 1000) AS n`,
      [full.tenant.id],
    );
    expectRefused('startRecoveryScenario', await refusal(full.startScenario(happy)), {
      status: 409,
      code: 'quota_exceeded',
    });
    expectRefused('armDirectoryFault', await refusal(full.arm({ kind: 'slow' })), {
      status: 409,
      code: 'quota_exceeded',
    });
    await full.reset();
    await success(full.startScenario(happy));
  });
});

describe('an advance is refused', () => {
  it.each([
    ['of no time at all', { by: 'PT0S' }, '/by'],
    ['of more than 400 days', { by: 'P400DT1S' }, '/by'],
    ['of what is no duration', { by: 'P1M' }, '/by'],
    ['in two ways at once', { by: 'PT1H', toNextEvent: true }, ''],
    ['in no way', {}, ''],
    ['to the next event, but not', { toNextEvent: false }, '/toNextEvent'],
  ])('%s', async (_, body, pointer) => {
    const { runId } = await sandbox.started('root-rejected');
    const before = (await success(sandbox.run(runId))).body;
    expectRefused('advanceRecoveryRun', await sandbox.post(`/runs/${runId}/advance`, body), {
      status: 422,
      code: 'validation_failed',
      pointer,
    });
    expect((await success(sandbox.run(runId))).body.nextStepAt).toBe(before.nextStepAt);
  });

  it('beyond a hundred years, with the member at fault', async () => {
    const far = await world.sandbox();
    const { runId } = await far.started('happy-path');
    await world.service.database.sql('UPDATE tenant SET sandbox_clock_offset_seconds = $2 WHERE id = $1', [
      far.tenant.id,
      100 * 365 * 86_400 - 60,
    ]);
    expectRefused('advanceRecoveryRun', await refusal(far.advance(runId, { by: 'PT2M' })), {
      status: 422,
      code: 'validation_failed',
      pointer: '/by',
    });
  });
});

describe('a run is not found', () => {
  const expectUnknown = async (played: PlayedSandbox, runId: string): Promise<void> => {
    expectRefused('getRecoveryRun', await refusal(played.run(runId)), { status: 404, code: 'not_found' });
    expectRefused('advanceRecoveryRun', await refusal(played.advance(runId, { toNextEvent: true })), {
      status: 404,
      code: 'not_found',
    });
  };

  it('if it is unknown, of another tenant, or removed by a reset', async () => {
    const other = await world.sandbox();
    const { runId } = await other.started('happy-path');
    await expectUnknown(sandbox, randomUUID());
    await expectUnknown(sandbox, runId);
    await other.reset();
    await expectUnknown(other, runId);
  });

  it('by a key that sees live records only', async () => {
    const { runId } = await sandbox.started('happy-path');
    const as = await sandbox.tenant.key(['admin'], { pinEnvironment: true });
    expectRefused('getRecoveryRun', await refusal(sandbox.run(runId, as)), { status: 404, code: 'not_found' });
  });
});

describe('while the switch is off', () => {
  it('nothing is started, advanced or armed, and former runs can be read', async () => {
    const played = await world.sandbox();
    const { runId } = await played.started('happy-path');
    await played.switchTo('disable');
    expectRefused('startRecoveryScenario', await refusal(played.startScenario({ scenario: 'happy-path' })), {
      status: 403,
      code: 'sandbox_disabled',
    });
    expectRefused('advanceRecoveryRun', await refusal(played.advance(runId, { toNextEvent: true })), {
      status: 403,
      code: 'sandbox_disabled',
    });
    expectRefused('armDirectoryFault', await refusal(played.arm({ kind: 'slow' })), {
      status: 403,
      code: 'sandbox_disabled',
    });
    expect((await success(played.run(runId))).body).toMatchObject({ runId, finished: false });
    await played.switchTo('enable');
    await success(played.advance(runId, { toNextEvent: true }));
  });
});

describe('a fault is refused', () => {
  it.each([
    [{ kind: 'earthquake' }, '/kind'],
    [{ kind: 'slow', count: 0 }, '/count'],
    [{ kind: 'slow', count: 101 }, '/count'],
    [{ count: 1 }, '/kind'],
  ])('%j', async (body, pointer) => {
    expectRefused('armDirectoryFault', await sandbox.post('/faults', body), {
      status: 422,
      code: 'validation_failed',
      pointer,
    });
  });
});

describe('a service without the directory of the sandboxes', () => {
  it('says so instead of accepting a run, and still shows former runs', async () => {
    const service = await startTestService();
    const played = new PlayedSandbox(service, await service.tenant());
    await played.switchTo('enable');
    const runId = await newRun(service, played.tenant);
    expectRefused('startRecoveryScenario', await refusal(played.startScenario({ scenario: 'happy-path' })), {
      status: 409,
      code: 'provider_not_configured',
    });
    expectRefused('advanceRecoveryRun', await refusal(played.advance(runId, { toNextEvent: true })), {
      status: 409,
      code: 'provider_not_configured',
    });
    expectRefused('armDirectoryFault', await refusal(played.arm({ kind: 'slow' })), {
      status: 409,
      code: 'provider_not_configured',
    });
    await success(played.run(runId));
    await success(service.api.GET('/v1/sandbox/funds-recovery/scenarios', await played.admin()));
    await service.stop();
  });
});
