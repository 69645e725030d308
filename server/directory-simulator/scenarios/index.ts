import { cancelled } from './cancelled.ts';
import { ordinary } from './ordinary.ts';
import { overdue } from './overdue.ts';
import type { Scenario } from './scenario.ts';

export const scenarios: readonly Scenario[] = [...ordinary, ...overdue, ...cancelled];

export function scenarioNamed(name: string): Scenario | null {
  return scenarios.find((scenario) => scenario.name === name) ?? null;
}
