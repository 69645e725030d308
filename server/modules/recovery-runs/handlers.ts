/**
 * Handlers that start, show and advance simulated recoveries of the sandbox, and arm faults of its directory.
 * Registered by the index. Refused if there is no simulated directory.
 */
import { type BusinessTime, DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../../base/time.ts';
import { uuidv7, uuidIn } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { assertEnvironmentWritable } from '../../identity/tenant.ts';
import type { HandlersOf } from '../../request/handler.ts';
import type { Services } from '../../request/services.ts';
import type { Due } from '../../tasks/due.ts';
import {
  armFault,
  type DirectorySimulator,
  isJournalFull,
  type RunAt,
  runAt,
  type RunOptions,
  type Scenario,
  scenarioNamed,
  scenarios,
  startRun,
} from '../../simulators/directory/index.ts';
import type { SandboxFollower } from '../recovery-ingestion/index.ts';
import { advanceClock, lockSimulations, sandboxTime } from '../sandbox-clock/index.ts';

/**
 * Longest time by which the clock is advanced at once: more than every deadline of a recovery and a year of retention.
 */
const MAX_ADVANCE_SECONDS = 400 * DAY_SECONDS;

/**
 * Returns the seconds of an ISO 8601 duration of days, hours, minutes and seconds, which the contract has validated.
 */
export function secondsOf(duration: string): number {
  const {
    days = '0',
    hours = '0',
    minutes = '0',
    seconds = '0',
  } = /^P(?:(?<days>\d+)D)?(?:T(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+)S)?)?$/.exec(duration)
    ?.groups ?? {};
  const sum =
    Number(days) * DAY_SECONDS + Number(hours) * HOUR_SECONDS + Number(minutes) * MINUTE_SECONDS + Number(seconds);
  if (sum >= 1 && sum <= MAX_ADVANCE_SECONDS) return sum;
  throw new Problem('validation_failed', {
    errors: [{ pointer: '/by', code: 'range', message: 'must be from one second to 400 days' }],
  });
}

type ScenarioStartBody = components['schemas']['ScenarioStart'];

/** Default amount in centavos, above the smallest payment that the directory traces. */
const defaultAmount = 81_240;

/** Returns the scenario of a request and its options, with defaults for omitted ones. */
function readScenarioStart(body: ScenarioStartBody): {
  readonly scenario: Scenario;
  readonly options: Omit<RunOptions, 'runId'>;
} {
  const {
    scenario: name,
    role,
    amount,
    pace,
    onTimeout,
    situationType,
    refusal,
    refundReason,
    rejectionReason,
    documents,
  } = body;
  const scenario = scenarioNamed(name);
  if (scenario === null) {
    throw new Problem('scenario_unknown', {
      errors: [
        { pointer: '/scenario', code: 'enum', message: 'is not a known scenario; see `known` for the valid names' },
      ],
      known: scenarios.map((one) => one.name),
    });
  }
  if (!scenario.roles.includes(role)) {
    throw new Problem('validation_failed', {
      errors: [
        { pointer: '/role', code: 'not_allowed', message: `must be ${scenario.roles.join(' or ')} in this scenario` },
      ],
    });
  }
  if (rejectionReason === 'INVALID_REQUEST' && refundReason !== 'OPERATIONAL_FLAW') {
    throw new Problem('validation_failed', {
      errors: [
        {
          pointer: '/rejectionReason',
          code: 'not_allowed',
          message: 'INVALID_REQUEST is allowed only if refundReason is OPERATIONAL_FLAW (DICT API, closeRefund)',
        },
      ],
    });
  }
  const inReais = ((amount?.amount ?? defaultAmount) / 100).toFixed(2);
  return {
    scenario,
    options: {
      role,
      pace,
      amount: inReais,
      onTimeout: onTimeout ?? null,
      situation: situationType,
      refusal,
      refundReason,
      rejectionReason,
      documents,
    },
  };
}

/** Returns a run as the API shows it. */
function presentRun({ run, nextEventAt }: RunAt, at: BusinessTime): components['schemas']['ScenarioRun'] {
  const { runId, scenario, role, pace, recovery, refusals, startedAt } = run;
  return {
    runId: uuidIn(runId),
    scenario,
    role,
    pace,
    fundsRecoveryId: recovery === null || recovery === undefined ? null : uuidIn(recovery.id),
    refusal: refusals.find(({ action }) => action === 'OPEN_RECOVERY')?.error ?? null,
    now: at.toISOString(),
    nextStepAt: nextEventAt?.toISOString() ?? null,
    finished: nextEventAt === null,
    createdAt: new Date(startedAt).toISOString(),
  };
}

type RecoveryRunHandlers = Pick<
  HandlersOf<'sandbox'>,
  'listRecoveryScenarios' | 'startRecoveryScenario' | 'getRecoveryRun' | 'advanceRecoveryRun' | 'armDirectoryFault'
>;

interface RecoveryRunServices extends Pick<Services, 'credentials'> {
  /** Directory of the sandboxes; null if this process does not run it. */
  readonly directorySimulator: DirectorySimulator | null;
  readonly follower: Pick<SandboxFollower, 'follow'>;
  /** Jobs that may become due when the clock of the sandbox is advanced. */
  readonly dues: readonly Due[];
}

