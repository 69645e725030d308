/** Operations on the tasks of people, and who may claim, release and complete one. */
import type { BusinessTime } from '../../base/time.ts';
import { actorOf, type UserPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { environmentPage, type Page } from '../../request/pagination.ts';
import { assertMatch, etagOf } from '../../request/preconditions.ts';
import type { Graph } from '../../workflow/kernel/graph.ts';
import { advance, graphOf } from './advance.ts';
import { assertActive } from './instance-change-handlers.ts';
import { lockInstance } from './instance-store.ts';
import { lookup } from './lookup.ts';
import { presentTask } from './present.ts';
import { assertRoom } from './room.ts';
import { changeTask, completersOf, findWorkflowTask, isCandidate, listTasks, type WorkflowTask } from './task-store.ts';

const about = ({ id }: Pick<WorkflowTask, 'id'>) => ({ type: 'workflow_task', id }) as const;

const isOpen = ({ status }: WorkflowTask): boolean => status === 'created' || status === 'claimed';

/** Returns the refusal of a change of a task that nobody has to do any more. */
const refusalOf = ({ status }: WorkflowTask): Problem<'invalid_state_transition'> =>
  new Problem('invalid_state_transition', { currentStatus: status, allowedTransitions: [] });

/** Refuses people without a candidate role of the task. */
function assertCandidate({ candidateRoles }: WorkflowTask, { role }: UserPrincipal): void {
  if (candidateRoles.length > 0 && !candidateRoles.includes(role)) throw new Problem('workflow_task_forbidden');
}

async function taskPage(ctx: Context<'listWorkflowTasks'>): Promise<Page<ReturnType<typeof presentTask>>> {
  const { status: statuses = [], assigneeId, instanceId } = ctx.query;
  return environmentPage(ctx, {
    rows: ({ environment, ...wanted }) =>
      listTasks(
        ctx.tx,
        {
          environment,
          statuses,
          assigneeId,
          instanceId,
        },
        wanted,
      ),
    position: ({ createdAt, id }) => [createdAt, id],
    item: presentTask,
  });
}

/** Refuses an assignee who is no active member with a candidate role. */
async function assertEligible(tx: Transaction, { candidateRoles }: WorkflowTask, userId: string): Promise<void> {
  if (await isCandidate(tx, userId, candidateRoles)) return;
  throw new Problem('assignee_not_eligible', {
    errors: [
      { pointer: '/assigneeId', code: 'assignee_not_eligible', message: 'must be a member with a role of the task' },
    ],
  });
}

/** Claims a task for the caller, gives it to another member, or releases it. */
async function assign(ctx: Context<'updateWorkflowTask'>, task: WorkflowTask): Promise<BusinessTime> {
  const { tx, body, principal } = ctx;
  const { assigneeId = task.assigneeId } = body;
  const isOfficer = principal.role === 'compliance_officer';
  const isOwn = task.assigneeId === principal.userId;
  const isOther = assigneeId !== null && assigneeId !== principal.userId;
  if (isOther && !isOfficer) throw new Problem('workflow_task_forbidden');
  if (isOther) await assertEligible(tx, task, assigneeId);
  else if (assigneeId !== null || !isOfficer) assertCandidate(task, principal);
  if (task.assigneeId !== null && !isOwn && !isOfficer) throw new Problem('workflow_task_forbidden');
  const at = ctx.timeIn(task.environment);
  const status = assigneeId === null ? 'created' : 'claimed';
  await changeTask(
    tx,
    task.id,
    {
      status,
      assigneeId,
      completedBy: null,
      completedAt: null,
    },
    at,
  );
  return at;
}

/**
 * Returns the tasks that somebody else must do than whoever does this one: the one that it names, and those that name
 * it, because either of two tasks can be completed first.
 */
function othersOf({ program }: Graph, elementId: string): string[] {
  return program.nodes.flatMap(({ id, user }) => {
    if (id === elementId) return user?.notSameUserAs ?? [];
    return user?.notSameUserAs === elementId ? [id] : [];
  });
}

/** Completes a task: its row, and the step of its instance. The instance is locked first, like everywhere. */
async function complete(ctx: Context<'completeWorkflowTask'>, { id, instanceId }: WorkflowTask): Promise<void> {
  const { tx, body, principal, now } = ctx;
  const instance = (await lockInstance(tx, instanceId))!;
  const task = await lookup(ctx).task(id).forChange();
  if (!isOpen(task)) throw refusalOf(task);
  assertActive(instance);
  assertCandidate(task, principal);
  if (task.assigneeId !== null && task.assigneeId !== principal.userId) throw new Problem('workflow_task_forbidden');
  const { variables = {} } = body ?? {};
  assertRoom(instance, variables);
  const others = await completersOf(tx, instanceId, othersOf(await graphOf(tx, instance.definitionId), task.elementId));
  if (others.includes(principal.userId)) throw new Problem('self_approval_forbidden');
  const at = ctx.timeIn(task.environment);
  const completedBy = actorOf(principal);
  await changeTask(
    tx,
    id,
    {
      status: 'completed',
      assigneeId: task.assigneeId,
      completedBy,
      completedAt: at,
    },
    at,
  );
  await advance(tx, instance, { do: 'complete', execution: task.execution, variables }, { at, now });
}

function actionOf(assigneeId: string | null, { userId }: UserPrincipal) {
  if (assigneeId === null) return 'workflow_task.released';
  return assigneeId === userId ? 'workflow_task.claimed' : 'workflow_task.assigned';
}

type Operations = 'listWorkflowTasks' | 'getWorkflowTask' | 'updateWorkflowTask' | 'completeWorkflowTask';

export const taskHandlers: Pick<Handlers, Operations> = {
  listWorkflowTasks: async (ctx) => ctx.reply(200, await taskPage(ctx)),

  getWorkflowTask: async (ctx) => {
    const found = await lookup(ctx).task(ctx.params.workflowTaskId).forReading();
    return ctx.reply(200, presentTask(found), { ETag: etagOf(found.version) });
  },

  updateWorkflowTask: async (ctx) => {
    const found = await lookup(ctx).task(ctx.params.workflowTaskId).forChange();
    assertMatch(ctx.headers['if-match'], found.version);
    if (!isOpen(found)) throw refusalOf(found);
    await assign(ctx, found);
    const changed = (await findWorkflowTask(ctx.tx, found.id))!;
    const { assigneeId } = changed;
    ctx.audit(actionOf(assigneeId, ctx.principal), about(changed), { assigneeId });
    return ctx.reply(200, presentTask(changed), { ETag: etagOf(changed.version) });
  },

  completeWorkflowTask: async (ctx) => {
    const found = await lookup(ctx).task(ctx.params.workflowTaskId).forChangeWithoutLock();
    await complete(ctx, found);
    const completed = (await findWorkflowTask(ctx.tx, found.id))!;
    ctx.audit('workflow_task.completed', about(completed), { instanceId: completed.instanceId });
    return ctx.reply(200, presentTask(completed));
  },
};
