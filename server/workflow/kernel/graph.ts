/** A program as the kernel walks through it, indexed once. */
import type { EventDefinition, Flow, Node, Program } from '../program.ts';

/** An event sub-process with the event that starts it. */
export interface EventSubProcess {
  readonly node: Node;
  readonly start: Node;
}

/** A program with the indexes that the kernel looks things up in. Ids are keys of maps only, never of objects. */
export class Graph {
  readonly program: Program;
  readonly #nodes: ReadonlyMap<string, Node>;
  readonly #flows: ReadonlyMap<string, Flow>;
  readonly #boundaries: ReadonlyMap<string, readonly Node[]>;
  readonly #inside: ReadonlyMap<string, readonly Node[]>;
  readonly #reach = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();

  constructor(program: Program) {
    this.program = program;
    this.#nodes = new Map(program.nodes.map((node) => [node.id, node]));
    this.#flows = new Map(program.flows.map((flow) => [flow.id, flow]));
    const hosted = program.nodes.filter(({ host }) => host !== undefined);
    this.#boundaries = Map.groupBy(hosted, ({ host }) => host!);
    this.#inside = Map.groupBy(program.nodes, ({ scope }) => scope);
  }

  find(id: string): Node | undefined {
    return this.#nodes.get(id);
  }

  node(id: string): Node {
    const found = this.#nodes.get(id);
    if (found === undefined) throw new Error(`The program has no node ${id}`);
    return found;
  }

  flow(id: string): Flow {
    const found = this.#flows.get(id);
    if (found === undefined) throw new Error(`The program has no flow ${id}`);
    return found;
  }

  boundaries(host: string): readonly Node[] {
    return this.#boundaries.get(host) ?? [];
  }

  inside(scope: string): readonly Node[] {
    return this.#inside.get(scope) ?? [];
  }

  /** Returns the start event without a trigger, which begins a process or sub-process. */
  plainStart(scope: string): Node | undefined {
    return this.inside(scope).find(({ type, event }) => type === 'start' && event === undefined);
  }

  /** Returns the start events of a process that wait for a message, signal or time. */
  triggeredStarts(scope: string): readonly (Node & { readonly event: EventDefinition })[] {
    return this.inside(scope).filter(
      (node): node is Node & { event: EventDefinition } => node.type === 'start' && node.event !== undefined,
    );
  }

  eventSubProcesses(scope: string): readonly EventSubProcess[] {
    return this.inside(scope)
      .filter(({ type }) => type === 'event_sub_process')
      .flatMap((node) => {
        const start = this.inside(node.id).find(({ type }) => type === 'start');
        return start === undefined ? [] : [{ node, start }];
      });
  }

  linkTarget(scope: string, name: string): Node | undefined {
    return this.inside(scope).find(
      ({ type, event }) => type === 'catch' && event?.kind === 'link' && event.name === name,
    );
  }

  /**
   * Returns the incoming flows of a join that a token at a node can still reach without passing the join itself. It is
   * computed once for each join.
   */
  reachable(join: Node, node: string): ReadonlySet<string> {
    let reach = this.#reach.get(join.id);
    if (reach === undefined) this.#reach.set(join.id, (reach = this.#reachOf(join)));
    return reach.get(node) ?? NOTHING;
  }

  #reachOf(join: Node): ReadonlyMap<string, ReadonlySet<string>> {
    const reach = new Map<string, Set<string>>();
    const before = this.#predecessors(join.scope);
    for (const flow of join.in) {
      const open = [this.flow(flow).from];
      while (open.length > 0) {
        const at = open.pop()!;
        const known = reach.get(at) ?? new Set<string>();
        if (at === join.id || known.has(flow)) continue;
        reach.set(at, known.add(flow));
        open.push(...(before.get(at) ?? []));
      }
    }
    return reach;
  }

  /** Returns the nodes from which a token moves to each node: over a flow, a link, or an event at the boundary. */
  #predecessors(scope: string): ReadonlyMap<string, readonly string[]> {
    const before = new Map<string, string[]>();
    const add = (to: string, from: string): void => void before.set(to, [...(before.get(to) ?? []), from]);
    for (const node of this.inside(scope)) {
      for (const flow of node.in) add(node.id, this.flow(flow).from);
      if (node.type === 'boundary' && node.host !== undefined) add(node.id, node.host);
      if (node.type !== 'throw' || node.event?.kind !== 'link') continue;
      const target = this.linkTarget(scope, node.event.name);
      if (target !== undefined) add(target.id, node.id);
    }
    return before;
  }
}

const NOTHING: ReadonlySet<string> = new Set();
