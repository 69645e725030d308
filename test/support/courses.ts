/** Random courses of recoveries for property tests of the directory. */
import type { Command, JournalEntry } from '../../server/simulators/directory/core/model.ts';
import { scenarioNamed, scenarios } from '../../server/simulators/directory/scenarios/catalogue.ts';
import type { Scenario } from '../../server/simulators/directory/scenarios/scenario.ts';

const minute = 60_000;

export function named(name: string): Scenario {
  const scenario = scenarioNamed(name);
  if (scenario === null) throw new Error(`there is no scenario ${name}`);
  return scenario;
}

/**
 * Returns up to four recoveries of random courses that begin within six hours, with some notifications lost or late.
 */
export function randomJournal(begin: number, random: () => number): JournalEntry[] {
  const commands: Command[] = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
    const scenario = pick(scenarios, random);
    return scenario.open({
      runId: `run ${random()}`,
      role: pick(scenario.roles, random),
      amount: '812.40',
      pace: random() < 0.2 ? 'realtime' : 'stepped',
      onTimeout: null,
      situation: 'SCAM',
    });
  });
  if (random() < 0.4)
    commands.push({
      type: random() < 0.5 ? 'DROP_NOTIFICATIONS' : 'DELAY_NOTIFICATIONS',
      count: 1 + Math.floor(random() * 3),
    });
  return commands.map((command, index) => ({
    seq: index + 1,
    at: new Date(begin + Math.floor(random() * 6 * 60) * minute).toISOString(),
    command,
  }));
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}

function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)] as T;
}
