/**
 * Runs a step to its end: inclusive joins, conditions and the completion of scopes, which depend on everything else.
 */
import type { Node } from '../program.ts';
import { complete } from './activities.ts';
import { proceed } from './enter.ts';
import { leave } from './flows.ts';
import { EvaluationFailed, type Run } from './run.ts';
import { fire } from './signals.ts';
import type { Execution, Token } from './state.ts';

/** Computes until nothing can happen without something from outside. */
export function settle(run: Run): void {
  do {
    for (let next = run.agenda.shift(); next !== undefined; next = run.agenda.shift()) proceed(run, next);
  } while (fireInclusiveJoin(run) || fireCondition(run) || completeScope(run));
  stopDeadlocks(run);
}

/** Lets one inclusive join continue for which no other token can arrive any more. */
function fireInclusiveJoin(run: Run): boolean {
  for (const { node: id, scope } of run.tokens) {
    const node = run.graph.node(id);
    if (node.type !== 'inclusive' || mayStillArrive(run, node, scope)) continue;
    const here = run.tokens.filter((token) => token.node === id && token.scope === scope);
    const firsts = node.in.map((flow) => here.find((token) => token.flow === flow));
    run.tokens = run.tokens.filter((token) => !firsts.includes(token));
    leave(run, node, scope);
    return true;
  }
  return false;
}

/**
 * Whether a token elsewhere in the scope can reach a flow of the join over which none has arrived, unless it can also
 * reach one over which a token waits already.
 */
function mayStillArrive(run: Run, join: Node, scope: number): boolean {
  const arrived = new Set(run.tokens.filter((one) => one.node === join.id && one.scope === scope).map(flowOf));
  const elsewhere = [
    ...run
      .children(scope)
      .filter(({ compensates }) => compensates === undefined)
      .map(({ node }) => node),
    ...run.tokens.filter((one) => one.scope === scope && one.node !== join.id).map(({ node }) => node),
  ];
  return elsewhere.some((node) => {
    const flows = [...run.graph.reachable(join, node)];
    return flows.some((flow) => !arrived.has(flow)) && !flows.some((flow) => arrived.has(flow));
  });
}

const flowOf = ({ flow }: Token): string => flow;

/** Fires one condition that holds now and did not before the last change of variables. */
function fireCondition(run: Run): boolean {
  for (const subscription of run.subscriptions) {
    const { event } = run.graph.node(subscription.node);
    if (event?.kind !== 'condition') continue;
    const holds = evaluated(run, subscription.execution, event.when);
    if (holds === (subscription.held ?? false)) continue;
    const changed = { ...subscription, held: holds };
    run.subscriptions = run.subscriptions.map((one) => (one.id === subscription.id ? changed : one));
    if (!holds) continue;
    if (run.mayEnter()) fire(run, changed, {});
    return true;
  }
  return false;
}

/** A condition over a variable that is not set yet does not hold. */
function evaluated(run: Run, execution: number, condition: Parameters<Run['evaluate']>[0]): boolean {
  try {
    return run.evaluate(condition, run.visible(execution)) === true;
  } catch (failure) {
    if (!(failure instanceof EvaluationFailed)) throw failure;
    return false;
  }
}

/** Completes one scope in which nothing is under way. */
function completeScope(run: Run): boolean {
  for (const execution of run.executions) {
    if (execution.waits !== 'inside' || !isOver(run, execution)) continue;
    const type = run.graph.find(execution.node)?.type;
    if (type === 'sub_process') complete(run, execution, {});
    else run.remove(execution);
    return true;
  }
  return false;
}

const isOver = (run: Run, { id }: Execution): boolean =>
  run.isEmpty(id) && !run.tokens.some(({ scope }) => scope === id);

/** Reports a scope in which tokens wait at joins and nothing else is under way. */
function stopDeadlocks(run: Run): void {
  for (const execution of [...run.executions]) {
    if (execution.waits !== 'inside') continue;
    if (!run.isEmpty(execution.id)) {
      // Somebody has moved a token into the scope.
      if (execution.incident !== undefined) run.heal(execution);
      continue;
    }
    if (execution.incident !== undefined) continue;
    const waiting = run.tokens.filter(({ scope }) => scope === execution.id).map(({ node }) => node);
    const message = `Tokens wait for ever at ${[...new Set(waiting)].join(', ')}.`;
    run.failAt(execution, { code: 'deadlock', message, retry: 'work' });
  }
}
