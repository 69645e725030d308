/** Changes of instances by hand: cancelling, suspending and resuming them, and setting their variables. */
import { Problem } from '../../contract/problem.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { assertMatch, etagOf } from '../../request/preconditions.ts';
import { enqueueTaskOnce } from '../../tasks/task.ts';
import { Stale } from '../../workflow/kernel/step.ts';
import { advance, CALLS, cancelInstance, RETURNED, STEP } from './advance.ts';
import { BINDING } from './binding-types.ts';
import { calledBy, findInstance, type Instance, type InstanceStatus, setInstanceStatus } from './instance-store.ts';
import { jobsOfService } from './job-store.ts';
import { lookup } from './lookup.ts';
import { assertComputed, impossible, moveTo, stateIn, versionFor } from './migrate.ts';
import { presentInstance, presentVariables } from './present.ts';
import { assertRoom } from './room.ts';

const about = ({ id }: Pick<Instance, 'id'>) => ({ type: 'workflow_instance', id }) as const;

/** Returns the refusal of a change that the status of the instance does not allow. */
const refusalOf = ({ status }: Instance): Problem<'invalid_state_transition'> =>
  new Problem('invalid_state_transition', { currentStatus: status, allowedTransitions: [...NEXT[status]] });

const NEXT: Readonly<Record<InstanceStatus, readonly InstanceStatus[]>> = {
  active: ['suspended', 'cancelled'],
  suspended: ['active', 'cancelled'],
  completed: [],
  cancelled: [],
  erased: [],
};

/** Refuses what continues an instance that is suspended or has ended. */
export function assertActive(instance: Instance): void {
  if (instance.status !== 'active') throw refusalOf(instance);
}

/** Moves tokens of an instance. Each is judged by the process before anything is written. */
async function modify(ctx: Context<'modifyWorkflowInstance'>): Promise<Instance> {
  const { tx, body, now } = ctx;
  const { end = [], begin = [] } = body;
  const found = await lookup(ctx).instance(ctx.params.workflowInstanceId).forChange();
  assertActive(found);
  assertComputed(found);
  if (end.length + begin.length === 0) {
    throw impossible([{ pointer: '/begin', code: 'required', message: 'Name what ends or what begins.' }]);
  }
  const when = { at: ctx.timeIn(found.environment), now };
  return advance(tx, found, { do: 'modify', end, begin }, when).catch((failure: unknown) => {
    if (!(failure instanceof Stale)) throw failure;
    const pointer = failure.message.startsWith('The execution') ? '/end' : '/begin';
    throw impossible([{ pointer, code: 'not_possible', message: failure.message }]);
  });
}

/** Lets an instance continue by another version, or shows how it would. */
async function migrate(ctx: Context<'migrateWorkflowInstance'>): Promise<Instance> {
  const { tx, body, now } = ctx;
  const { definitionId, mappings = [], dryRun = false } = body;
  const found = await lookup(ctx).instance(ctx.params.workflowInstanceId).forChange();
  if (!NEXT[found.status].includes('cancelled')) throw refusalOf(found);
  const target = await versionFor(tx, found, definitionId);
  const when = { at: ctx.timeIn(found.environment), now };
  const state = await stateIn(tx, found, target, { mappings, when });
  if (!dryRun) return moveTo(tx, found, { target, state, mappings }, when);
  return {
    ...found,
    definitionId: target.id,
    definitionNumber: target.number,
    state,
  };
}

type Operations =
  | 'cancelWorkflowInstance'
  | 'suspendWorkflowInstance'
  | 'resumeWorkflowInstance'
  | 'getWorkflowVariables'
  | 'updateWorkflowVariables'
  | 'modifyWorkflowInstance'
  | 'migrateWorkflowInstance';

export const instanceChanges: Pick<Handlers, Operations> = {
  cancelWorkflowInstance: async (ctx) => {
    const { tx, body, now } = ctx;
    const found = await lookup(ctx).instance(ctx.params.workflowInstanceId).forChange();
    if (!NEXT[found.status].includes('cancelled')) throw refusalOf(found);
    const cancelled = await cancelInstance(tx, found, { at: ctx.timeIn(found.environment), now });
    ctx.audit('workflow.cancelled', about(cancelled), { note: body.note });
    return ctx.reply(200, await presentInstance(tx, cancelled));
  },

  suspendWorkflowInstance: async (ctx) => {
    const found = await lookup(ctx).instance(ctx.params.workflowInstanceId).forChange();
    assertActive(found);
    await setInstanceStatus(ctx.tx, found.id, 'suspended', ctx.timeIn(found.environment));
    ctx.audit('workflow.suspended', about(found), { note: ctx.body.note });
    return ctx.reply(200, await presentInstance(ctx.tx, (await findInstance(ctx.tx, found.id))!));
  },

  resumeWorkflowInstance: async (ctx) => {
    const { tx, now } = ctx;
    const found = await lookup(ctx).instance(ctx.params.workflowInstanceId).forChange();
    if (found.status !== 'suspended') throw refusalOf(found);
    await setInstanceStatus(tx, found.id, 'active', ctx.timeIn(found.environment));
    if (found.isBusy) await enqueueTaskOnce(tx, { name: STEP }, found.id, now);
    await enqueueTaskOnce(tx, { name: CALLS }, found.id, now);
    // The others have ended and given their results.
    const unreturned = (await calledBy(tx, found.id)).filter(({ parentExecution }) => parentExecution !== null);
    for (const { id, status } of unreturned)
      if (status === 'completed' || status === 'cancelled') await enqueueTaskOnce(tx, { name: RETURNED }, id, now);
    for (const id of await jobsOfService(tx, found.id)) await enqueueTaskOnce(tx, { name: BINDING }, id, now);
    ctx.audit('workflow.resumed', about(found), {});
    return ctx.reply(200, await presentInstance(tx, (await findInstance(tx, found.id))!));
  },

  getWorkflowVariables: async (ctx) => {
    const found = await lookup(ctx).instance(ctx.params.workflowInstanceId).forReading();
    return ctx.reply(200, await presentVariables(ctx.tx, found), { ETag: etagOf(found.version) });
  },

  updateWorkflowVariables: async (ctx) => {
    const { tx, now } = ctx;
    const found = await lookup(ctx).instance(ctx.params.workflowInstanceId).forChange();
    assertMatch(ctx.headers['if-match'], found.version);
    if (!NEXT[found.status].includes('cancelled')) throw refusalOf(found);
    const { variables = {} } = ctx.body;
    assertRoom(found, variables);
    const at = ctx.timeIn(found.environment);
    const changed = await advance(tx, found, { do: 'set_variables', variables }, { at, now });
    ctx.audit('workflow.variables_changed', about(changed), { names: Object.keys(variables) });
    return ctx.reply(200, await presentVariables(tx, changed), { ETag: etagOf(changed.version) });
  },

  modifyWorkflowInstance: async (ctx) => {
    const modified = await modify(ctx);
    const { end = [], begin = [], note } = ctx.body;
    ctx.audit('workflow.modified', about(modified), { end, begin, note });
    return ctx.reply(200, await presentInstance(ctx.tx, modified));
  },

  migrateWorkflowInstance: async (ctx) => {
    const migrated = await migrate(ctx);
    const { definitionNumber } = migrated;
    if (ctx.body.dryRun !== true) {
      ctx.audit('workflow.migrated', about(migrated), { definitionNumber, note: ctx.body.note });
    }
    return ctx.reply(200, await presentInstance(ctx.tx, migrated));
  },
};
