import type { HandlersOf } from '../../../contract/handlers.ts';
import type { Environment } from '../../../contract/principal.ts';
import { uuidv7, type Transaction } from '../../../database/index.ts';
import { armFault, isJournalFull, runAt, scenarios, startRun, type RunAt } from '../../../directory-simulator/index.ts';
import { Problem } from '../../../http/problem.ts';
import { assertWritable } from '../../../http/writable.ts';
import type { Services } from '../../../services.ts';
import { advanceClock } from '../advance-clock.ts';
import { sandboxTime } from '../clock.ts';
import { lockSimulations } from '../simulation-lock.ts';
import type { Attendance } from './attendance.ts';
import { secondsOf } from './duration.ts';
import { scenarioRun } from './scenario-run.ts';
import { readStart } from './start-request.ts';

type Directory = Pick<HandlersOf<'sandbox'>,
  'listRecoveryScenarios' | 'startRecoveryScenario' | 'getRecoveryRun' | 'advanceRecoveryRun' | 'armDirectoryFault'>;

export const sandboxDirectory = ({ directorySimulator, credentials }: Services, attendance: Attendance): Directory => {
  /** Told in vain, it would be believed to happen. */
  const assertDirectory = (): void => {
    if (directorySimulator === null) throw new Problem('provider_not_configured', { detail: 'This service does not run the directory of the sandboxes (DIRECTORY_SIMULATOR).' });
  };

  return {
    listRecoveryScenarios: ({ reply }) => reply(200, { scenarios: listed }),

    startRecoveryScenario: async ({ tx, principal: { tenantId }, body, now, sandboxEnabled, touched, audit, afterCommit, reply }) => {
      assertWritable('sandbox', { sandboxEnabled });
      touched('sandbox');
      assertDirectory();
      const { scenario, options } = readStart(body);
      const runId = uuidv7();
      await lockSimulations(tx);
      await assertRoom(tx);
      const at = await sandboxTime(tx, now);
      const fundsRecoveryId = await startRun(tx, at, scenario, { ...options, runId });
      const run = (await runAt(tx, runId, at))!;
      audit('sandbox.recovery_started', { type: 'recovery_run', id: runId }, { scenario: scenario.name, role: options.role, pace: options.pace, fundsRecoveryId });
      afterCommit(() => attendance.attend(tenantId));
      return reply(202, scenarioRun(run, at), { Location: `/v1/sandbox/funds-recovery/runs/${runId}` });
    },

    getRecoveryRun: async ({ tx, params: { runId }, now, visible, touched, reply }) => {
      const at = await sandboxTime(tx, now);
      const run = await visibleRun(tx, runId, at, visible);
      touched('sandbox');
      return reply(200, scenarioRun(run, at));
    },

    advanceRecoveryRun: async ({ tx, principal: { tenantId }, params: { runId }, body, now, visible, sandboxEnabled, touched, audit, afterCommit, reply }) => {
      await lockSimulations(tx);
      const before = await sandboxTime(tx, now);
      const run = await visibleRun(tx, runId, before, visible);
      assertWritable('sandbox', { sandboxEnabled });
      touched('sandbox');
      assertDirectory();
      const seconds = body.by === undefined ? secondsTo(run.nextEventAt ?? before, before) : secondsOf(body.by);
      if (seconds > 0) await advanceClock({ tx, tenantId, now }, { seconds, pointer: body.by === undefined ? '/toNextEvent' : '/by' });
      const after = await sandboxTime(tx, now);
      audit('sandbox.recovery_advanced', { type: 'recovery_run', id: runId }, { seconds });
      afterCommit(() => credentials.forgetTenant(tenantId));
      afterCommit(() => attendance.attend(tenantId));
      return reply(200, scenarioRun((await runAt(tx, runId, after))!, after));
    },

    /** Nobody looks because of it: the next answer that somebody has a reason to ask for is the one that goes wrong. */
    armDirectoryFault: async ({ tx, principal: { tenantId }, body: { kind, count }, now, sandboxEnabled, touched, audit, reply }) => {
      assertWritable('sandbox', { sandboxEnabled });
      touched('sandbox');
      assertDirectory();
      await lockSimulations(tx);
      await assertRoom(tx);
      const remaining = await armFault(tx, await sandboxTime(tx, now), kind, count);
      audit('sandbox.fault_armed', { type: 'tenant', id: tenantId }, { kind, count });
      return reply(202, { kind, remaining });
    },
  };
};

const listed = scenarios.map(({ name, title, description, roles, onTimeout, expected }) => ({
  name, title, description, onTimeout,
  roles: [...roles],
  expectedEvents: expected('SENT').map(({ eventType }) => eventType),
  expectedEventsReceived: roles.includes('RECEIVED') ? expected('RECEIVED').map(({ eventType }) => eventType) : [],
}));

/** The clock moves by whole seconds, so it comes to just after. */
function secondsTo(next: Date, now: Date): number {
  return Math.ceil((next.getTime() - now.getTime()) / 1000);
}

/** A run is a record of the sandbox, which a key pinned to live does not see. */
async function visibleRun(tx: Transaction, runId: string, at: Date, visible: readonly Environment[]): Promise<RunAt> {
  const run = visible.includes('sandbox') ? await runAt(tx, runId, at) : null;
  if (run === null) throw new Problem('not_found');
  return run;
}

async function assertRoom(tx: Transaction): Promise<void> {
  if (await isJournalFull(tx)) throw new Problem('quota_exceeded', { detail: 'The directory of the sandbox was told as much as it holds. Deleting the sandbox data makes room.' });
}
