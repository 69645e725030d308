/** Explores within bounds whether a process can always end, and shows a way in which it cannot. */
import { type BusinessTimestamp, readBusinessTime } from '../base/time.ts';
import type { Finding, FindingCode } from './finding.ts';
import { Graph } from './kernel/graph.ts';
import type { Environment } from './kernel/run.ts';
import type { Execution, State } from './kernel/state.ts';
import { type Command, start, step } from './kernel/step.ts';
import { processorTime } from './processor-time.ts';
import type { EventDefinition, Loop, Node, Program } from './program.ts';

/** Bounds of an exploration, beyond which nothing is claimed about a process. */
const MOST_STATES = 20_000;
const MOST_MILLISECONDS = 100;
/** Times that one step may choose; more choices than these are not tried. */
const MOST_CHOICES = 8;

/** A state that was reached, with the elements by which it was. */
interface Reached {
  readonly state: State;
  readonly path: readonly string[];
  readonly next: Set<string>;
}

/**
 * Explores what can happen in each process of a program, by the same kernel that runs it: conditions may hold or not,
 * and whatever is waited for may happen in any order. Reports with an example what can never end, what has two tokens
 * where one is meant, and where a token is stuck.
 */
export function soundness(program: Program, now: () => number = processorTime): Finding[] {
  const until = now() + MOST_MILLISECONDS;
  const graph = new Graph(withoutValues(program));
  return program.processes.flatMap(({ id }) => {
    const plain = graph.plainStart(id);
    const starts = [...(plain === undefined ? [] : [plain]), ...graph.triggeredStarts(id)];
    return starts.length === 0
      ? []
      : new Exploration(graph, id, () => now() > until).findings(starts.map((one) => one.id));
  });
}

/** Replaces every expression that is no condition by a value, so that conditions are the only choices. */
function withoutValues(program: Program): Program {
  const nodes = program.nodes.map(({ inputs: _, outputs: __, user: ___, ...node }): Node => {
    const event = node.event === undefined ? {} : { event: plainEvent(node.event) };
    return { ...node, ...event, ...(node.loop === undefined ? {} : { loop: plainLoop(node.loop) }) };
  });
  return { ...program, nodes };
}

function plainEvent(event: EventDefinition): EventDefinition {
  if (event.kind === 'message') return { kind: 'message', name: event.name };
  if (event.kind !== 'timer') return event;
  const text = { date: '2026-01-01T00:00:00Z', duration: 'PT1H', cycle: 'R1/PT1H' }[event.by];
  return { ...event, time: { value: text } };
}

function plainLoop({ condition, kind, testBefore, maximum }: Loop): Loop {
  const goesOn = condition === undefined ? {} : { condition };
  if (kind !== 'standard') return { kind, count: { value: 2 }, ...goesOn };
  const most = maximum === undefined ? {} : { maximum: Math.min(maximum, 2) };
  return {
    kind,
    ...goesOn,
    ...most,
    ...(testBefore === undefined ? {} : { testBefore }),
  };
}

class Exploration {
  readonly #graph: Graph;
  readonly #process: string;
  readonly #isLate: () => boolean;
  readonly #reached = new Map<string, Reached>();
  readonly #open: string[] = [];
  readonly #found = new Map<string, Finding>();

  constructor(graph: Graph, process: string, isLate: () => boolean) {
    this.#graph = graph;
    this.#process = process;
    this.#isLate = isLate;
  }

  findings(starts: readonly string[]): Finding[] {
    const wanted = { process: this.#process, variables: {}, called: true };
    for (const startEvent of starts) {
      this.#try(null, [], (environment) => start(this.#graph, { ...wanted, startEvent }, environment).state);
    }
    for (let key = this.#open.shift(); key !== undefined; key = this.#open.shift()) {
      if (this.#reached.size > MOST_STATES || this.#isLate()) {
        const message = 'The process has too many states to prove that it always ends.';
        return [
          ...this.#found.values(),
          {
            severity: 'warning',
            code: 'not_proven',
            elementId: this.#process,
            message,
          },
        ];
      }
      const { state, path } = this.#reached.get(key)!;
      for (const { element, command } of this.#possible(state)) {
        const before = { state, variables: {} };
        this.#try(key, [...path, element], (environment) => step(this.#graph, before, command, environment).state);
      }
    }
    this.#reportEndless();
    return [...this.#found.values()];
  }

  /** Computes a step once for each combination of choices that it asks for. */
  #try(from: string | null, path: readonly string[], compute: (environment: Environment) => State): void {
    const combinations: boolean[][] = [[]];
    for (let choices = combinations.pop(); choices !== undefined; choices = combinations.pop()) {
      const taken = [...choices];
      // Nothing sets a variable during a step, so a condition has one value in it.
      const asked: string[] = [];
      const evaluate = (condition: string): boolean => {
        if (!asked.includes(condition)) asked.push(condition);
        const at = asked.indexOf(condition);
        if (at === taken.length) taken.push(true);
        return taken[at]!;
      };
      const state = compute({ at: EPOCH, evaluate });
      this.#arrive(from, path, state);
      // Every choice that was made by default is tried the other way, too.
      for (let at = choices.length; at < Math.min(taken.length, MOST_CHOICES); at++) {
        combinations.push([...taken.slice(0, at), false]);
      }
    }
  }

  #arrive(from: string | null, path: readonly string[], state: State): void {
    const key = formOf(state);
    if (from !== null) this.#reached.get(from)!.next.add(key);
    if (this.#reached.has(key)) return;
    this.#reached.set(key, { state, path, next: new Set() });
    this.#inspect(state, path);
    if (state.status === 'active' && !state.executions.some(({ incident }) => incident !== undefined)) {
      this.#open.push(key);
    }
  }

  #inspect(state: State, path: readonly string[]): void {
    for (const { node, incident } of state.executions) {
      if (incident?.code === 'deadlock') {
        const at = state.tokens[0]?.node ?? node;
        this.#report('deadlock', at, 'A token waits here for others that can never arrive.', path);
      } else if (incident?.code === 'no_flow') this.#report('no_flow', node, 'No flow may be taken here.', path);
      else if (incident?.code === 'loop_limit') this.#report('endless_loop', node, 'A loop waits nowhere.', path);
    }
    const places = new Set<string>();
    for (const { node, scope, index, waits } of state.executions) {
      if (index !== undefined || waits === 'incident' || waits === 'inside') continue;
      const place = `${scope} ${node}`;
      if (places.has(place)) this.#report('double_token', node, 'Two tokens can be here at once.', path, 'warning');
      places.add(place);
    }
  }

