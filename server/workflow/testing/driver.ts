/** Runs instances of models in tests: each command is done on a state that was stored and read again. */
import { readFileSync } from 'node:fs';
import { type BusinessTime, type BusinessTimestamp, readBusinessTime } from '../../base/time.ts';
import { compile } from '../bpmn/compile.ts';
import { read } from '../bpmn/read.ts';
import { evaluateFeel } from '../feel/evaluate.ts';
import type { Finding } from '../finding.ts';
import { Graph } from '../kernel/graph.ts';
import type { Effect, Environment } from '../kernel/run.ts';
import type { Execution, State, Variables } from '../kernel/state.ts';
import { type Command, type Start, start, step, type Step } from '../kernel/step.ts';

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" xmlns:kyc="https://example.test/kyc" targetNamespace="t">`;

/** Returns a file with a process P of these elements, preceded by messages, errors and the like. */
export const processXml = (elements: string, roots = ''): string =>
  `${HEAD}${roots}<process id="P" isExecutable="true">${elements}</process></definitions>`;

/** Writes a flow; a condition is FEEL. */
export const flow = (id: string, from: string, to: string, condition?: string): string =>
  condition === undefined
    ? `<sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}"/>`
    : `<sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}"><conditionExpression xsi:type="tFormalExpression"
        ><![CDATA[=${condition}]]></conditionExpression></sequenceFlow>`;

/** Writes flows between pairs of elements, such as `s-a a-e`. */
export const flows = (pairs: string): string =>
  pairs
    .split(' ')
    .map((pair) => flow(`f_${pair.replace('-', '_')}`, ...(pair.split('-') as [string, string])))
    .join('');

export async function compiled(xml: string): Promise<{ graph: Graph; findings: readonly Finding[] }> {
  const reading = await read(new TextEncoder().encode(xml));
  if (reading.root === null) throw new Error(`The model was not read: ${JSON.stringify(reading.findings)}`);
  const { program, findings } = compile(reading.root);
  return {
    graph: new Graph(JSON.parse(JSON.stringify(program)) as typeof program),
    findings: [...reading.findings, ...findings],
  };
}

export const SHARED = new URL('../../../../shared/data/bpmn/', import.meta.url);

/** Reads a model of the shared test data. */
export const sharedModel = (path: string): string => readFileSync(new URL(path, SHARED), 'utf8');

export const EPOCH = readBusinessTime('2026-11-26T12:00:00.000Z' as BusinessTimestamp);

export const environmentAt = (at: BusinessTime): Environment => ({
  at,
  evaluate: (expression, variables) => evaluateFeel(expression, variables, at),
});

const stored = (one: Step): Step => deepFreeze(JSON.parse(JSON.stringify(one)) as Step);

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/** An instance under test. Activities and events are named by the id of their element. */
export class Instance {
  at = EPOCH;
  effects: Effect[] = [];
  readonly graph: Graph;
  #now: Step;

  constructor(graph: Graph, variables: Variables = {}, wanted: Partial<Start> = {}) {
    this.graph = graph;
    this.#now = stored(
      start(graph, { process: graph.program.processes[0]!.id, variables, ...wanted }, environmentAt(this.at)),
    );
    this.effects.push(...this.#now.effects);
  }

  /** Returns an instance that continues from a state that was made for its graph. */
  static from(graph: Graph, { state, variables }: Pick<Step, 'state' | 'variables'>): Instance {
    const instance = new Instance(graph, variables);
    instance.#now = stored({ state, variables, effects: [] });
    return instance;
  }

  get state(): State {
    return this.#now.state;
  }

  get variables(): Variables {
    return this.#now.variables;
  }

  /** Returns the elements at which something outside is waited for, in order, with those of each token. */
  get waiting(): string {
    return this.state.executions
      .filter(({ waits }) => waits === 'task' || waits === 'job' || waits === 'call' || waits === 'event')
      .map(({ node }) => node)
      .sort()
      .join(' ');
  }

  get incidents(): string {
    return this.state.executions
      .flatMap(({ node, incident }) => (incident ? [`${node}:${incident.code}`] : []))
      .join(' ');
  }

  do(command: Command): this {
    this.#now = stored(step(this.graph, this.#now, command, environmentAt(this.at)));
    this.effects.push(...this.#now.effects);
    return this;
  }

  execution(node: string): Execution {
    const waits = ({ waits: one }: Execution): boolean => one !== 'inside' && one !== 'repetitions';
    const here = this.state.executions.filter((one) => one.node === node);
    const found = here.find(waits) ?? here[0];
    if (found === undefined) throw new Error(`Nothing is at ${node}; waiting: ${this.waiting}`);
    return found;
  }

  complete(node: string, variables: Variables = {}): this {
    return this.do({ do: 'complete', execution: this.execution(node).id, variables });
  }

  error(node: string, code: string): this {
    return this.do({
      do: 'error',
      execution: this.execution(node).id,
      code,
      variables: {},
    });
  }

  fire(node: string, variables: Variables = {}): this {
    const subscription = this.state.subscriptions.find((one) => one.node === node);
    if (subscription === undefined) throw new Error(`Nothing waits for ${node}`);
    return this.do({ do: 'fire', subscription: subscription.id, variables });
  }

  retry(node: string, variables: Variables = {}): this {
    const execution = this.state.executions.find((one) => one.node === node && one.incident !== undefined);
    return this.do({ do: 'retry', execution: execution!.id, variables });
  }
}
