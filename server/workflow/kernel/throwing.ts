/** Errors and escalations: where they are caught, and what that ends. */
import type { Node } from '../program.ts';
import { openScope } from './activities.ts';
import { leave } from './flows.ts';
import type { EventSubProcess } from './graph.ts';
import type { Run } from './run.ts';
import type { Completed, Execution } from './state.ts';

/** What is thrown: an error or an escalation, with or without a code. */
interface Thrown {
  readonly kind: 'error' | 'escalation';
  readonly code: string | undefined;
}

/**
 * Looks for what catches an error or escalation: from where it was thrown outwards, first the event sub-processes of
 * each scope that was left, then the events at the boundary of the scope. Returns false if nothing catches it.
 */
export function throwCoded(run: Run, thrown: Thrown, from: Execution, within = false): boolean {
  let [at, entered, inside]: [Execution | undefined, string | null, boolean] = [from, null, within];
  while (at !== undefined) {
    if (inside) {
      const caught = matching(run.graph.eventSubProcesses(at.node), thrown, ({ start }) => start);
      if (caught !== undefined && caught.node.id !== entered) {
        startEventSubProcess(run, at, caught);
        return true;
      }
    }
    // The events of a repeated activity are at all of its repetitions together.
    const host: Execution = at.index === undefined ? at : run.find(at.scope)!;
    const boundary = matching(run.graph.boundaries(host.node), thrown, (one) => one);
    if (boundary !== undefined) {
      fireBoundary(run, host, boundary);
      return true;
    }
    [entered, at, inside] = [host.node, run.find(host.scope), true];
  }
  return false;
}

/** Returns the event for the code, or else the one for every code. */
function matching<T>(candidates: readonly T[], { kind, code }: Thrown, eventOf: (candidate: T) => Node): T | undefined {
  const ofKind = candidates.filter((one) => eventOf(one).event?.kind === kind);
  const codeOf = (one: T): string | undefined => (eventOf(one).event as { readonly code?: string }).code;
  return (
    ofKind.find((one) => code !== undefined && codeOf(one) === code) ?? ofKind.find((one) => codeOf(one) === undefined)
  );
}

/** Continues at an event at the boundary of an activity, which ends unless the event does not interrupt. */
export function fireBoundary(run: Run, host: Execution, boundary: Node): void {
  run.history('fired', boundary.id, host.id);
  if (boundary.interrupting !== false) run.cancel(host);
  leave(run, boundary, host.scope);
}

/** Starts an event sub-process. If it interrupts, everything else in its scope ends. */
export function startEventSubProcess(run: Run, scope: Execution, { node, start }: EventSubProcess): void {
  run.history('fired', start.id, scope.id);
  if (start.interrupting !== false) {
    run.cancelInside(scope.id);
    run.subscriptions = run.subscriptions.filter(
      (one) => one.execution !== scope.id || run.graph.node(one.node).type !== 'start',
    );
  }
  const execution = run.add({ node: node.id, scope: scope.id, waits: 'inside' });
  openScope(run, execution, undefined);
  leave(run, start, execution.id);
}

/** Begins to compensate what was completed in the scope of an event, the latest first, one after the other. */
export function compensate(run: Run, node: Node, scope: number, activity: string | undefined): void {
  const reach = compensated(run, scope);
  const chosen = run.completed.filter(
    (one) => reach.includes(one.scope) && (activity === undefined || one.node === activity),
  );
  run.completed = run.completed.filter((one) => !chosen.includes(one));
  const undo = chosen.flatMap((one) => handlersOf(run, one));
  const execution = run.add({
    node: node.id,
    scope,
    waits: 'compensation',
    undo,
  });
  run.agenda.push({ do: 'compensate', execution: execution.id });
}

/** Returns the scope and, from inside an event sub-process, the scope that this one belongs to. */
function compensated(run: Run, scope: number): readonly number[] {
  const own = run.find(scope);
  if (own === undefined || run.graph.find(own.node)?.type !== 'event_sub_process') return [scope];
  return [scope, own.scope];
}

/** Returns the activities that compensate, in the order of what they compensate. */
function handlersOf(run: Run, { node, inner = [] }: Completed): readonly string[] {
  const own = run.graph
    .boundaries(node)
    .flatMap(({ event, handler }) => (event?.kind === 'compensation' && handler !== undefined ? [handler] : []));
  // An activity with a handler of its own is compensated by that, and otherwise by those inside of it.
  return own.length > 0 ? own : inner.flatMap((one) => handlersOf(run, one));
}
