import type { components } from '../../../contract/generated/types.ts';
import type { RunAt } from '../../../directory-simulator/index.ts';

/** A run as the API shows it. */
export function scenarioRun({ run, nextEventAt }: RunAt, now: Date): components['schemas']['ScenarioRun'] {
  const { runId, scenario, role, pace, recovery, startedAt } = run;
  return {
    runId, scenario, role, pace,
    fundsRecoveryId: recovery?.id ?? null,
    now: now.toISOString(),
    nextStepAt: nextEventAt?.toISOString() ?? null,
    finished: nextEventAt === null,
    createdAt: new Date(startedAt).toISOString(),
  };
}
