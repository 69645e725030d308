/** The working state of one step, with the limits that end a runaway process. */
import type { Json } from '../../base/canonical-json.ts';
import type { BusinessTime } from '../../base/time.ts';
import type { Expression, Mapping, Node } from '../program.ts';
import type { Graph } from './graph.ts';
import {
  type Completed,
  type Execution,
  type Incident,
  type State,
  type Subscription,
  type Token,
  type Variables,
  variablesSeenBy,
} from './state.ts';

/** An evaluation that failed, which becomes an incident. */
export class EvaluationFailed extends Error {}

/** What a step needs from outside: the time, and the evaluation of expressions. */
export interface Environment {
  readonly at: BusinessTime;
  readonly evaluate: (expression: string, variables: Variables) => Json;
}

/** What a step causes outside of its instance, in this order. */
export type Effect =
  | {
      readonly do: 'message';
      readonly name: string;
      readonly key: string | null;
      readonly variables: Variables;
    }
  | { readonly do: 'signal'; readonly name: string; readonly variables: Variables }
  | {
      readonly do: 'history';
      readonly event: HistoryEvent;
      readonly node: string;
      readonly execution: number;
    };

export type HistoryEvent = 'entered' | 'completed' | 'cancelled' | 'fired' | 'incident' | 'resolved' | 'moved';

/** Work that is still to be done in a step. */
export type Pending =
  | {
      readonly do: 'arrive';
      readonly node: string;
      readonly scope: number;
      readonly flow?: string;
    }
  | { readonly do: 'compensate'; readonly execution: number };

/** Nodes that one step may enter, so that a loop without waiting ends in an incident. */
const MAX_ENTRIES = 5000;

/**
 * One step while it is computed: the state that it changes, what is still to be done, and what it causes. Nothing of it
 * outlives the step but the state and the effects that are read at its end.
 */
export class Run {
  readonly graph: Graph;
  readonly environment: Environment;
  readonly agenda: Pending[] = [];
  readonly effects: Effect[] = [];
  variables: Variables;
  variablesChanged = false;
  tokens: Token[];
  subscriptions: Subscription[];
  completed: Completed[];
  end: Pick<State, 'outcome' | 'endEvent' | 'errorCode'> = {};
  entries = 0;
  readonly #state: State;
  readonly #executions: Map<number, Execution>;
  readonly #children = new Map<number, Set<number>>();
  #next: number;

  constructor(graph: Graph, state: State, variables: Variables, environment: Environment) {
    this.graph = graph;
    this.environment = environment;
    this.variables = variables;
    this.#state = state;
    this.#next = state.next;
    this.tokens = [...state.tokens];
    this.subscriptions = [...state.subscriptions];
    this.completed = [...state.completed];
    this.#executions = new Map(state.executions.map((one) => [one.id, one]));
    for (const { id, scope } of state.executions) this.#adopt(id, scope);
  }

  get called(): boolean {
    return this.#state.called;
  }

