/** The entrance to the kernel: starts an instance, or carries out one command on it. */
import { begin, complete, openScope, repeat } from './activities.ts';
import { endWithError } from './enter.ts';
import { leave } from './flows.ts';
import type { Graph } from './graph.ts';
import { type Effect, type Environment, Run } from './run.ts';
import { settle } from './settle.ts';
import { fire, happen } from './signals.ts';
import { type Execution, hasRoomFor, MOST_VARIABLES, type State, STATE_FORMAT, type Variables } from './state.ts';
import { throwCoded } from './throwing.ts';

/** What happens to an instance from outside. */
export type Command =
  | { readonly do: 'complete'; readonly execution: number; readonly variables: Variables }
  | {
      readonly do: 'error';
      readonly execution: number;
      readonly code: string;
      readonly variables: Variables;
    }
  | {
      readonly do: 'stop';
      readonly execution: number;
      readonly code: StopCode;
      readonly message: string;
    }
  | { readonly do: 'fire'; readonly subscription: number; readonly variables: Variables }
  | { readonly do: 'signal' | 'message'; readonly name: string; readonly variables: Variables }
  | { readonly do: 'set_variables'; readonly variables: Variables }
  | { readonly do: 'retry'; readonly execution: number; readonly variables: Variables }
  | { readonly do: 'modify'; readonly end: readonly number[]; readonly begin: readonly string[] }
  | { readonly do: 'cancel' };

type StopCode = 'retries_exhausted' | 'called_process_not_found' | 'call_depth' | 'too_many_instances';

export interface Start {
  readonly process: string;
  /** Start event that a message, signal or timer triggered. Without it, the plain start event is taken. */
  readonly startEvent?: string;
  readonly variables: Variables;
  readonly called?: boolean;
}

export interface Step {
  readonly state: State;
  readonly variables: Variables;
  readonly effects: readonly Effect[];
}

/** A command for something that is not, or no longer, waited for. */
export class Stale extends Error {}

/** Starts an instance of a process and lets it run until everything in it waits. */
export function start(graph: Graph, wanted: Start, environment: Environment): Step {
  const state: State = {
    format: STATE_FORMAT,
    process: wanted.process,
    status: 'active',
    called: wanted.called ?? false,
    next: 1,
    executions: [],
    tokens: [],
    subscriptions: [],
    completed: [],
  };
  const first = wanted.startEvent === undefined ? graph.plainStart(wanted.process) : graph.find(wanted.startEvent);
  if (first?.type !== 'start' || first.scope !== wanted.process) throw new Stale('The process has no such start.');
  const run = new Run(graph, state, wanted.variables, environment);
  const root = run.add({ node: wanted.process, scope: 0, waits: 'inside' });
  openScope(run, root, undefined);
  run.arrive(first.id, root.id);
  return finish(run);
}

/**
 * Returns the state of an instance after a command. The function is pure: the same state, variables, command and time
 * have the same result, and nothing that is passed in changes.
 */
export function step(
  graph: Graph,
  before: Pick<Step, 'state' | 'variables'>,
  command: Command,
  environment: Environment,
): Step {
  const run = new Run(graph, before.state, before.variables, environment);
  carryOut(run, command);
  return finish(run);
}

function finish(run: Run): Step {
  settle(run);
  return { state: run.result(), variables: run.variables, effects: run.effects };
}

function carryOut(run: Run, command: Command): void {
  switch (command.do) {
    case 'complete':
      return complete(run, waiting(run, command.execution), command.variables);
    case 'error':
      return error(run, command);
    case 'stop': {
      const { code, message } = command;
      return run.failAt(waiting(run, command.execution), { code, message, retry: 'work' });
    }
    case 'fire': {
      const subscription = run.subscriptions.find(({ id }) => id === command.subscription);
      if (subscription === undefined) throw new Stale('The event is no longer waited for.');
      if (!hasRoomFor(run.variables, command.variables)) throw new Stale('The instance has no room for the variables.');
      return fire(run, subscription, command.variables);
    }
    case 'signal':
    case 'message': {
      const { do: kind, name, variables } = command;
      if (!happen(run, kind, name, variables)) throw new Stale(`The ${kind} is not waited for.`);
      return;
    }
    case 'set_variables':
      return setVariables(run, command.variables);
    case 'retry':
      setVariables(run, command.variables);
      return retry(run, command.execution);
    case 'modify':
      return modify(run, command.end, command.begin);
    case 'cancel':
      for (const execution of run.children(0)) run.cancel(execution);
      run.end = { ...run.end, outcome: 'cancelled' };
  }
}

