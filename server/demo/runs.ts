import { uuidv7, type Transaction } from '../database/index.ts';
import { scenarioNamed, startRun } from '../directory-simulator/index.ts';

const HOUR = 3_600_000;

/** A recovery that has been refunded, and one for whose last answer everybody waits. */
const RUNS = [['happy-path', 72], ['tracking-three-reports', 25]] as const;

/** What the directory of the sandbox has been playing for a while when the demo tenant is first looked at. */
export async function startDemoRuns(tx: Transaction, now: Date): Promise<void> {
  for (const [name, hoursAgo] of RUNS) {
    const at = new Date(now.getTime() - hoursAgo * HOUR);
    const scenario = scenarioNamed(name);
    if (scenario !== null) await startRun(tx, at, scenario, { runId: uuidv7(), role: 'SENT', amount: '812.40', pace: 'stepped', onTimeout: null, situation: 'SCAM' });
  }
}
