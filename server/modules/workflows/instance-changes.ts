/** Changes of instances by hand: cancelling, suspending and resuming them, and setting their variables. */
import { Problem } from '../../contract/problem.ts';
import type { Handlers } from '../../request/handler.ts';
import { assertMatch, etagOf } from '../../request/preconditions.ts';
import { enqueueTaskOnce } from '../../tasks/task.ts';
import { advance, cancelInstance, STEP } from './advance.ts';
import { findInstance, type Instance, type InstanceStatus, setInstanceStatus } from './instance-store.ts';
import { lookup } from './lookup.ts';
import { presentInstance, presentVariables } from './present.ts';
import { waitingCommands } from './waiting-store.ts';

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

type Operations =
  | 'cancelWorkflowInstance'
  | 'suspendWorkflowInstance'
  | 'resumeWorkflowInstance'
  | 'getWorkflowVariables'
  | 'updateWorkflowVariables';

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
    if ((await waitingCommands(tx, found.id)).length > 0) await enqueueTaskOnce(tx, { name: STEP }, found.id, now);
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
    const at = ctx.timeIn(found.environment);
    const changed = await advance(tx, found, { do: 'set_variables', variables }, { at, now });
    ctx.audit('workflow.variables_changed', about(changed), { names: Object.keys(variables) });
    return ctx.reply(200, await presentVariables(tx, changed), { ETag: etagOf(changed.version) });
  },
};
