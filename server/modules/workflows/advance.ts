/** Carries out commands on instances and writes what follows from the step: the state, its tasks and its timers. */
import { BoundedMap } from '../../base/bounded-map.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { Transaction } from '../../database/index.ts';
import { enqueueTask, enqueueTaskOnce } from '../../tasks/task.ts';
import { type Before, compute, type InstanceCommand } from '../../workflow/compute.ts';
import { Graph } from '../../workflow/kernel/graph.ts';
import { type State, STATE_FORMAT } from '../../workflow/kernel/state.ts';
import type { Step } from '../../workflow/kernel/step.ts';
import type { Node } from '../../workflow/program.ts';
import { follow, type When } from './follow.ts';
import { type Instance, type LockedInstance, updateInstance } from './instance-store.ts';
import { programOf } from './model-store.ts';
import { insertSent } from './sent-store.ts';
import { deleteCommands, insertCommand } from './waiting-store.ts';

/** Name of the task that computes the steps which evaluate expressions. */
export const STEP = 'workflows.step';

/** Name of the task that begins called instances, and ends those that nobody waits for. */
export const CALLS = 'workflows.calls';

/** Name of the task that gives the result of a called instance to its caller. */
export const RETURNED = 'workflows.returned';

/** Name of the task that delivers what a process has sent. */
export const SENT = 'workflows.sent';

/** Thrown where a step needs an expression, which is not evaluated in the process that answers requests. */
class NeedsChild extends Error {}

const graphs = new BoundedMap<string, Graph>(200);

/** Returns the graph of a version that is or was active, whose file never changes. */
export async function graphOf(tx: Transaction, definitionId: string): Promise<Graph> {
  const known = graphs.get(definitionId);
  if (known !== undefined) return known;
  const graph = new Graph(await programOf(tx, definitionId));
  graphs.set(definitionId, graph);
  return graph;
}

/** Returns the node of an element that an instance runs by. */
export async function nodeOf(tx: Transaction, definitionId: string, elementId: string): Promise<Node> {
  return (await graphOf(tx, definitionId)).node(elementId);
}

/**
 * Carries out a command on an instance that the caller has locked. A step without expressions is computed in this
 * transaction; any other, and every one behind it, waits for a task. While the instance is suspended, its variables
 * alone change, before the commands that wait, and what happens meanwhile waits for its resumption.
 */
export async function advance(
  tx: Transaction,
  instance: LockedInstance,
  command: InstanceCommand,
  when: When,
): Promise<LockedInstance> {
  const graph = await graphOf(tx, instance.definitionId);
  const step = mustWait(instance, command) ? null : withoutExpressions(graph, instance, command, when);
  if (step !== null) return { ...(await apply(tx, instance, step, when)), isBusy: instance.isBusy };
  const { id: instanceId, environment, applicationId, businessId } = instance;
  insertCommand(
    tx,
    {
      id: uuidv7(),
      environment,
      instanceId,
      applicationId,
      businessId,
      command,
    },
    when.now,
  );
  await enqueueTaskOnce(tx, { name: STEP }, instanceId, when.now);
  return { ...instance, isBusy: true };
}

/**
 * Whether a command waits for others or for a resumption. Somebody corrects variables of a suspended instance for what
 * waits, so that change does not wait behind it.
 */
const mustWait = ({ status, state, isBusy }: LockedInstance, command: InstanceCommand): boolean =>
  status === 'suspended' ? command.do !== 'set_variables' || state === null : isBusy;

/** Cancels an instance that the caller has locked. It needs no expression, so commands that wait are dropped. */
export async function cancelInstance(tx: Transaction, instance: Instance, when: When): Promise<Instance> {
  const before = beforeOf(instance) ?? { state: NOT_STARTED, variables: instance.variables };
  const evaluate = (): never => {
    throw new NeedsChild();
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
    throw new NeedsChild();
  };
  try {
    return compute(graph, beforeOf(instance), command, { at, evaluate });
  } catch (failure) {
    if (failure instanceof NeedsChild) return null;
    throw failure;
  }
}

export const beforeOf = ({ state, variables }: Pick<Instance, 'state' | 'variables'>): Before =>
  state === null ? null : { state, variables };

/** Writes the result of a step: the instance, and the tasks and timers that follow from its state. */
export async function apply(
  tx: Transaction,
  instance: Instance,
  { state, variables, effects }: Step,
  when: When,
): Promise<Instance> {
  const graph = await graphOf(tx, instance.definitionId);
  const ended = state.status === 'ended';
  // Pipelined: the update is sent first.
  const [stepped] = await Promise.all([
    updateInstance(
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
    ),
    follow(tx, instance, { graph, state, effects }, when),
  ]);
  send(tx, instance, effects, when);
  if (ended) deleteCommands(tx, instance.id);
  if (callsOf(instance.state) !== callsOf(state)) await enqueueTaskOnce(tx, { name: CALLS }, instance.id, when.now);
  if (ended && instance.parentInstanceId !== null) enqueueTask(tx, { name: RETURNED }, instance.id, when.now);
  return stepped;
}

/** Queues what a step sends to other instances, because this one is locked. */
function send(tx: Transaction, instance: Instance, effects: Step['effects'], { now }: When): void {
  const { id: instanceId, environment, applicationId, businessId } = instance;
  for (const effect of effects) {
    if (effect.do === 'history') continue;
    const id = uuidv7();
    const { name, variables } = effect;
    const correlationKey = effect.do === 'message' ? effect.key : null;
    const sent = {
      id,
      environment,
      instanceId,
      applicationId,
      businessId,
      kind: effect.do,
      name,
      correlationKey,
      variables,
    };
    insertSent(tx, sent, now);
    enqueueTask(tx, { name: SENT }, id, now);
  }
}

/** Returns which calls are under way, as a text that is the same if they are. */
const callsOf = (state: State | null): string =>
  (state?.executions ?? [])
    .flatMap(({ id, waits, incident }) => (waits === 'call' && incident === undefined ? [id] : []))
    .join(' ');

/** Returns the status after a step. A suspended instance, whose variables alone can change, stays suspended. */
const statusOf = ({ status, outcome }: State, before: Instance): Instance['status'] => {
  if (status === 'active') return before.status;
  return outcome === 'cancelled' ? 'cancelled' : 'completed';
};
