/**
 * Runs steps in their order, several at a time, and skips those whose inputs have not changed since they passed. Used
 * by the program scripts/test.ts.
 */
import { join } from 'node:path';
import type { Result } from './command.ts';
import { contentOf, type Inputs, type PassedSteps } from './inputs.ts';

export interface Step {
  readonly name: string;
  readonly run: () => Promise<Result>;
  /**
   * Number of lanes that the step occupies. A step that others depend on occupies all, so that none of them starts
   * before it has ended.
   */
  readonly lanes?: 1 | 2 | 3;
  /** Step that must have ended first, because this one uses its product or would delete its files. */
  readonly after?: string;
  /** Files and folders that decide the outcome; by default every file that is tracked, or untracked and not ignored. */
  readonly inputs?: readonly string[];
  /** Folders that the step produces for other steps or for people: the step runs again if they have changed since. */
  readonly makes?: readonly string[];
  /** Whether the step always runs, because it changes the machine or depends on its state. */
  readonly always?: boolean;
  /** Step whose recordings this step judges: either both run or neither. */
  readonly judges?: string;
}

/**
 * Number of lanes. The suite is made for a machine with two cores, which three lanes keep busy because tests also wait
 * for a database, a browser or a timer.
 */
const LANES = 3;

/** Returns the steps that passed with their present inputs, with the time at which they passed. */
export function unchangedSteps(
  steps: readonly Step[],
  inputs: Inputs,
  passed: PassedSteps,
  root: string,
): ReadonlyMap<string, string> {
  const alone = new Map(
    steps.flatMap((step) => {
      const at = step.always === true ? null : passed.when(step.name, stateOf(step, inputs, root));
      return at === null ? [] : [[step.name, at] as const];
    }),
  );
  const apart = steps.flatMap(({ name, judges }) =>
    judges === undefined || (alone.has(name) && alone.has(judges)) ? [] : [name, judges],
  );
  return new Map([...alone].filter(([name]) => !apart.includes(name)));
}

/**
 * Runs one step. The step counts as passed with its inputs only if it had no failure and the inputs are still the same
 * when it ends.
 */
export async function runRemembering(step: Step, before: Inputs, passed: PassedSteps, root: string): Promise<Result> {
  passed.forget(step.name);
  const result = await settle(step.run);
  const own = step.inputs ?? null;
  if (result.failed === 0 && step.always !== true && before.again().of(own) === before.of(own))
    passed.add(step.name, stateOf(step, before, root));
  return result;
}

/** Returns a hash of the inputs of a step and of its products in their present state. */
function stateOf({ inputs: own, makes = [] }: Step, inputs: Inputs, root: string): string {
  return [inputs.of(own ?? null), ...makes.map((path) => contentOf(join(root, path)))].join(' ');
}

/**
 * Starts steps in their order, each as soon as the lanes that it needs are free and the step
 * that it builds on has ended.
 */
export async function inOrder(steps: readonly Step[], run: (step: Step) => Promise<void>): Promise<void> {
  const running = new Map<string, Promise<void>>();
  const busy = (): number => steps.reduce((sum, { name, lanes = 1 }) => sum + (running.has(name) ? lanes : 0), 0);
  for (const step of steps) {
    while (busy() + (step.lanes ?? 1) > LANES || (step.after !== undefined && running.has(step.after)))
      await Promise.race(running.values());
    running.set(
      step.name,
      run(step).finally(() => running.delete(step.name)),
    );
  }
  await Promise.all(running.values());
}

/** Returns a failure if a step throws, so that the others still run. */
async function settle(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    return { passed: 0, failed: 1, complaint: `    ${error instanceof Error ? error.message : String(error)}` };
  }
}
