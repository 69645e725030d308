/** The life of an activity in a step: it begins, is repeated, and completes. */
import type { Json } from '../../base/canonical-json.ts';
import type { Node } from '../program.ts';
import { failedAt, leave } from './flows.ts';
import { EvaluationFailed, type Run } from './run.ts';
import { type Execution, hasRoomFor, MOST_VARIABLES, type Variables, type Waits } from './state.ts';
import { awaited, subscribe } from './subscriptions.ts';

const MAX_REPETITIONS = 1000;

const WAITS: Readonly<Record<string, Waits>> = {
  user: 'task',
  job: 'job',
  throw: 'job',
  end: 'job',
  receive: 'event',
  catch: 'event',
  event_based: 'event',
  call: 'call',
  sub_process: 'inside',
};

/** Begins an activity or a waiting event, or the repetitions of one. */
export function begin(run: Run, node: Node, scope: number, members: Partial<Execution> = {}): void {
  if (node.loop !== undefined && members.index === undefined) return beginRepetitions(run, node, scope, members);
  try {
    const locals = { ...members.locals, ...run.mapped(node.inputs, { ...run.visible(scope), ...members.locals }) };
    const events = members.index === undefined ? awaited(run, run.graph.boundaries(node.id), scope) : [];
    const own = awaited(run, ownEvents(run, node), scope);
    const hasLocals = Object.keys(locals).length > 0;
    const execution = run.add({
      ...members,
      node: node.id,
      scope,
      waits: WAITS[node.type] ?? 'incident',
      ...(hasLocals ? { locals } : {}),
    });
    subscribe(run, execution.id, [...events, ...own]);
    if (node.type === 'sub_process') openScope(run, execution, run.graph.plainStart(node.id));
    if (node.type === 'task') complete(run, execution, {});
  } catch (failure) {
    failedAt(run, node, failure, { ...members, scope, retry: 'enter' });
  }
}

/** Returns the events that a node itself waits for, or that follow an event-based gateway. */
function ownEvents(run: Run, node: Node): readonly Node[] {
  if (node.type === 'event_based') return node.out.map((flow) => run.graph.node(run.graph.flow(flow).to));
  return node.type === 'catch' || node.type === 'receive' ? [node] : [];
}

/** Begins what is inside a process or sub-process, and waits for the events that start its event sub-processes. */
export function openScope(run: Run, execution: Execution, start: Node | undefined): void {
  const events = run.graph.eventSubProcesses(execution.node).map((one) => one.start);
  subscribe(run, execution.id, awaited(run, events, execution.id));
  if (start !== undefined) run.arrive(start.id, execution.id);
}

function beginRepetitions(run: Run, node: Node, scope: number, members: Partial<Execution>): void {
  const loop = node.loop!;
  try {
    const items = loop.items === undefined ? undefined : run.evaluate(loop.items, run.visible(scope));
    if (items !== undefined && !Array.isArray(items))
      throw new EvaluationFailed('The list of the repetitions is none.');
    const count = loop.count === undefined ? null : run.evaluate(loop.count, run.visible(scope));
    const total = loop.kind === 'standard' ? null : (items?.length ?? count);
    if (total !== null && (typeof total !== 'number' || !Number.isInteger(total) || total < 0)) {
      throw new EvaluationFailed('The number of repetitions is no whole number.');
    }
    if (total !== null && total > MAX_REPETITIONS) {
      const message = `More than ${MAX_REPETITIONS} repetitions.`;
      return run.fail(node, scope, { code: 'too_many_repetitions', message, retry: 'enter' }, members);
    }
    const events = awaited(run, run.graph.boundaries(node.id), scope);
    const repetitions = {
      total,
      begun: 0,
      done: 0,
      ...(items === undefined ? {} : { items }),
      ...(loop.collect === undefined ? {} : { results: [] }),
    };
    const body = run.add({
      ...members,
      node: node.id,
      scope,
      waits: 'repetitions',
      repetitions,
    });
    subscribe(run, body.id, events);
    const first = loop.kind === 'parallel' ? total! : 1;
    const none = total === 0 || (loop.kind === 'standard' && loop.testBefore === true && !goesOn(run, node, body));
    if (none) return finishRepetitions(run, node, body);
    for (let index = 1; index <= first; index++) beginRepetition(run, node, body.id);
  } catch (failure) {
    failedAt(run, node, failure, { ...members, scope, retry: 'enter' });
  }
}

function beginRepetition(run: Run, node: Node, bodyId: number): void {
  const body = run.find(bodyId);
  if (body?.repetitions === undefined) return;
  const { begun, items } = body.repetitions;
  const index = begun + 1;
  run.change(body, { repetitions: { ...body.repetitions, begun: index } });
  const item = items === undefined || node.loop!.item === undefined ? {} : { [node.loop!.item]: items[begun]! };
  begin(run, node, bodyId, { index, locals: { loopCounter: index, ...item } });
}

