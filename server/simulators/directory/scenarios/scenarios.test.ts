/** Tests of the scenarios of funds recovery: each produces the events that the catalogue promises. */
import { describe, expect, it } from 'vitest';
import { fold } from '../core/fold.ts';
import { historyOf } from '../core/history.ts';
import { type Pace, paces, type Role } from '../core/model.ts';
import { rankOf } from '../core/simulation.ts';
import { day } from '../core/values.ts';
import { scenarios } from './catalogue.ts';
import type { Scenario } from './scenario.ts';

const tenantId = '0190f0a0-0000-7000-8000-000000000001';
const at = '2026-03-02T09:00:00.000Z';

interface RunOptions {
  readonly amount?: string | undefined;
  readonly after?: number;
}

function run(scenario: Scenario, role: Role, pace: Pace, { amount = '1000.00', after = 60 * day }: RunOptions = {}) {
  const command = scenario.open({
    runId: 'run',
    role,
    amount,
    pace,
    onTimeout: null,
    situation: 'SCAM',
  });
  return fold(tenantId, [{ seq: 1, at, command }], Date.parse(at) + after);
}

/**
 * Returns the events in a fixed order. The feed orders events of one instant by their keys, which depend on nothing in
 * the scenario.
 */
function sortedEvents(scenario: Scenario, role: Role, pace: Pace, amount?: string) {
  return historyOf(run(scenario, role, pace, { amount }))
    .toSorted(
      (a, b) =>
        a.occurredAt.localeCompare(b.occurredAt) ||
        rankOf(a.status) - rankOf(b.status) ||
        (a.of ?? '').localeCompare(b.of ?? ''),
    )
    .map(({ eventType, of, result }) => ({ eventType, of, result }));
}

describe.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('the scenario %s', (_, scenario) => {
  const variants = scenario.roles.flatMap((role) => paces.map((pace) => [role, pace] as const));
  it.each(variants)('as %s at the pace %s produces its expected events', (role, pace) => {
    expect(sortedEvents(scenario, role, pace)).toEqual(scenario.expected(role));
  });

  it('produces the same events for the smallest traced amount and for an indivisible one', () => {
    for (const amount of ['200.00', '1000.01', '999999.99'])
      expect(sortedEvents(scenario, 'SENT', 'stepped', amount)).toEqual(scenario.expected('SENT'));
  });
});

describe('the scenarios', () => {
  it('have distinct titles', () => {
    expect(new Set(scenarios.map(({ title }) => title)).size).toBe(scenarios.length);
  });

  it('have unique names in kebab case', () => {
    const names = scenarios.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  it('reject an amount that is too small or invalid, and a role that they do not have', () => {
    const [first] = scenarios;
    for (const amount of ['0.99', '1', '-1.00', '1.000'])
      expect(() => first && run(first, 'SENT', 'instant', { amount })).toThrow(RangeError);
    const refused = scenarios.find(({ name }) => name === 'tracking-refused');
    expect(() => refused && run(refused, 'RECEIVED', 'instant')).toThrow(RangeError);
  });

  it('wait only for limits at the instant pace', () => {
    const waiting = scenarios.filter(
      (scenario) =>
        run(scenario, 'SENT', 'instant', { after: 1000 }).runs[0]?.facts.length !== scenario.expected('SENT').length,
    );
    expect(waiting.map(({ name }) => name)).toEqual([
      'analysis-timeout',
      'analysis-timeout-auto-agree',
      'analysis-timeout-auto-disagree',
      'analysis-timeout-auto-cancel',
      'refund-start-timeout',
      'refund-start-timeout-auto-cancel',
      'refund-at-the-last-minute',
      'refund-timeout',
      'tracking-stuck',
    ]);
  });

  it('refuse what the directory refuses', () => {
    const refusals = scenarios.flatMap((scenario) =>
      run(scenario, 'SENT', 'stepped').runs.flatMap((each) =>
        each.refusals.map(({ action, error }) => [scenario.name, action, error]),
      ),
    );
    expect(refusals).toEqual([
      ['tracking-refused', 'OPEN_RECOVERY', 'FundsRecoveryTrackingTimeout'],
      ['cancel-while-refunding', 'CANCEL', 'FundsRecoveryOperationInvalid'],
    ]);
  });
});
