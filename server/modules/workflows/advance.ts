/** Carries out commands on instances and writes what follows from the step: the state, its tasks and its timers. */
import { BoundedMap } from '../../base/bounded-map.ts';
import type { BusinessTime, BusinessTimestamp, RealTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { Transaction } from '../../database/index.ts';
import { calendarDate, isBusinessDay, saoPauloDay } from '../../rules/brazilian-calendar.ts';
import { enqueueTaskOnce } from '../../tasks/task.ts';
import { type Before, compute, type InstanceCommand } from '../../workflow/compute.ts';
import { Graph } from '../../workflow/kernel/graph.ts';
import { type Execution, type State, STATE_FORMAT, type Subscription } from '../../workflow/kernel/state.ts';
import type { Step } from '../../workflow/kernel/step.ts';
import type { Node } from '../../workflow/program.ts';
import { cancelIncidents, insertIncident, openIncidents } from './incident-store.ts';
import { findInstance, type Instance, updateInstance } from './instance-store.ts';
import { deleteAwaited, insertAwaited } from './message-store.ts';
import { modelOf } from './model-store.ts';
import { cancelTasks, insertTask } from './task-store.ts';
import { deleteCommands, deleteTimers, insertCommand, insertTimer, waitingCommands } from './waiting-store.ts';

/** Name of the task that computes the steps which evaluate expressions. */
export const STEP = 'workflows.step';

/** Business time (`at`) and real time (`now`) of a change. */
export interface When {
  readonly at: BusinessTime;
  readonly now: RealTime;
}

/** Thrown where a step needs an expression, which is not evaluated in the thread that answers requests. */
class NeedsThread extends Error {}

/** Characters of the message of an incident that are kept. */
const LONGEST_MESSAGE = 500;

const graphs = new BoundedMap<string, Graph>(200);

/** Returns the graph of a definition, which never changes. */
async function graphOf(tx: Transaction, definitionId: string): Promise<Graph> {
  const known = graphs.get(definitionId);
  if (known !== undefined) return known;
  const { program } = await modelOf(tx, definitionId);
  const graph = new Graph(program);
  graphs.set(definitionId, graph);
  return graph;
}

/** Returns the node of an element that an instance runs by. */
export async function nodeOf(tx: Transaction, definitionId: string, elementId: string): Promise<Node> {
  return (await graphOf(tx, definitionId)).node(elementId);
}

/**
 * Carries out a command on an instance that the caller has locked. A step without expressions is computed in this
 * transaction; any other, and every one behind it, waits for a task.
 */
export async function advance(
  tx: Transaction,
  instance: Instance,
  command: InstanceCommand,
  when: When,
): Promise<Instance> {
  const graph = await graphOf(tx, instance.definitionId);
  const isWaiting = (await waitingCommands(tx, instance.id)).length > 0;
  const step = isWaiting ? null : withoutExpressions(graph, instance, command, when);
  if (step !== null) return apply(tx, instance, step, when);
  const { id: instanceId, environment, applicationId } = instance;
  insertCommand(
    tx,
    {
      id: uuidv7(),
      environment,
      instanceId,
      applicationId,
      command,
    },
    when.now,
  );
  await enqueueTaskOnce(tx, { name: STEP }, instanceId, when.now);
  return instance;
}

/** Cancels an instance that the caller has locked. It needs no expression, so commands that wait are dropped. */
export async function cancelInstance(tx: Transaction, instance: Instance, when: When): Promise<Instance> {
  const before = beforeOf(instance) ?? { state: NOT_STARTED, variables: instance.variables };
  const evaluate = (): never => {
    throw new NeedsThread();
  };
  const { definitionId } = instance;
  const step = compute(await graphOf(tx, definitionId), before, { do: 'cancel' }, { at: when.at, evaluate });
  return apply(tx, instance, step, when);
}

/** State of an instance whose first step is still to be computed. */
const NOT_STARTED: State = {
  format: STATE_FORMAT,
  process: '',
  status: 'active',
  called: false,
  next: 1,
  executions: [],
  tokens: [],
  subscriptions: [],
  completed: [],
};

/** Computes a step, or returns null if it needs an expression. */
function withoutExpressions(graph: Graph, instance: Instance, command: InstanceCommand, { at }: When): Step | null {
  const evaluate = (): never => {
    throw new NeedsThread();
  };
  try {
    return compute(graph, beforeOf(instance), command, { at, evaluate });
  } catch (failure) {
    if (failure instanceof NeedsThread) return null;
    throw failure;
  }
}

export const beforeOf = ({ state, variables }: Pick<Instance, 'state' | 'variables'>): Before =>
  state === null ? null : { state, variables };

/** Writes the result of a step: the instance, and the tasks and timers that follow from its state. */
export async function apply(
  tx: Transaction,
  instance: Instance,
  { state, variables }: Step,
  when: When,
): Promise<Instance> {
  const graph = await graphOf(tx, instance.definitionId);
  const ended = state.status === 'ended';
  await updateInstance(
    tx,
    instance.id,
    {
      status: statusOf(state, instance),
      endEvent: state.endEvent ?? null,
      incidentCount: state.executions.filter(({ incident }) => incident !== undefined).length,
      state,
      variables,
      endedAt: ended ? when.at : null,
    },
    when.at,
  );
  followTasks(tx, instance, { graph, state }, when.at);
  followTimers(tx, instance, state);
  followMessages(tx, instance, { graph, state });
  await followIncidents(tx, instance, state, when.at);
  if (ended) deleteCommands(tx, instance.id);
  return (await findInstance(tx, instance.id))!;
}

/** Returns the status after a step. A suspended instance, whose variables alone can change, stays suspended. */
const statusOf = ({ status, outcome }: State, before: Instance): Instance['status'] => {
  if (status === 'active') return before.status;
  return outcome === 'cancelled' ? 'cancelled' : 'completed';
};

const isTask = ({ waits }: Execution): boolean => waits === 'task';

function followTasks(
  tx: Transaction,
  instance: Instance,
  { graph, state }: { readonly graph: Graph; readonly state: State },
  at: BusinessTime,
): void {
  const before = (instance.state?.executions ?? []).filter(isTask).map(({ id }) => id);
  const after = new Set(state.executions.filter(isTask).map(({ id }) => id));
  const gone = before.filter((id) => !after.has(id));
  if (gone.length > 0) cancelTasks(tx, instance.id, gone, at);
  for (const { id: execution, node: elementId } of state.executions.filter(isTask)) {
    if (before.includes(execution)) continue;
    const { name = null, user = {} } = graph.node(elementId);
    insertTask(tx, {
      id: uuidv7(),
      environment: instance.environment,
      instanceId: instance.id,
      applicationId: instance.applicationId,
      execution,
      definitionKey: instance.definitionKey,
      elementId,
      name,
      status: 'created',
      assigneeId: null,
      candidateRoles: user.candidateRoles ?? [],
      form: user.form ?? null,
      dueAt: user.dueBusinessDays === undefined ? null : businessDaysLater(at, user.dueBusinessDays),
      createdAt: at,
      updatedAt: at,
    });
  }
}

function followTimers(tx: Transaction, instance: Instance, state: State): void {
  const due = ({ subscriptions }: State): Map<string, number> =>
    new Map(subscriptions.flatMap(({ id, due: at }) => (at === undefined ? [] : [[`${id} ${at}`, id] as const])));
  const [before, after] = [instance.state === null ? new Map<string, number>() : due(instance.state), due(state)];
  const gone = [...before].flatMap(([key, id]) => (after.has(key) ? [] : [id]));
  if (gone.length > 0) deleteTimers(tx, instance.id, gone);
  const { id: instanceId, environment } = instance;
  for (const [key, subscription] of after) {
    if (before.has(key)) continue;
    const dueAt = key.slice(key.indexOf(' ') + 1) as BusinessTimestamp;
    insertTimer(tx, {
      instanceId,
      subscription,
      environment,
      dueAt,
    });
  }
}

function followMessages(
  tx: Transaction,
  { id: instanceId, environment, state: stateBefore }: Instance,
  { graph, state }: { readonly graph: Graph; readonly state: State },
): void {
  const awaited = ({ subscriptions }: State): Subscription[] =>
    subscriptions.filter(({ node }) => graph.node(node).event?.kind === 'message');
  const before = stateBefore === null ? [] : awaited(stateBefore);
  const after = awaited(state);
  const gone = before.flatMap(({ id }) => (after.some((one) => one.id === id) ? [] : [id]));
  if (gone.length > 0) deleteAwaited(tx, instanceId, gone);
  for (const { id: subscription, node, key } of after) {
    if (before.some(({ id }) => id === subscription)) continue;
    const { event } = graph.node(node);
    if (event?.kind !== 'message') continue;
    insertAwaited(tx, {
      instanceId,
      subscription,
      environment,
      name: event.name,
      correlationKey: key ?? null,
    });
  }
}

const stopped = ({ executions }: State): Execution[] => executions.filter(({ incident }) => incident !== undefined);

/** What was resolved by hand is no longer open, so the same execution gets another row if it stops again. */
async function followIncidents(tx: Transaction, instance: Instance, state: State, at: BusinessTime): Promise<void> {
  const now = stopped(state);
  if (now.length === 0 && instance.incidentCount === 0) return;
  const { id: instanceId, environment, applicationId, definitionKey } = instance;
  const open = await openIncidents(tx, instanceId);
  const gone = open.filter((execution) => !now.some(({ id }) => id === execution));
  if (gone.length > 0) cancelIncidents(tx, instanceId, gone, at);
  for (const { id: execution, node: elementId, incident } of now) {
    if (open.includes(execution)) continue;
    insertIncident(tx, {
      id: uuidv7(),
      environment,
      instanceId,
      applicationId,
      execution,
      definitionKey,
      elementId,
      code: incident!.code,
      message: incident!.message.slice(0, LONGEST_MESSAGE),
      status: 'open',
      createdAt: at,
      updatedAt: at,
    });
  }
}

/** Returns the end of a business day in São Paulo, counted from the day after the instant. */
function businessDaysLater(at: BusinessTime, days: number): BusinessTime {
  let left = days;
  for (let ahead = 1; ; ahead++) {
    const day = saoPauloDay(at, ahead);
    if (isBusinessDay(calendarDate(day))) left -= 1;
    if (left === 0) return saoPauloDay(at, ahead + 1);
  }
}
