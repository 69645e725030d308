/**
 * Program of a child process that reads files, computes steps and decides, one order after another, until the service
 * that started it ends.
 */
import { Worker } from 'node:worker_threads';
import { compile } from '../bpmn/compile.ts';
import { read } from '../bpmn/read.ts';
import { type Answer, compute, type Order, timeOf } from '../compute.ts';
import { isDmn, readDecision } from '../dmn/read.ts';
import { EMPTY } from '../drawing/drawing.ts';
import { drawingOfFile } from '../drawing/from-bpmn.ts';
import { layOut, layOutTable } from '../drawing/lay-out.ts';
import { decide } from '../feel/decision-table.ts';
import { evaluateFeel } from '../feel/evaluate.ts';
import { Graph } from '../kernel/graph.ts';
import { EvaluationFailed } from '../kernel/run.ts';
import { Stale } from '../kernel/step.ts';
import { processorTime } from '../processor-time.ts';
import { soundness } from '../soundness.ts';
import type { Limited, Message } from './in-child.ts';
import { IS_AT_WORK, LIMIT } from './watchdog.ts';

async function readProcess(file: Uint8Array): Promise<Answer> {
  const { root, findings } = await read(file);
  if (root === null) {
    return {
      did: 'read',
      program: null,
      findings,
      drawing: EMPTY,
    };
  }
  const { program, findings: compiled } = compile(root);
  const all = [...findings, ...compiled];
  // What a faulty structure does is not explored, because its own findings say what is wrong.
  const explored = all.some(({ severity }) => severity === 'error') ? [] : soundness(program);
  const drawing = drawingOfFile(root);
  return {
    did: 'read',
    program,
    findings: [...all, ...explored],
    drawing: drawing.shapes.length === 0 ? layOut(program) : drawing,
  };
}

function readTable(file: Uint8Array): Answer {
  const { decision, findings } = readDecision(file);
  const drawing = decision === null ? EMPTY : layOutTable(decision.table);
  return {
    did: 'read_decision',
    decision,
    findings,
    drawing,
  };
}

function decided({
  table,
  variables,
  at,
}: Extract<Order, { do: 'decide' }>): Extract<Answer, { did: 'decide' }>['decided'] {
  try {
    return { result: decide(table, variables, timeOf(at)).result };
  } catch (failure) {
    if (failure instanceof EvaluationFailed) return { failed: failure.message };
    throw failure;
  }
}

async function answerTo(order: Order): Promise<Answer> {
  if (order.do === 'read') return isDmn(order.file) ? readTable(order.file) : readProcess(order.file);
  if (order.do === 'decide') return { did: 'decide', decided: decided(order) };
  const at = timeOf(order.at);
  try {
    const environment = {
      at,
      evaluate: (expression: string, variables: Parameters<typeof evaluateFeel>[1]) =>
        evaluateFeel(expression, variables, at),
    };
    return { did: 'step', step: compute(new Graph(order.program), order.before, order.command, environment) };
  } catch (failure) {
    if (failure instanceof Stale) return { did: 'stale' };
    throw failure;
  }
}

const shared = new Int32Array(new SharedArrayBuffer(8));

/** Carries out an order under the eyes of the watchdog, which ends this process if the order takes too long. */
async function carryOut({ order, milliseconds }: Limited): Promise<void> {
  Atomics.store(shared, LIMIT, processorTime() + milliseconds);
  Atomics.store(shared, IS_AT_WORK, 1);
  Atomics.notify(shared, IS_AT_WORK);
  const answer = await answerTo(order);
  Atomics.store(shared, IS_AT_WORK, 0);
  tell({ answer });
}

const tell = (message: Message): void => void process.send!(message);

process.on('message', (limited: Limited) => {
  // What is sent before the order blocks this process is written at once.
  tell('begun');
  void carryOut(limited);
});
process.on('disconnect', () => process.exit());
// A terminal sends its signals to all processes of the group. The service finishes running requests first and then ends
// this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

new Worker(new URL('./watchdog.ts', import.meta.url), { workerData: shared.buffer }).once('online', () =>
  tell('ready'),
);
