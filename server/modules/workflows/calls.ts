/**
 * Calls of other processes: begins the called instance, gives its result back to its caller, and ends it when the
 * caller no longer waits for it. Two instances are never locked in another order than caller before called, and each
 * direction is a task of its own.
 */
import type { Transaction } from '../../database/index.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import type { StepKind } from '../../tasks/task.ts';
import { type Execution, variablesSeenBy } from '../../workflow/kernel/state.ts';
import { type Command, Stale } from '../../workflow/kernel/step.ts';
import { activeDefinition } from '../definitions/index.ts';
import { advance, cancelInstance, CALLS, graphOf, nodeOf, RETURNED } from './advance.ts';
import { appendStarted } from './actor.ts';
import { beginInstance } from './begin.ts';
import { type NoPosition, positionBelow } from './hierarchy.ts';
import type { When } from './follow.ts';
import {
  calledBy,
  findInstance,
  type Instance,
  lockInstance,
  type LockedInstance,
  noteReturned,
} from './instance-store.ts';
import { tryAgain } from './try-again.ts';
import { answeredExecutions } from './waiting-store.ts';

/** Instances that one step begins or ends, so that a list of a thousand holds up nobody. */
const AT_ONCE = 20;

const isCalling = ({ waits, incident }: Execution): boolean => waits === 'call' && incident === undefined;

/**
 * Begins what an instance calls, and ends what it called and no longer waits for. A suspended instance begins nothing,
 * but what it no longer waits for ends, because it may be cancelled without being resumed.
 */
export const callsTask: StepKind<unknown> = {
  name: CALLS,
  step: async ({ tx, subjectId, now }) => {
    const caller = await lockInstance(tx, subjectId);
    if (caller === null) return null;
    const isSuspended = caller.status === 'suspended';
    const when = { at: await timeIn(tx, caller.environment, now), now };
    const called = await calledBy(tx, caller.id);
    const isRunning = caller.status === 'active' || isSuspended;
    const calling = isRunning ? (caller.state?.executions ?? []).filter(isCalling) : [];
    const unwanted = called.filter(
      ({ parentExecution, status }) =>
        (status === 'active' || status === 'suspended') && !calling.some(({ id }) => id === parentExecution),
    );
    for (const { id } of unwanted.slice(0, AT_ONCE)) await end(tx, id, when);
    const begun = new Set(called.map(({ parentExecution }) => parentExecution));
    const answered = caller.isBusy ? await answeredExecutions(tx, caller.id) : new Set<number>();
    const uncalled = isSuspended ? [] : calling.filter(({ id }) => !answered.has(id) && !begun.has(id));
    let current = caller;
    for (const execution of uncalled.slice(0, AT_ONCE)) current = await call(tx, current, execution, when);
    return Math.max(unwanted.length, uncalled.length) > AT_ONCE ? 0 : null;
  },
  giveUp: tryAgain(CALLS),
};

async function end(tx: Transaction, id: string, when: When): Promise<void> {
  const instance = await lockInstance(tx, id);
  if (instance?.status === 'active' || instance?.status === 'suspended') await cancelInstance(tx, instance, when);
}

/** Begins the instance that an execution calls, or stops the execution with an incident. */
async function call(
  tx: Transaction,
  caller: LockedInstance,
  execution: Execution,
  when: When,
): Promise<LockedInstance> {
  const { calls = '' } = await nodeOf(tx, caller.definitionId, execution.node);
  const stop = (code: NoPosition['code'] | 'called_process_not_found', message: string): Promise<LockedInstance> =>
    advance(
      tx,
      caller,
      {
        do: 'stop',
        execution: execution.id,
        code,
        message,
      },
      when,
    );
  const { environment, applicationId, businessId, startedBy } = caller;
  const definition = await activeDefinition(tx, { environment, kind: 'workflow', key: calls });
  const canBegin = definition !== null && (await graphOf(tx, definition.id)).plainStart(calls) !== undefined;
  if (!canBegin) return stop('called_process_not_found', `No version of ${calls.slice(0, 100)} can be called.`);
  const position = await positionBelow(tx, caller);
  if ('code' in position) return stop(position.code, position.message);
  const executions = new Map((caller.state?.executions ?? []).map((one) => [one.id, one]));
  const variables = variablesSeenBy(execution.id, (id) => executions.get(id), caller.variables);
  const wanted = {
    applicationId,
    businessId,
    startedBy,
    variables,
    caller: { instanceId: caller.id, execution: execution.id },
    position,
  };
  appendStarted(tx, await beginInstance(tx, definition, wanted, when), when);
  return caller;
}

/** Gives the result of a called instance that has ended to its caller. */
export const returnedTask: StepKind<unknown> = {
  name: RETURNED,
  step: async ({ tx, subjectId, now }) => {
    const called = await findInstance(tx, subjectId);
    if (called === null || called.parentInstanceId === null || called.parentExecution === null) return null;
    const caller = await lockInstance(tx, called.parentInstanceId);
    // The caller hears of it when it is resumed.
    if (caller?.status !== 'active') return null;
    const waits = caller.state?.executions.some((one) => one.id === called.parentExecution && isCalling(one)) ?? false;
    if (!waits) return null;
    const at = await timeIn(tx, caller.environment, now);
    // If the caller tries again, for example after an incident, it calls another instance.
    noteReturned(tx, called.id, at);
    await advance(tx, caller, resultOf(called, called.parentExecution), { at, now }).catch((failure: unknown) => {
      if (!(failure instanceof Stale)) throw failure;
    });
    return null;
  },
  giveUp: tryAgain(RETURNED),
};

function resultOf({ status, state, variables }: Instance, execution: number): Command {
  if (status === 'completed' && state?.outcome !== 'error') return { do: 'complete', execution, variables };
  return {
    do: 'error',
    execution,
    code: state?.errorCode ?? 'called_process_cancelled',
    variables: {},
  };
}
