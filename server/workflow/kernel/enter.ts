/** What happens when a token arrives at a node, by the kind of the node. */
import type { Node } from '../program.ts';
import { begin } from './activities.ts';
import { failedAt, leave } from './flows.ts';
import type { Pending, Run } from './run.ts';
import { compensate, throwCoded } from './throwing.ts';
import { happen } from './signals.ts';

/** Does one thing that is still to be done in a step. */
export function proceed(run: Run, pending: Pending): void {
  if (pending.do === 'compensate') return nextCompensation(run, pending.execution);
  // What cancelled the scope also cancelled the tokens that were moving in it.
  if (run.find(pending.scope) === undefined) return;
  enter(run, run.graph.node(pending.node), pending.scope, pending.flow);
}

function enter(run: Run, node: Node, scope: number, flow: string | undefined): void {
  if (!run.mayEnter()) {
    const message = 'The step has entered too many nodes without waiting.';
    return run.fail(node, scope, { code: 'loop_limit', message, retry: 'enter' });
  }
  switch (node.type) {
    case 'parallel':
      return joinAll(run, node, scope, flow);
    case 'inclusive':
      if (node.in.length > 1 && flow !== undefined) return void run.tokens.push({ node: node.id, scope, flow });
      return leave(run, node, scope);
    case 'throw':
    case 'end':
      return cause(run, node, scope);
    case 'exclusive':
    case 'start':
    case 'boundary':
      return leave(run, node, scope);
    case 'catch':
      // The target of a link is entered by its source and waits for nothing.
      if (node.event?.kind === 'link') return leave(run, node, scope);
      return begin(run, node, scope);
    case 'event_sub_process':
      throw new Error('No flow leads to an event sub-process.');
    case 'call':
    case 'event_based':
    case 'job':
    case 'receive':
    case 'sub_process':
    case 'task':
    case 'user':
      return begin(run, node, scope);
  }
}

/** Lets a parallel join continue once a token has arrived over each of its flows. */
function joinAll(run: Run, node: Node, scope: number, flow: string | undefined): void {
  if (node.in.length < 2 || flow === undefined) return leave(run, node, scope);
  run.tokens.push({ node: node.id, scope, flow });
  const here = run.tokens.filter((token) => token.node === node.id && token.scope === scope);
  const firsts = node.in.map((one) => here.find((token) => token.flow === one));
  if (firsts.includes(undefined)) return;
  run.tokens = run.tokens.filter((token) => !firsts.includes(token));
  leave(run, node, scope);
}

/** Lets the event at a node happen, and continues after it unless it ended its scope. */
function cause(run: Run, node: Node, scope: number): void {
  const { event } = node;
  const own = run.find(scope)!;
  if (node.type === 'end' && own.scope === 0) run.end = { ...run.end, endEvent: node.id };
  if (node.job !== undefined) return begin(run, node, scope);
  switch (event?.kind) {
    case 'message':
      return sendMessage(run, node, scope);
    case 'signal':
      run.effects.push({ do: 'signal', name: event.name, variables: {} });
      happen(run, 'signal', event.name, {});
      return goOn(run, node, scope);
    case 'escalation':
      throwCoded(run, { kind: 'escalation', code: event.code }, own, true);
      return goOn(run, node, scope);
    case 'compensation':
      return compensate(run, node, scope, event.activity);
    case 'error':
      return raise(run, node, scope, event.code);
    case 'terminate':
      run.cancelInside(scope);
      return run.history('completed', node.id, scope);
    case 'link': {
      const target = run.graph.linkTarget(node.scope, event.name);
      return target === undefined ? undefined : run.arrive(target.id, scope);
    }
    case 'condition':
    case 'timer':
    case undefined:
      return goOn(run, node, scope);
  }
}

function goOn(run: Run, node: Node, scope: number): void {
  run.history('completed', node.id, scope);
  if (node.type === 'throw') leave(run, node, scope);
}

function sendMessage(run: Run, node: Node, scope: number): void {
  const event = node.event as Extract<Node['event'], { kind: 'message' }>;
  try {
    const variables = run.visible(scope);
    const key = event.key === undefined ? null : run.evaluate(event.key, variables);
    const text = typeof key === 'string' || typeof key === 'number' ? String(key) : null;
    // A message carries what its event maps, and nothing else of the instance.
    run.effects.push({
      do: 'message',
      name: event.name,
      key: text,
      variables: run.mapped(node.inputs, variables),
    });
    goOn(run, node, scope);
  } catch (failure) {
    failedAt(run, node, failure, { scope, retry: 'enter' });
  }
}

/** Throws the error of an end event. One that nothing catches ends a called instance and stops every other. */
function raise(run: Run, node: Node, scope: number, code: string | undefined): void {
  if (throwCoded(run, { kind: 'error', code }, run.find(scope)!, true)) return;
  if (run.called) return endWithError(run, code);
  const message = `Nothing catches the error ${code ?? 'without a code'}.`;
  run.fail(node, scope, { code: 'unhandled_error', message, retry: 'enter' });
}

/** Ends the instance, so that the call activity that waits for it receives the error. */
export function endWithError(run: Run, code: string | undefined): void {
  for (const execution of run.children(0)) run.cancel(execution);
  run.end = { ...run.end, outcome: 'error', ...(code === undefined ? {} : { errorCode: code }) };
}

/** Begins the next activity that compensates, or continues after the event when all are done. */
function nextCompensation(run: Run, id: number): void {
  const execution = run.find(id);
  if (execution === undefined) return;
  const next = execution.undo?.at(-1);
  if (next === undefined) {
    const node = run.graph.node(execution.node);
    run.remove(execution);
    if (node.type === 'throw') leave(run, node, execution.scope);
    return;
  }
  run.change(execution, { undo: execution.undo!.slice(0, -1) });
  begin(run, run.graph.node(next), execution.scope, { compensates: id });
}
