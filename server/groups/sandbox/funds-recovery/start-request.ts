import type { components } from '../../../contract/generated/types.ts';
import { scenarioNamed, type RunOptions, type Scenario } from '../../../directory-simulator/index.ts';
import { Problem } from '../../../http/problem.ts';

type Given = components['schemas']['ScenarioStart'];

/** In centavos, of a payment that is worth a dispute. */
const usualAmount = 81_240;

/** What is to be played, with everything that was left to us. */
export function readStart({ scenario: name, role, amount, pace, onTimeout }: Given): { readonly scenario: Scenario; readonly options: Omit<RunOptions, 'runId'> } {
  const scenario = scenarioNamed(name);
  if (scenario === null) throw new Problem('scenario_unknown');
  if (!scenario.roles.includes(role)) {
    throw new Problem('validation_failed', { errors: [{ pointer: '/role', code: 'not_allowed', message: `in this scenario must be ${scenario.roles.join(' or ')}` }] });
  }
  return { scenario, options: { role, pace, amount: ((amount?.amount ?? usualAmount) / 100).toFixed(2), onTimeout: onTimeout ?? null, situation: 'SCAM' } };
}
