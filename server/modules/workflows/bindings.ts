/**
 * The task of work that the service itself does for a process. A decision table decides in a child process; everything
 * else is done in the transaction that lets the instance go on (`binding-work.ts`).
 */
import type { BusinessTimestamp } from '../../base/time.ts';
import type { Transaction } from '../../database/index.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import type { TaskStep, WorkKind } from '../../tasks/task.ts';
import type { DecisionTable } from '../../workflow/feel/decision-table.ts';
import { type Variables, variablesSeenBy } from '../../workflow/kernel/state.ts';
import { Stale } from '../../workflow/kernel/step.ts';
import { inChild } from '../../workflow/child/in-child.ts';
import { activeDefinition } from '../definitions/index.ts';
import { advance, nodeOf } from './advance.ts';
import { BINDING } from './binding-types.ts';
import type { BindingServices } from './binding-call.ts';
import { carriedOut, type Done } from './binding-work.ts';
import type { When } from './follow.ts';
import { findInstance, type Instance, lockInstance, type LockedInstance } from './instance-store.ts';
import { changeJob, findJob, type Job, lockJob } from './job-store.ts';
import { tableOf } from './model-store.ts';

/** Thrown if the process no longer needs the work, so that the work is rolled back. */
class Overtaken extends Error {}

/** A decision table with what it is asked, or null for work that asks none. */
interface Question {
  readonly table: DecisionTable;
  readonly result: string;
  readonly variables: Variables;
  readonly at: BusinessTimestamp;
}

/** Work without a table is done when its effect is written, so nothing is known of it before. */
type Output = Done | null;

type Input = { readonly question: Question | null } | { readonly refused: string };

export const bindingTask: WorkKind<BindingServices, Input, Output> = {
  name: BINDING,

  claim: async ({ tx, subjectId, now }) => {
    const job = await findJob(tx, subjectId);
    const instance = job === null ? null : await findInstance(tx, job.instanceId);
    // A suspended instance queues its work again when it is resumed.
    if (job?.status !== 'waiting' || instance?.status !== 'active') return null;
    if (job.type !== 'decision.table') return { question: null };
    return questionOf(tx, job, instance, (await timeIn(tx, instance.environment, now)).toISOString());
  },

  work: async (input) => {
    if ('refused' in input) return input;
    if (input.question === null) return null;
    const { result, ...asked } = input.question;
    const answer = await inChild({ do: 'decide', ...asked });
    if (answer === 'exceeded' || answer.did !== 'decide') return { refused: 'decision_failed' };
    const { decided } = answer;
    return 'failed' in decided ? { refused: 'decision_failed' } : { values: { [result]: decided.result } };
  },

  finish: async (step, output, services) => {
    const { tx, subjectId, now } = step;
    const found = await findJob(tx, subjectId);
    const before = found === null ? null : await findInstance(tx, found.instanceId);
    if (found === null || before === null) return;
    const at = await timeIn(tx, before.environment, now);
    const call = {
      tx,
      instance: before,
      variables: variablesFor(before, found),
      services,
      at,
      now,
    };
    const done = output ?? (await carriedOut(call, found.type));
    // What the work locks comes before the instance, because an erasure locks in this order.
    const instance = await lockInstance(tx, found.instanceId);
    const job = await lockJob(tx, subjectId);
    if (instance?.status !== 'active' || job?.status !== 'waiting') throw new Overtaken('The work is not needed.');
    await end(step, { instance, job }, done, { at, now });
  },

  giveUp: async ({ tx, subjectId, now }) => {
    const found = await findJob(tx, subjectId);
    const instance = found === null ? null : await lockInstance(tx, found.instanceId);
    const job = instance === null ? null : await lockJob(tx, subjectId);
    if (instance?.status !== 'active' || job?.status !== 'waiting') return;
    const message = 'The service could not do the work.';
    const command = {
      do: 'stop',
      execution: job.execution,
      code: 'retries_exhausted',
      message,
    } as const;
    await advance(tx, instance, command, { at: await timeIn(tx, instance.environment, now), now });
  },
};

/** Writes that the work is done, and lets the instance go on with its values or with an error. */
async function end(
  { tx }: TaskStep,
  { instance, job }: { readonly instance: LockedInstance; readonly job: Job },
  done: Done,
  when: When,
): Promise<void> {
  const { id, execution, retriesLeft } = job;
  const row = {
    status: 'completed',
    retriesLeft,
    lockedUntil: null,
    availableAt: when.now,
  } as const;
  await changeJob(tx, id, row, when.at);
  const variables = 'values' in done ? done.values : {};
  const command =
    'refused' in done
      ? ({
          do: 'error',
          execution,
          code: done.refused,
          variables,
        } as const)
      : ({ do: 'complete', execution, variables } as const);
  // A command that waits may have ended what needed the work.
  await advance(tx, instance, command, when).catch((failure: unknown) => {
    if (!(failure instanceof Stale)) throw failure;
  });
}

/** Returns the variables that a piece of work sees. */
function variablesFor({ state, variables }: Instance, { execution }: Job): Variables {
  const executions = new Map((state?.executions ?? []).map((one) => [one.id, one]));
  return variablesSeenBy(execution, (id) => executions.get(id), variables);
}

async function questionOf(tx: Transaction, job: Job, instance: Instance, at: BusinessTimestamp): Promise<Input> {
  const node = await nodeOf(tx, instance.definitionId, job.elementId);
  const { key, result } = node.job!.decision!;
  const table = await activeDefinition(tx, { environment: instance.environment, kind: 'decision_table', key });
  if (table === null) return { refused: 'decision_not_active' };
  return {
    question: {
      table: await tableOf(tx, table.id),
      result,
      variables: variablesFor(instance, job),
      at,
    },
  };
}