export const recoveryRunHandlers = ({
  directorySimulator,
  credentials,
  follower,
  dues,
}: RecoveryRunServices): RecoveryRunHandlers => {
  /**
   * Rejects the request before anything is written, because a run that is accepted without a simulator would never make
   * progress.
   */
  const assertDirectory = (): void => {
    if (directorySimulator === null)
      throw new Problem('provider_not_configured', {
        detail: 'This service does not run the directory of the sandboxes (DIRECTORY_SIMULATOR).',
      });
  };

  return {
    listRecoveryScenarios: ({ reply }) => reply(200, { scenarios: listedScenarios }),

    startRecoveryScenario: async ({
      tx,
      principal: { tenantId },
      body,
      now,
      sandboxEnabled,
      setResourceEnvironment,
      audit,
      afterCommit,
      reply,
    }) => {
      assertEnvironmentWritable('sandbox', { sandboxEnabled });
      setResourceEnvironment('sandbox');
      assertDirectory();
      const { scenario, options } = readScenarioStart(body);
      const runId = uuidv7();
      await lockSimulations(tx);
      await assertJournalNotFull(tx);
      const at = await sandboxTime(tx, now);
      const fundsRecoveryId = await startRun(tx, at, scenario, { ...options, runId });
      const run = (await runAt(tx, runId, at))!;
      const facts = {
        scenario: scenario.name,
        role: options.role,
        pace: options.pace,
        fundsRecoveryId,
      };
      audit('sandbox.recovery_started', { type: 'recovery_run', id: runId }, facts);
      afterCommit(() => follower.follow(tenantId));
      return reply(202, presentRun(run, at), { Location: `/v1/sandbox/funds-recovery/runs/${runId}` });
    },

    getRecoveryRun: async ({ tx, params: { runId }, now, visible, setResourceEnvironment, reply }) => {
      const at = await sandboxTime(tx, now);
      const run = await visibleRun(tx, runId, at, visible);
      setResourceEnvironment('sandbox');
      return reply(200, presentRun(run, at));
    },

    advanceRecoveryRun: async ({
      tx,
      principal: { tenantId },
      params: { runId },
      body,
      now,
      visible,
      sandboxEnabled,
      setResourceEnvironment,
      audit,
      afterCommit,
      reply,
    }) => {
      await lockSimulations(tx);
      const before = await sandboxTime(tx, now);
      const run = await visibleRun(tx, runId, before, visible);
      assertEnvironmentWritable('sandbox', { sandboxEnabled });
      setResourceEnvironment('sandbox');
      assertDirectory();
      const seconds = body.by === undefined ? secondsTo(run.nextEventAt ?? before, before) : secondsOf(body.by);
      const advanceContext = {
        tx,
        tenantId,
        now,
        dues,
      };
      const pointer = body.by === undefined ? '/toNextEvent' : '/by';
      if (seconds > 0) await advanceClock(advanceContext, { seconds, pointer });
      const after = await sandboxTime(tx, now);
      audit('sandbox.recovery_advanced', { type: 'recovery_run', id: runId }, { seconds });
      afterCommit(() => credentials.forgetTenant(tenantId));
      afterCommit(() => follower.follow(tenantId));
      return reply(200, presentRun((await runAt(tx, runId, after))!, after));
    },

    /** Does not cause a poll, because the fault changes the response to the next scheduled one. */
    armDirectoryFault: async ({
      tx,
      principal: { tenantId },
      body: { kind, count },
      now,
      sandboxEnabled,
      setResourceEnvironment,
      audit,
      reply,
    }) => {
      assertEnvironmentWritable('sandbox', { sandboxEnabled });
      setResourceEnvironment('sandbox');
      assertDirectory();
      await lockSimulations(tx);
      await assertJournalNotFull(tx);
      const remaining = await armFault(tx, await sandboxTime(tx, now), kind, count);
      audit('sandbox.fault_armed', { type: 'tenant', id: tenantId }, { kind, count });
      return reply(202, { kind, remaining });
    },
  };
};

/** Scenarios as the API shows them. `expectedEvents` are those of the role SENT, which every scenario has. */
const listedScenarios = scenarios.map(({ name, title, description, roles, onTimeout, expected }) => ({
  name,
  title,
  description,
  onTimeout,
  roles: [...roles],
  expectedEvents: expected('SENT').map(({ eventType }) => eventType),
  expectedEventsReceived: roles.includes('RECEIVED') ? expected('RECEIVED').map(({ eventType }) => eventType) : [],
}));

/** Returns the whole seconds to a time, rounded up, because the clock moves by whole seconds and must reach it. */
function secondsTo(next: Date, from: BusinessTime): number {
  return Math.ceil((next.getTime() - from.getTime()) / 1000);
}

/** Finds a run. A key that is restricted to the live environment gets 404, because a run is a record of the sandbox. */
async function visibleRun(
  tx: Transaction,
  runId: string,
  at: BusinessTime,
  visible: readonly Environment[],
): Promise<RunAt> {
  const run = visible.includes('sandbox') ? await runAt(tx, runId, at) : null;
  if (run === null) throw new Problem('not_found');
  return run;
}

async function assertJournalNotFull(tx: Transaction): Promise<void> {
  if (await isJournalFull(tx))
    throw new Problem('quota_exceeded', {
      detail: 'The sandbox directory is full. Delete the sandbox data to make room.',
    });
}
