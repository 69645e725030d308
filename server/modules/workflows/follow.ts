/**
 * Writes what follows from the state of an instance: its tasks, work, timers, awaited messages, incidents and history.
 * Each table is an index of the state, so a step writes the difference between the states before and after.
 */
import type { BusinessTime, BusinessTimestamp, RealTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { Transaction } from '../../database/index.ts';
import { enqueueTask } from '../../tasks/task.ts';
import type { Graph } from '../../workflow/kernel/graph.ts';
import type { Execution, State, Subscription } from '../../workflow/kernel/state.ts';
import type { Step } from '../../workflow/kernel/step.ts';
import { BINDING, isBinding } from './binding-types.ts';
import { appendHistory } from './history-store.ts';
import { cancelIncidents, insertIncident, openIncidents } from './incident-store.ts';
import type { Instance } from './instance-store.ts';
import { cancelJobs, failJobs, insertJob, repeatJobs } from './job-store.ts';
import { deleteAwaited, insertAwaited } from './message-store.ts';
import { taskDue } from './task-due.ts';
import { cancelTasks, insertTask } from './task-store.ts';
import { deleteTimers, insertTimer } from './waiting-store.ts';

/** Business time (`at`) and real time (`now`) of a change. */
export interface When {
  readonly at: BusinessTime;
  readonly now: RealTime;
}

/** The state after a step, and the process by which it is read. */
interface After {
  readonly graph: Graph;
  readonly state: State;
}

/** Characters of the message of an incident that are kept. */
const LONGEST_MESSAGE = 500;

/** Writes what follows from a step of an instance, whose row before the step is passed. */
export async function follow(
  tx: Transaction,
  instance: Instance,
  { effects, ...after }: After & Pick<Step, 'effects'>,
  when: When,
): Promise<void> {
  followTasks(tx, instance, after, when.at);
  followWaits(tx, instance, after);
  followHistory(tx, instance, effects, when.at);
  await followJobs(tx, instance, after, when);
  await followIncidents(tx, instance, after.state, when.at);
}

/** Writes the timers, messages and signals that an instance waits for. */
export function followWaits(tx: Transaction, instance: Instance, after: After): void {
  followTimers(tx, instance, after.state);
  followMessages(tx, instance, after);
}

const isTask = ({ waits }: Execution): boolean => waits === 'task';

function followTasks(tx: Transaction, instance: Instance, { graph, state }: After, at: BusinessTime): void {
  const before = (instance.state?.executions ?? []).filter(isTask).map(({ id }) => id);
  const after = new Set(state.executions.filter(isTask).map(({ id }) => id));
  const gone = before.filter((id) => !after.has(id));
  if (gone.length > 0) cancelTasks(tx, instance.id, gone, at);
  const dues = new Map<string, BusinessTime | null>();
  for (const { id: execution, node: elementId } of state.executions.filter(isTask)) {
    if (before.includes(execution)) continue;
    const { name = null, user = {} } = graph.node(elementId);
    // A step can begin a thousand repetitions of a task, which are due at the same time.
    if (!dues.has(elementId)) dues.set(elementId, taskDue(user, at));
    insertTask(tx, {
      id: uuidv7(),
      environment: instance.environment,
      instanceId: instance.id,
      applicationId: instance.applicationId,
      businessId: instance.businessId,
      execution,
      definitionKey: instance.definitionKey,
      elementId,
      name,
      status: 'created',
      assigneeId: null,
      candidateRoles: user.candidateRoles ?? [],
      form: user.form ?? null,
      dueAt: dues.get(elementId) ?? null,
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
  { graph, state }: After,
): void {
  const awaited = ({ subscriptions }: State): Subscription[] =>
    subscriptions.filter(({ node }) => {
      const kind = graph.node(node).event?.kind;
      return kind === 'message' || kind === 'signal';
    });
  const before = stateBefore === null ? [] : awaited(stateBefore);
  const after = awaited(state);
  const gone = before.flatMap(({ id }) => (after.some((one) => one.id === id) ? [] : [id]));
  if (gone.length > 0) deleteAwaited(tx, instanceId, gone);
  for (const { id: subscription, node, key } of after) {
    if (before.some(({ id }) => id === subscription)) continue;
    const { event } = graph.node(node);
    if (event?.kind !== 'message' && event?.kind !== 'signal') continue;
    insertAwaited(tx, {
      instanceId,
      subscription,
      environment,
      kind: event.kind,
      name: event.name,
      correlationKey: key ?? null,
    });
  }
}

const isJob = ({ waits }: Execution): boolean => waits === 'job';

/** Work whose incident is resolved is to be done again, by whoever did it before. */
async function followJobs(tx: Transaction, instance: Instance, { graph, state }: After, when: When): Promise<void> {
  const { id: instanceId, environment, applicationId, businessId, definitionKey } = instance;
  const before = new Map((instance.state?.executions ?? []).filter(isJob).map((one) => [one.id, one]));
  const now = state.executions.filter(isJob);
  const known = new Set(now.map(({ id }) => id));
  const gone = [...before.keys()].filter((id) => !known.has(id));
  const stops = (one: Execution | undefined): boolean => one?.incident !== undefined;
  const failed = now.filter((one) => stops(one) && !stops(before.get(one.id))).map(({ id }) => id);
  const healed = now.filter((one) => !stops(one) && stops(before.get(one.id))).map(({ id }) => id);
  for (const { id: execution, node: elementId } of now) {
    if (before.has(execution)) continue;
    const { type, retries } = graph.node(elementId).job!;
    const performer = isBinding(type) ? 'service' : 'worker';
    const id = uuidv7();
    insertJob(tx, {
      id,
      environment,
      instanceId,
      applicationId,
      businessId,
      execution,
      definitionKey,
      elementId,
      type,
      performer,
      status: 'waiting',
      attempts: 0,
      retries,
      retriesLeft: retries,
      worker: null,
      lockedUntil: null,
      availableAt: when.now,
      createdAt: when.at,
      updatedAt: when.at,
    });
    if (performer === 'service') enqueueTask(tx, { name: BINDING }, id, when.now);
  }
  if (gone.length > 0) cancelJobs(tx, { instanceId, executions: gone }, when.at);
  if (failed.length > 0) failJobs(tx, { instanceId, executions: failed }, when.at);
  if (healed.length === 0) return;
  for (const { id, performer } of await repeatJobs(tx, { instanceId, executions: healed }, when)) {
    if (performer === 'service') enqueueTask(tx, { name: BINDING }, id, when.now);
  }
}

function followHistory(
  tx: Transaction,
  { id, environment, applicationId, businessId }: Instance,
  effects: Step['effects'],
  at: BusinessTime,
): void {
  const entries = effects.flatMap((effect) => (effect.do === 'history' ? [effect] : []));
  if (entries.length === 0) return;
  appendHistory(
    tx,
    id,
    {
      environment,
      applicationId,
      businessId,
      events: entries.map(({ event }) => event),
      elements: entries.map(({ node }) => node),
      executions: entries.map(({ execution }) => execution),
    },
    at,
  );
}

const stopped = ({ executions }: State): Execution[] => executions.filter(({ incident }) => incident !== undefined);

/** What was resolved by hand is no longer open, so the same execution gets another row if it stops again. */
async function followIncidents(tx: Transaction, instance: Instance, state: State, at: BusinessTime): Promise<void> {
  const now = stopped(state);
  if (now.length === 0 && instance.incidentCount === 0) return;
  const { id: instanceId, environment, applicationId, businessId, definitionKey } = instance;
  const open = (await openIncidents(tx, instanceId)).map(({ execution }) => execution);
  const gone = open.filter((execution) => !now.some(({ id }) => id === execution));
  if (gone.length > 0) cancelIncidents(tx, instanceId, gone, at);
  for (const { id: execution, node: elementId, incident } of now) {
    if (open.includes(execution)) continue;
    insertIncident(tx, {
      id: uuidv7(),
      environment,
      instanceId,
      applicationId,
      businessId,
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
