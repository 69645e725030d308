/** Runs steps in their order, several at a time, and leaves out those whose inputs have not changed since they passed. */
import { join } from 'node:path';
import type { Result } from './command.ts';
import { contentOf, type Inputs, type PassedSteps } from './inputs.ts';

export interface Step {
  readonly name: string;
  readonly run: () => Promise<Result>;
  /** How many lanes it takes; a step that others build on takes all, so that none of them starts before it has ended. */
  readonly lanes?: 1 | 2 | 3;
  /** The step that must have ended: this one uses its product, or would take its files away. */
  readonly after?: string;
  /** Files and folders that decide its outcome; without them every file that is tracked, or untracked and not ignored. */
  readonly inputs?: readonly string[];
  /** Folders that it leaves for other steps or for a person: unless they are as it left them, the step runs. */
  readonly makes?: readonly string[];
  /** It changes the machine, or asks what the machine has, so that it runs whatever has passed. */
  readonly always?: boolean;
  /** The step of whose run it judges what was recorded: either both run or neither. */
  readonly judges?: string;
}

/** The suite is made for a machine with two cores, which three lanes keep busy: tests also wait, for a database, a browser or a timer. */
const LANES = 3;

/** The steps that passed with the inputs that they have now, with the time at which they did. */
export function unchangedSteps(steps: readonly Step[], inputs: Inputs, passed: PassedSteps, root: string): ReadonlyMap<string, string> {
  const alone = new Map(steps.flatMap((step) => {
    const at = step.always === true ? null : passed.when(step.name, stateOf(step, inputs, root));
    return at === null ? [] : [[step.name, at] as const];
  }));
  const apart = steps.flatMap(({ name, judges }) => (judges === undefined || (alone.has(name) && alone.has(judges)) ? [] : [name, judges]));
  return new Map([...alone].filter(([name]) => !apart.includes(name)));
}

/** Runs one step. It counts as passed with its inputs only if it had no failure and the inputs are the same at its end. */
export async function runRemembering(step: Step, before: Inputs, passed: PassedSteps, root: string): Promise<Result> {
  passed.forget(step.name);
  const result = await settle(step.run);
  const own = step.inputs ?? null;
  if (result.failed === 0 && step.always !== true && before.again().of(own) === before.of(own)) passed.add(step.name, stateOf(step, before, root));
  return result;
}

/** Its inputs, and its products as they are now. */
function stateOf({ inputs: own, makes = [] }: Step, inputs: Inputs, root: string): string {
  return [inputs.of(own ?? null), ...makes.map((path) => contentOf(join(root, path)))].join(' ');
}

/** Starts steps in their order, each as soon as the lanes that it needs are free and the step that it builds on has ended. */
export async function inOrder(steps: readonly Step[], run: (step: Step) => Promise<void>): Promise<void> {
  const running = new Map<string, Promise<void>>();
  const busy = (): number => steps.reduce((sum, { name, lanes = 1 }) => sum + (running.has(name) ? lanes : 0), 0);
  for (const step of steps) {
    while (busy() + (step.lanes ?? 1) > LANES || (step.after !== undefined && running.has(step.after))) await Promise.race(running.values());
    running.set(step.name, run(step).finally(() => running.delete(step.name)));
  }
  await Promise.all(running.values());
}

/** A step that breaks is a failure, and the others still run. */
async function settle(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    return { passed: 0, failed: 1, complaint: `    ${error instanceof Error ? error.message : String(error)}` };
  }
}
