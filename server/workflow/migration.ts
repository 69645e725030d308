/**
 * Moves the state of an instance to another version of its process, or says for each element why that is impossible.
 * Nothing is lost or made: every execution and token keeps its number and only changes the name of its element.
 */
import type { BusinessTime } from '../base/time.ts';
import { awaited, subscribe } from './kernel/subscriptions.ts';
import type { Graph } from './kernel/graph.ts';
import { EvaluationFailed, Run } from './kernel/run.ts';
import type { Completed, Execution, State, Variables } from './kernel/state.ts';
import { ACTIVITIES, type Node } from './program.ts';

/** Why an instance cannot continue by another version. */
export interface MigrationFault {
  readonly code:
    | 'unknown_element'
    | 'other_type'
    | 'other_scope'
    | 'other_event'
    | 'other_repetition'
    | 'unknown_flow'
    | 'needs_expression';
  /** Element of the version that the instance leaves. */
  readonly elementId: string;
  readonly message: string;
}

export type Migrated = { readonly state: State } | { readonly faults: readonly MigrationFault[] };

/** The two versions, and the elements whose ids differ. */
export interface Versions {
  readonly from: Graph;
  readonly to: Graph;
  readonly ids: ReadonlyMap<string, string>;
}

/** Moves a state. Events that the new version adds to what is under way are waited for from now on. */
export function migrated(
  versions: Versions,
  { state, variables }: { readonly state: State; readonly variables: Variables },
  at: BusinessTime,
): Migrated {
  const faults = faultsOf(versions, state);
  if (faults.length > 0) return { faults };
  return withNewEvents(versions, { before: state, state: renamed(versions, state), variables }, at);
}

const targetOf = ({ ids }: Versions, id: string): string => ids.get(id) ?? id;

const isRoot = ({ scope }: Execution): boolean => scope === 0;

function faultsOf(versions: Versions, state: State): MigrationFault[] {
  const { from, to } = versions;
  const used = new Set([
    ...state.executions.filter((one) => !isRoot(one)).map(({ node }) => node),
    ...state.tokens.map(({ node }) => node),
    ...namesIn(state.completed),
  ]);
  const elements = [...used].flatMap((id) => {
    const node = from.find(id);
    const fault = node === undefined ? null : faultOf(versions, node, to.find(targetOf(versions, id)));
    return fault === null ? [] : [fault];
  });
  const flows = state.tokens.flatMap(({ node, flow }) => {
    const target = to.find(targetOf(versions, node));
    if (target === undefined || target.in.includes(targetOf(versions, flow))) return [];
    const message = 'A token waits at a join over a flow that does not lead there in the other version.';
    return [{ code: 'unknown_flow' as const, elementId: flow, message }];
  });
  return [...elements, ...flows];
}

const namesIn = (completed: readonly Completed[]): string[] =>
  completed.flatMap(({ node, inner = [] }) => [node, ...namesIn(inner)]);

function faultOf(versions: Versions, node: Node, target: Node | undefined): MigrationFault | null {
  const fault = (code: MigrationFault['code'], message: string): MigrationFault => ({
    code,
    elementId: node.id,
    message,
  });
  if (target === undefined) return fault('unknown_element', 'The other version has no such element.');
  if (target.type !== node.type) return fault('other_type', `The element is of the type ${target.type} there.`);
  if (target.scope !== targetOf(versions, node.scope)) {
    return fault('other_scope', 'The element is inside of another sub-process there.');
  }
  if (target.loop?.kind !== node.loop?.kind)
    return fault('other_repetition', 'The element is repeated otherwise there.');
  if (target.event?.kind !== node.event?.kind || target.job?.type !== node.job?.type) {
    return fault('other_event', 'The element waits for something else there.');
  }
  return null;
}

/** Returns the state with the names of the other version. What that version no longer waits for is left out. */
function renamed(versions: Versions, state: State): State {
  const { to } = versions;
  const name = (id: string): string => targetOf(versions, id);
  const compensated = (all: readonly Completed[]): Completed[] =>
    all.map(({ inner, ...one }) => ({
      ...one,
      node: name(one.node),
      ...(inner === undefined ? {} : { inner: compensated(inner) }),
    }));
  const executions = state.executions.map((one) => ({
    ...one,
    node: name(one.node),
    ...(one.undo === undefined ? {} : { undo: one.undo.map(name) }),
  }));
  return {
    ...state,
    executions,
    tokens: state.tokens.map((one) => ({ ...one, node: name(one.node), flow: name(one.flow) })),
    subscriptions: state.subscriptions.flatMap((one) => {
      const waiting = executions.find(({ id }) => id === one.execution);
      const known = waiting === undefined ? [] : [...eventsAt(to, waiting), to.find(waiting.node)];
      const target = known.find((event) => event?.id === name(one.node));
      const before = versions.from.find(one.node);
      return target === undefined || target.event?.kind !== before?.event?.kind ? [] : [{ ...one, node: target.id }];
    }),
    completed: compensated(state.completed),
  };
}

/** Thrown where a new event has an expression, which is not evaluated here. */
class NeedsExpression extends Error {}

interface Renamed {
  readonly before: State;
  readonly state: State;
  readonly variables: Variables;
}

function withNewEvents(versions: Versions, { before, state, variables }: Renamed, at: BusinessTime): Migrated {
  const { to } = versions;
  const evaluate = (): never => {
    throw new NeedsExpression();
  };
  const run = new Run(to, state, variables, { at, evaluate });
  for (const [index, execution] of state.executions.entries()) {
    const known = knownAt(versions, before.executions[index]!);
    const added = eventsAt(to, execution).filter(({ id }) => !known.has(id));
    try {
      subscribe(run, execution.id, awaited(run, added, execution.scope));
    } catch (failure) {
      if (!(failure instanceof NeedsExpression || failure instanceof EvaluationFailed)) throw failure;
      const message = 'The other version adds an event whose time or key is an expression.';
      return { faults: [{ code: 'needs_expression', elementId: execution.node, message }] };
    }
  }
  return { state: run.result() };
}

/**
 * Returns the events around an execution that the other version has from the one before. They are waited for already,
 * or no longer, because they have happened.
 */
function knownAt(versions: Versions, execution: Execution): ReadonlySet<string> {
  const { from, to } = versions;
  const events = eventsAt(from, execution).map(({ id, event }) => ({ id: targetOf(versions, id), event }));
  return new Set(events.filter(({ id, event }) => to.find(id)?.event?.kind === event?.kind).map(({ id }) => id));
}

/**
 * Returns the events around an execution: at its boundary, those that start sub-processes inside of it, and those that
 * follow a gateway that waits for the first of them.
 */
function eventsAt(graph: Graph, { node: id, scope, index, waits }: Execution): readonly Node[] {
  const node = graph.find(id);
  const inside = waits === 'inside' ? graph.eventSubProcesses(id).map(({ start }) => start) : [];
  const isHost = scope !== 0 && index === undefined && node !== undefined && ACTIVITIES.includes(node.type);
  const following = node?.type === 'event_based' ? node.out.map((flow) => graph.node(graph.flow(flow).to)) : [];
  return [...(isHost ? graph.boundaries(id) : []), ...inside, ...following];
}