  /** Returns the state after the step. */
  result(): State {
    const ended = this.#executions.size === 0;
    return {
      ...this.#state,
      ...this.end,
      status: ended ? 'ended' : 'active',
      ...(ended && this.end.outcome === undefined ? { outcome: 'completed' as const } : {}),
      next: this.#next,
      executions: [...this.#executions.values()],
      tokens: this.tokens,
      subscriptions: this.subscriptions,
      completed: ended ? [] : this.completed,
    };
  }

  get executions(): IterableIterator<Execution> {
    return this.#executions.values();
  }

  find(id: number): Execution | undefined {
    return this.#executions.get(id);
  }

  children(scope: number): readonly Execution[] {
    return [...(this.#children.get(scope) ?? [])].map((id) => this.#executions.get(id)!);
  }

  isEmpty(scope: number): boolean {
    return (this.#children.get(scope)?.size ?? 0) === 0;
  }

  /** Takes the next number, of an execution or a subscription. */
  number(): number {
    return this.#next++;
  }

  /** Counts an entry into a node. Returns false once a step has entered too many. */
  mayEnter(): boolean {
    this.entries += 1;
    return this.entries <= MAX_ENTRIES;
  }

  add(execution: Omit<Execution, 'id'>): Execution {
    const added = { id: this.number(), ...execution };
    this.#executions.set(added.id, added);
    this.#adopt(added.id, added.scope);
    this.history('entered', added.node, added.id);
    return added;
  }

  change(execution: Execution, members: Partial<Execution>): Execution {
    const changed = { ...execution, ...members };
    this.#executions.set(changed.id, changed);
    return changed;
  }

  /** Removes the incident of an execution. */
  heal({ incident: _, given: __, ...execution }: Execution): Execution {
    this.#executions.set(execution.id, execution);
    return execution;
  }

  /** Ends an execution that is complete. */
  remove({ id, scope, node }: Execution): void {
    this.#drop(id, scope);
    this.history('completed', node, id);
  }

  /** Ends an execution before it is complete, with everything that is under way in it. */
  cancel(execution: Execution): void {
    this.cancelInside(execution.id);
    this.#drop(execution.id, execution.scope);
    this.history('cancelled', execution.node, execution.id);
  }

  /** Ends everything that is under way in a scope, which itself stays. */
  cancelInside(scope: number): void {
    for (const child of this.children(scope)) this.cancel(child);
    this.tokens = this.tokens.filter((token) => token.scope !== scope);
  }

  arrive(node: string, scope: number, flow?: string): void {
    this.agenda.push({
      do: 'arrive',
      node,
      scope,
      ...(flow === undefined ? {} : { flow }),
    });
  }

  history(event: HistoryEvent, node: string, execution: number): void {
    this.effects.push({
      do: 'history',
      event,
      node,
      execution,
    });
  }

  /** Keeps a token at a node until somebody resolves the incident. */
  fail(node: Node, scope: number, incident: Incident, members: Partial<Execution> = {}): void {
    const execution = this.add({
      node: node.id,
      scope,
      waits: 'incident',
      incident,
      ...members,
    });
    this.history('incident', node.id, execution.id);
  }

  failAt(execution: Execution, incident: Incident): void {
    const waits = incident.retry === 'work' ? execution.waits : 'incident';
    this.change(execution, { incident, waits });
    this.history('incident', execution.node, execution.id);
  }

  /** Returns the variables that an execution sees: its own before those of the scopes around it. */
  visible(execution: number): Variables {
    return variablesSeenBy(execution, (id) => this.find(id), this.variables);
  }

  /** Sets a variable where an execution sees it, or for the whole instance if it is new. */
  write(execution: number, name: string, value: Json): void {
    const own = this.find(execution);
    if (own !== undefined) {
      if (own.locals === undefined || !Object.hasOwn(own.locals, name)) return this.write(own.scope, name, value);
      this.change(own, { locals: { ...own.locals, [name]: value } });
    } else this.variables = { ...this.variables, [name]: value };
    this.variablesChanged = true;
  }

  evaluate(expression: Expression, variables: Variables): Json {
    return 'value' in expression ? expression.value : this.environment.evaluate(expression.feel, variables);
  }

  /** Evaluates mappings to variables. */
  mapped(mappings: readonly Mapping[] | undefined, variables: Variables): Variables {
    return (mappings ?? []).reduce<Variables>(
      (set, { source, target }) => withMember(set, target.split('.'), this.evaluate(source, variables)),
      {},
    );
  }

  #adopt(id: number, scope: number): void {
    const known = this.#children.get(scope);
    if (known === undefined) this.#children.set(scope, new Set([id]));
    else known.add(id);
  }

  #drop(id: number, scope: number): void {
    this.#executions.delete(id);
    this.#children.get(scope)?.delete(id);
    this.subscriptions = this.subscriptions.filter(({ execution }) => execution !== id);
    this.completed = this.completed.filter((one) => one.scope !== id);
  }
}

/** Returns the variables with a value under a path of names, such as `recipient.name`. */
function withMember(into: Variables, [name, ...rest]: readonly string[], value: Json): Variables {
  if (name === undefined) return into;
  const before = Object.hasOwn(into, name) ? into[name] : undefined;
  const inner = typeof before === 'object' && before !== null && !Array.isArray(before) ? (before as Variables) : {};
  return { ...into, [name]: rest.length === 0 ? value : withMember(inner, rest, value) };
}