  /** Reports a state from which no end can be reached, whatever happens. */
  #reportEndless(): void {
    const before = new Map<string, string[]>();
    for (const [key, { next }] of this.#reached) {
      for (const other of next) before.set(other, [...(before.get(other) ?? []), key]);
    }
    const stuck = ({ state }: Reached): boolean => state.executions.some(({ incident }) => incident !== undefined);
    const over = [...this.#reached].filter(([, one]) => one.state.status === 'ended' || stuck(one));
    const ending = new Set(over.map(([key]) => key));
    for (const key of ending) for (const other of before.get(key) ?? []) ending.add(other);
    const endless = [...this.#reached].find(([key]) => !ending.has(key))?.[1];
    if (endless === undefined) return;
    this.#report('no_way_to_end', this.#process, 'From here the process can never end.', endless.path);
  }

  #report(
    ...[code, elementId, message, path, severity = 'error']: [
      FindingCode,
      string,
      string,
      readonly string[],
      Finding['severity']?,
    ]
  ): void {
    const key = `${code} ${elementId}`;
    if (!this.#found.has(key))
      this.#found.set(key, {
        severity,
        code,
        elementId,
        message,
        path,
      });
  }

  /** Returns everything that may happen next, with the element at which it does. */
  #possible(state: State): { readonly element: string; readonly command: Command }[] {
    const works = state.executions.filter(({ waits }) => waits === 'task' || waits === 'job' || waits === 'call');
    const events = state.subscriptions.filter(({ node }) => this.#graph.node(node).event?.kind !== 'condition');
    return [
      ...works.flatMap(({ id, node }) => [
        { element: node, command: { do: 'complete', execution: id, variables: {} } as const },
        ...this.#errorsOf(node, id),
      ]),
      ...events.map(({ id, node }) => ({
        element: node,
        command: { do: 'fire', subscription: id, variables: {} } as const,
      })),
      // A condition can begin to hold whenever a variable changes.
      { element: '', command: { do: 'set_variables', variables: {} } as const },
    ];
  }

  #errorsOf(node: string, execution: number): { readonly element: string; readonly command: Command }[] {
    return this.#graph.boundaries(node).flatMap(({ id, event }) => {
      if (event?.kind !== 'error') return [];
      return [
        {
          element: id,
          command: {
            do: 'error',
            execution,
            code: event.code ?? '',
            variables: {},
          } as const,
        },
      ];
    });
  }
}

const EPOCH = readBusinessTime('1970-01-01T00:00:00.000Z' as BusinessTimestamp);

/** Returns a text that is equal for two states in which the same can happen. It names no numbers of executions. */
function formOf({ status, endEvent, executions, tokens, subscriptions, completed }: State): string {
  if (status === 'ended') return `ended ${endEvent ?? ''}`;
  const inside = Map.groupBy(executions, ({ scope }) => scope);
  const form = (execution: Execution): string => {
    const { id, node, waits, incident, index, repetitions, undo = [] } = execution;
    const events = subscriptions.filter((one) => one.execution === id);
    return JSON.stringify([
      node,
      waits,
      incident?.code ?? '',
      index === undefined ? '' : 'repeated',
      repetitions === undefined ? '' : [repetitions.total, repetitions.begun, repetitions.done],
      undo,
      events.map((one) => `${one.node} ${one.left ?? ''} ${one.held ?? ''}`).sort(),
      tokens
        .filter(({ scope }) => scope === id)
        .map((token) => `${token.node} ${token.flow}`)
        .sort(),
      completed
        .filter(({ scope }) => scope === id)
        .map((one) => one.node)
        .sort(),
      (inside.get(id) ?? []).map(form).sort(),
    ]);
  };
  return (inside.get(0) ?? []).map(form).join();
}
