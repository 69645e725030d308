/** Events from outside an instance that it waits for: messages, timers, conditions and signals. */
import { complete } from './activities.ts';
import type { Run } from './run.ts';
import type { Execution, Subscription, Variables } from './state.ts';
import { again } from './subscriptions.ts';
import { fireBoundary, startEventSubProcess } from './throwing.ts';

/** Lets an event happen that an execution waits for. */
export function fire(run: Run, subscription: Subscription, variables: Variables): void {
  const host = run.find(subscription.execution);
  if (host === undefined) return;
  const node = run.graph.node(subscription.node);
  if (node.type === 'boundary') {
    write(run, host.scope, variables);
    renew(run, subscription, node.interrupting !== false);
    return fireBoundary(run, host, node);
  }
  if (node.type === 'start') return fireStart(run, host, subscription, variables);
  const isAtGateway = run.graph.node(host.node).type === 'event_based';
  if (isAtGateway) run.remove(host);
  const waiting = isAtGateway ? run.add({ node: node.id, scope: host.scope, waits: 'event' }) : host;
  run.history('fired', node.id, waiting.id);
  complete(run, waiting, variables);
}

function fireStart(run: Run, scope: Execution, subscription: Subscription, variables: Variables): void {
  const start = run.graph.node(subscription.node);
  write(run, scope.id, variables);
  renew(run, subscription, start.interrupting !== false);
  startEventSubProcess(run, scope, { node: run.graph.node(start.scope), start });
}

/** Keeps a message, signal or condition waiting after an event that does not interrupt, and a timer that repeats. */
function renew(run: Run, subscription: Subscription, interrupts: boolean): void {
  const node = run.graph.node(subscription.node);
  if (!interrupts && node.event?.kind !== 'timer') return;
  run.subscriptions = run.subscriptions.filter(({ id }) => id !== subscription.id);
  if (!interrupts) again(run, subscription);
}

/**
 * Lets every execution continue that waits for a signal, or for a message whatever its key. Returns whether any did.
 */
export function happen(run: Run, kind: 'message' | 'signal', name: string, variables: Variables): boolean {
  const waiting = run.subscriptions.filter(({ node }) => {
    const { event } = run.graph.node(node);
    return event?.kind === kind && event.name === name;
  });
  for (const one of waiting) {
    if (run.subscriptions.some(({ id }) => id === one.id)) fire(run, one, variables);
  }
  return waiting.length > 0;
}

function write(run: Run, execution: number, variables: Variables): void {
  for (const [name, value] of Object.entries(variables)) run.write(execution, name, value);
}
