/** Sends tokens on from a node along the flows that are taken. */
import type { Node } from '../program.ts';
import { EvaluationFailed, type Run } from './run.ts';
import type { Execution, Variables } from './state.ts';

/** Sends tokens on from a node: over every flow, or over those that the conditions of a split choose. */
export function leave(run: Run, node: Node, scope: number): void {
  if (run.find(scope) === undefined) return;
  try {
    // What a start or boundary event carried is in the scope already; its mappings are set beside that.
    const seen = run.visible(scope);
    const set = node.type === 'start' || node.type === 'boundary' ? run.mapped(node.outputs, seen) : {};
    const chosen = choose(run, node, { ...seen, ...set });
    if (chosen === null) {
      const message = 'No condition holds, and no flow is the default.';
      return run.fail(node, scope, { code: 'no_flow', message, retry: 'leave' });
    }
    // Only now, because an incident of a flow is resolved by leaving again, and would set them twice.
    for (const [name, value] of Object.entries(set)) run.write(scope, name, value);
    for (const id of chosen) run.arrive(run.graph.flow(id).to, scope, id);
  } catch (failure) {
    failedAt(run, node, failure, { scope, retry: 'leave' });
  }
}

/** Returns the flows that are taken, or null if a split has none to take. */
function choose(run: Run, node: Node, variables: Variables): readonly string[] | null {
  const holds = (id: string): boolean => {
    const { condition } = run.graph.flow(id);
    if (condition === undefined) return true;
    const value = run.evaluate(condition, variables);
    if (typeof value === 'boolean') return value;
    throw new EvaluationFailed(`The condition of the flow ${id} is neither true nor false.`);
  };
  const others = node.out.filter((id) => id !== node.default);
  const isChoice = node.type === 'exclusive' || node.type === 'inclusive';
  if (node.type === 'parallel' || (!isChoice && !hasConditions(run, node))) return node.out;
  if (node.out.length === 0) return [];
  if (node.type === 'exclusive') {
    const first = others.find(holds) ?? node.default;
    return first === undefined ? null : [first];
  }
  const taken = others.filter(holds);
  if (taken.length > 0) return taken;
  return node.default === undefined ? null : [node.default];
}

const hasConditions = (run: Run, node: Node): boolean =>
  node.default !== undefined || node.out.some((id) => run.graph.flow(id).condition !== undefined);

/** Turns a failed evaluation into an incident; other errors are faults of the kernel or ask for another process. */
export function failedAt(run: Run, node: Node, failure: unknown, { scope, retry, ...members }: FailedPlace): void {
  if (!(failure instanceof EvaluationFailed)) throw failure;
  run.fail(node, scope, { code: 'expression_failed', message: failure.message, retry }, members);
}

type FailedPlace = Partial<Execution> & { readonly scope: number; readonly retry: 'enter' | 'leave' };
