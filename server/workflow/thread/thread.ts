/** Runs in a thread beside the requests: reads files and computes steps that evaluate expressions. */
import { parentPort } from 'node:worker_threads';
import { compile } from '../bpmn/compile.ts';
import { read } from '../bpmn/read.ts';
import { type Answer, compute, type Order, timeOf } from '../compute.ts';
import { evaluateFeel } from '../feel/evaluate.ts';
import { Graph } from '../kernel/graph.ts';
import { Stale } from '../kernel/step.ts';
import { soundness } from '../soundness.ts';

async function answerTo(order: Order): Promise<Answer> {
  if (order.do === 'read') {
    const { root, findings } = await read(order.file);
    if (root === null) return { did: 'read', program: null, findings };
    const compiled = compile(root);
    const all = [...findings, ...compiled.findings];
    // What a faulty structure does is not explored, because its own findings say what is wrong.
    const explored = all.some(({ severity }) => severity === 'error') ? [] : soundness(compiled.program);
    return { did: 'read', program: compiled.program, findings: [...all, ...explored] };
  }
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

parentPort!.on('message', (order: Order) => {
  void answerTo(order).then((answer) => parentPort!.postMessage(answer));
});
parentPort!.postMessage('ready');
