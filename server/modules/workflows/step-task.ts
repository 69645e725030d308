/** The background task behind steps that need expressions: it reads, computes without a connection, and writes. */
import type { BusinessTimestamp } from '../../base/time.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import { enqueueTask, type TaskStep, type WorkKind } from '../../tasks/task.ts';
import { type Before, compute, type InstanceCommand, timeOf } from '../../workflow/compute.ts';
import { Graph } from '../../workflow/kernel/graph.ts';
import { EvaluationFailed } from '../../workflow/kernel/run.ts';
import type { Step } from '../../workflow/kernel/step.ts';
import type { Program } from '../../workflow/program.ts';
import { inChild } from '../../workflow/child/in-child.ts';
import { apply, beforeOf, STEP } from './advance.ts';
import { findInstance, lockInstance } from './instance-store.ts';
import { programOf } from './model-store.ts';
import { tryAgain } from './try-again.ts';
import { deleteCommand, deleteCommands, firstCommand, hasCommands } from './waiting-store.ts';

interface Input {
  readonly commandId: string;
  readonly command: InstanceCommand;
  readonly program: Program;
  readonly before: Before;
  /** Version of the instance that the step was computed for. */
  readonly version: number;
  readonly at: BusinessTimestamp;
}

type Output = Pick<Input, 'commandId' | 'version'> & {
  /** Null if the command is for something that is no longer under way. */
  readonly step: Step | null;
};

/** Computes the first command that waits for an instance, in a child process, and the next one after it. */
export const stepTask: WorkKind<unknown, Input, Output> = {
  name: STEP,

  claim: async ({ tx, subjectId, now }) => {
    const instance = await findInstance(tx, subjectId);
    const first = await firstCommand(tx, subjectId);
    if (instance === null || first === null || instance.status !== 'active') return null;
    const program = await programOf(tx, instance.definitionId);
    const at = (await timeIn(tx, instance.environment, now)).toISOString();
    return {
      commandId: first.id,
      command: first.command,
      program,
      before: beforeOf(instance),
      version: instance.version,
      at,
    };
  },

  work: async ({ commandId, version, ...input }) => ({ commandId, version, step: await computed(input) }),

  finish: async (task, { commandId, version, step }) => {
    const { tx, subjectId, now } = task;
    const instance = await lockInstance(tx, subjectId);
    // The commands of a suspended instance wait until it is resumed, and its resumption queues the task again.
    if (instance === null || instance.status === 'suspended') return;
    if (instance.status !== 'active') return deleteCommands(tx, subjectId);
    // Whatever changed the instance meanwhile came first, so the step is computed again.
    if (instance.version === version) {
      deleteCommand(tx, commandId);
      if (step !== null) await apply(tx, instance, step, { at: await timeIn(tx, instance.environment, now), now });
    }
    await continueWith(task);
  },

  // The commands stay, and the instance says meanwhile that it is busy.
  giveUp: tryAgain(STEP),
};

async function continueWith({ tx, subjectId, now }: TaskStep): Promise<void> {
  if (await hasCommands(tx, subjectId)) enqueueTask(tx, { name: STEP }, subjectId, now);
}

async function computed(input: Omit<Input, 'commandId' | 'version'>): Promise<Step | null> {
  const answer = await inChild({ do: 'step', ...input });
  if (answer !== 'exceeded') return answer.did === 'step' ? answer.step : null;
  const evaluate = (): never => {
    throw new EvaluationFailed('The expressions of the step take too much time or memory.');
  };
  return compute(new Graph(input.program), input.before, input.command, { at: timeOf(input.at), evaluate });
}