/** Completes an activity: its results become variables, and its token moves on. */
export function complete(run: Run, execution: Execution, given: Variables): void {
  const node = run.graph.node(execution.node);
  if (execution.waits === 'repetitions') return finishRepetitions(run, node, execution);
  try {
    const seen = { ...run.visible(execution.id), ...given };
    const values = node.outputs === undefined ? given : run.mapped(node.outputs, seen);
    const output = node.loop?.output;
    const result = output === undefined || execution.index === undefined ? null : run.evaluate(output, seen);
    if (!hasRoomFor(run.variables, values)) throw new EvaluationFailed(`More than ${MOST_VARIABLES} variables.`);
    const from = node.outputs === undefined ? execution.id : execution.scope;
    for (const [name, value] of Object.entries(values)) run.write(from, name, value);
    if (execution.index === undefined) remember(run, node, execution);
    run.remove(run.find(execution.id)!);
    moveOn(run, node, execution, result);
  } catch (failure) {
    if (!(failure instanceof EvaluationFailed)) throw failure;
    const incident = { code: 'expression_failed', message: failure.message, retry: 'complete' } as const;
    run.failAt(run.change(execution, { given }), incident);
  }
}

function moveOn(run: Run, node: Node, execution: Execution, result: Json): void {
  if (execution.index !== undefined) return repetitionDone(run, node, execution, result);
  if (execution.compensates !== undefined) run.agenda.push({ do: 'compensate', execution: execution.compensates });
  else if (node.type !== 'end') leave(run, node, execution.scope);
}

/** Notes that an activity can be compensated, with what was compensated inside of it. */
function remember(run: Run, node: Node, execution: Execution): void {
  const inner = run.completed.filter(({ scope }) => scope === execution.id);
  const handled = run.graph.boundaries(node.id).some(({ event }) => event?.kind === 'compensation');
  if (!handled && inner.length === 0) return;
  run.completed.push({ node: node.id, scope: execution.scope, ...(inner.length > 0 ? { inner } : {}) });
}

function repetitionDone(run: Run, node: Node, { scope, index }: Execution, result: Json): void {
  const body = run.find(scope);
  if (body?.repetitions === undefined) return;
  const { results } = body.repetitions;
  const collected = results === undefined ? undefined : [...results];
  if (collected !== undefined) {
    while (collected.length < index! - 1) collected.push(null);
    collected[index! - 1] = result;
  }
  const repetitions = {
    ...body.repetitions,
    done: body.repetitions.done + 1,
    ...(collected === undefined ? {} : { results: collected }),
  };
  repeat(run, node, run.change(body, { repetitions }));
}

/** Decides after a repetition whether another one follows. */
export function repeat(run: Run, node: Node, body: Execution): void {
  try {
    const { total, begun, done } = body.repetitions!;
    const isStandard = node.loop!.kind === 'standard';
    const over = isStandard ? !goesOn(run, node, body) : done === total || conditionHolds(run, node, body);
    if (over) return finishRepetitions(run, node, body);
    if (isStandard || (node.loop!.kind === 'sequential' && begun < total!)) beginRepetition(run, node, body.id);
  } catch (failure) {
    if (!(failure instanceof EvaluationFailed)) throw failure;
    run.failAt(body, { code: 'expression_failed', message: failure.message, retry: 'repeat' });
  }
}

function conditionHolds(run: Run, node: Node, body: Execution): boolean {
  const { condition } = node.loop!;
  if (condition === undefined) return false;
  const { total, begun, done } = body.repetitions!;
  const counts = {
    numberOfInstances: total,
    numberOfCompletedInstances: done,
    numberOfActiveInstances: begun - done,
  };
  return run.evaluate(condition, { ...run.visible(body.id), ...counts }) === true;
}

function goesOn(run: Run, node: Node, body: Execution): boolean {
  const { condition, maximum = MAX_REPETITIONS } = node.loop!;
  if (body.repetitions!.done >= Math.min(maximum, MAX_REPETITIONS)) return false;
  if (condition === undefined) return true;
  const loopCounter = body.repetitions!.done;
  return run.evaluate(condition, { ...run.visible(body.id), loopCounter }) === true;
}

function finishRepetitions(run: Run, node: Node, body: Execution): void {
  run.cancelInside(body.id);
  const results = body.repetitions?.results;
  if (results !== undefined) run.write(body.scope, node.loop!.collect!, results);
  remember(run, node, body);
  run.remove(body);
  if (body.compensates !== undefined) run.agenda.push({ do: 'compensate', execution: body.compensates });
  else leave(run, node, body.scope);
}
