import { randomUUID } from 'node:crypto';
import type { JournalEntry } from '../../../server/simulators/directory/core/model.ts';
import { scenarioNamed } from '../../../server/simulators/directory/index.ts';

/** The plainest course and one with three reports: 7 and 12 events. */
const names = ['happy-path', 'tracking-three-reports'];

/** Recoveries that the participant opened and that have ended, half of each kind. */
export function endedCourses(count: number, now: Date): JournalEntry[] {
  const at = new Date(now.getTime() - 60_000).toISOString();
  return Array.from({ length: count }, (_, index) => {
    const scenario = scenarioNamed(names[index % names.length] ?? '');
    if (scenario == null) throw new Error('the simulator has lost a scenario that is measured with');
    return { seq: index + 1, at, command: scenario.open({ runId: randomUUID(), role: 'SENT', amount: '812.40', pace: 'instant', onTimeout: null, situation: 'SCAM' }) };
  });
}