/**
 * Sets variables of the instance. Results that could not be mapped are kept with their execution, and would hide
 * variables of the same name when they are mapped again, so they are set there, too.
 */
function setVariables(run: Run, variables: Variables): void {
  if (!hasRoomFor(run.variables, variables)) throw new Stale(`An instance has ${MOST_VARIABLES} variables at most.`);
  for (const execution of run.executions) {
    if (execution.given === undefined) continue;
    const set = Object.entries(variables).filter(([name]) => Object.hasOwn(execution.given!, name));
    if (set.length > 0) run.change(execution, { given: { ...execution.given, ...Object.fromEntries(set) } });
  }
  writeAll(run, variables);
}

function writeAll(run: Run, variables: Variables): void {
  const root = run.children(0)[0]?.id ?? 0;
  for (const [name, value] of Object.entries(variables)) run.write(root, name, value);
}

/** Returns an execution whose work somebody outside does. */
function waiting(run: Run, id: number): Execution {
  const execution = run.find(id);
  const works = execution?.waits === 'task' || execution?.waits === 'job' || execution?.waits === 'call';
  if (execution === undefined || !works || execution.incident !== undefined) {
    throw new Stale('The activity is no longer under way.');
  }
  return execution;
}

function error(run: Run, command: Extract<Command, { do: 'error' }>): void {
  const execution = waiting(run, command.execution);
  writeAll(run, command.variables);
  if (throwCoded(run, { kind: 'error', code: command.code }, execution)) return;
  if (run.called) return endWithError(run, command.code);
  const message = `Nothing catches the error ${command.code}.`;
  run.failAt(execution, { code: 'unhandled_error', message, retry: 'work' });
}

/** Does again what an incident stopped. */
function retry(run: Run, id: number): void {
  const execution = run.find(id);
  if (execution?.incident === undefined) throw new Stale('The execution has no incident.');
  const { incident } = execution;
  run.history('resolved', execution.node, id);
  const node = run.graph.find(execution.node);
  switch (incident.retry) {
    case 'work':
      run.heal(execution);
      return;
    case 'repeat':
      return repeat(run, node!, run.change(run.heal(execution), { waits: 'repetitions' }));
    case 'complete':
      return complete(run, run.heal(execution), execution.given ?? {});
    case 'leave':
      run.remove(execution);
      return leave(run, node!, execution.scope);
    case 'enter':
      return enterAgain(run, execution);
  }
}

function enterAgain(run: Run, execution: Execution): void {
  const { node, scope, index, locals, compensates } = execution;
  const members = {
    ...(index === undefined ? {} : { index }),
    ...(locals === undefined ? {} : { locals }),
    ...(compensates === undefined ? {} : { compensates }),
  };
  run.remove(execution);
  if (Object.keys(members).length === 0) run.arrive(node, scope);
  else begin(run, run.graph.node(node), scope, members);
}

/** Moves tokens by hand: ends executions, and lets tokens arrive at nodes of a scope that is open. */
function modify(run: Run, end: readonly number[], arriving: readonly string[]): void {
  const ended = end.map((id) => {
    const execution = run.find(id);
    if (execution === undefined || execution.scope === 0) throw new Stale('The execution is not under way.');
    return execution;
  });
  for (const id of arriving) {
    const node = run.graph.find(id);
    const scopes = [...run.executions].filter((one) => one.node === node?.scope && one.waits === 'inside');
    if (node === undefined || node.type === 'event_sub_process' || scopes.length !== 1) {
      throw new Stale('The element is not in a scope of which exactly one is open.');
    }
    run.arrive(node.id, scopes[0]!.id);
    run.history('moved', node.id, scopes[0]!.id);
  }
  for (const execution of ended) if (run.find(execution.id) !== undefined) run.cancel(execution);
}
