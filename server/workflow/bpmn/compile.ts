/** Compiles a parsed file of BPMN 2.0 into the program that the kernel runs. */
import { error, type Finding, warning } from '../finding.ts';
import { ACTIVITIES, type Flow, type Node, type NodeType, type Program, PROGRAM_FORMAT } from '../program.ts';
import { activityParts, jobOf, mappings } from './activities.ts';
import { eventPart, type Roots } from './events.ts';
import { condition, extensions, type Report, textOf } from './expressions.ts';
import type { Element } from './read.ts';
import { lintExpressions } from './lint-expressions.ts';
import { checkStructure } from './structure.ts';

const MAX_NODES = 500;
const MAX_PROCESSES = 10;
const ID = /^[\p{L}_][\p{L}\p{N}_.-]{0,127}$/u;
const FORBIDDEN_IDS = ['__proto__', 'constructor', 'prototype'];

/** A compiled model with everything that was found about it. */
export interface Compiled {
  readonly program: Program;
  readonly findings: readonly Finding[];
}

const TYPES: Readonly<Record<string, NodeType>> = {
  'bpmn:StartEvent': 'start',
  'bpmn:EndEvent': 'end',
  'bpmn:IntermediateCatchEvent': 'catch',
  'bpmn:IntermediateThrowEvent': 'throw',
  'bpmn:BoundaryEvent': 'boundary',
  'bpmn:ExclusiveGateway': 'exclusive',
  'bpmn:ParallelGateway': 'parallel',
  'bpmn:InclusiveGateway': 'inclusive',
  'bpmn:EventBasedGateway': 'event_based',
  'bpmn:Task': 'task',
  'bpmn:ManualTask': 'task',
  'bpmn:UserTask': 'user',
  'bpmn:ServiceTask': 'job',
  'bpmn:SendTask': 'job',
  'bpmn:BusinessRuleTask': 'job',
  'bpmn:ReceiveTask': 'receive',
  'bpmn:CallActivity': 'call',
  'bpmn:SubProcess': 'sub_process',
};
const EVENTS: ReadonlySet<NodeType> = new Set(['start', 'catch', 'throw', 'boundary', 'end']);
/** Elements that only document a model. */
const IGNORED = /^bpmn:(?:DataObject|DataObjectReference|DataStoreReference|LaneSet|TextAnnotation|Association|Group)$/;

/** Compiles the processes of a file. Everything that is wrong is reported, each with its element. */
export function compile(root: Element): Compiled {
  const compiler = new Compiler(root);
  return compiler.compiled();
}

/** Whether an event is caused by work outside, as in a diagram for Zeebe. */
const isWork = (element: Element, type: NodeType): boolean =>
  (type === 'throw' || type === 'end') && extensions(element, 'zeebe:TaskDefinition').length > 0;

const quoted = (name: string | undefined): string => (name === undefined ? '' : `: ${name.slice(0, 100)}`);

const idsIn = (container: Element): string[] =>
  ((container['flowElements'] ?? []) as Element[]).flatMap((one) => [
    ...(one.id === undefined ? [] : [one.id]),
    ...idsIn(one),
  ]);

class Compiler implements Report {
  readonly #findings: Finding[] = [];
  readonly #nodes: Node[] = [];
  readonly #flows: Flow[] = [];
  readonly #ids = new Set<string>();
  /** Ids that the file names, and those given to flows without one. */
  readonly #taken: Set<string>;
  readonly #elements: readonly Element[];
  readonly #roots: Roots;

  constructor(root: Element) {
    this.#elements = (root['rootElements'] ?? []) as Element[];
    this.#roots = { elements: this.#elements };
    this.#taken = new Set(this.#elements.flatMap(idsIn));
  }

  add(finding: Finding): void {
    this.#findings.push(finding);
  }

  compiled(): Compiled {
    const processes = this.#elements.filter(({ $type }) => $type === 'bpmn:Process');
    // A pool without content documents a partner, and a process that is not executable documents a procedure.
    const executable = processes.filter(
      (one) => (one['flowElements'] ?? []).length > 0 && one['isExecutable'] !== false,
    );
    if (executable.length === 0) this.add(error('no_process', null, 'The file has no process that can be executed.'));
    if (executable.length > MAX_PROCESSES) {
      this.add(error('too_many_processes', null, `The file has more than ${MAX_PROCESSES} processes.`));
    }
    for (const process of executable.slice(0, MAX_PROCESSES)) {
      this.#identify(process);
      this.#scope(process, process.id!);
    }
    const program: Program = {
      format: PROGRAM_FORMAT,
      processes: executable.map(({ id, name }) => ({ id: id!, ...(name === undefined ? {} : { name }) })),
      nodes: this.#nodes,
      flows: this.#flows,
    };
    checkStructure(program, this);
    for (const finding of lintExpressions(program)) this.add(finding);
    return { program, findings: this.#findings };
  }

  #identify(element: Element): boolean {
    const { id } = element;
    const valid = id !== undefined && ID.test(id) && !FORBIDDEN_IDS.includes(id);
    if (id === undefined) {
      const kind = element.$type.replace(/^bpmn:/, '');
      this.add(error('invalid_id', null, `An element of type ${kind} has no id${quoted(element.name)}.`));
    } else if (!valid) {
      this.add(error('invalid_id', id, 'An id begins with a letter or an underscore, and has at most 128 characters.'));
    } else if (this.#ids.has(id)) this.add(error('duplicate_id', id, 'Two elements have this id.'));
    else {
      this.#ids.add(id);
      return true;
    }
    return false;
  }

  /**
   * Gives each sequence flow without an id one that follows from its ends, so that the flows of another version of the
   * model have the same ids. BPMN asks for no id, and some modellers write none.
   */
  #withIdsOfFlows(elements: readonly Element[]): readonly Element[] {
    return elements.map((element) => {
      const [from, to] = [
        element['sourceRef']?.id as string | undefined,
        element['targetRef']?.id as string | undefined,
      ];
      if (element.$type !== 'bpmn:SequenceFlow' || element.id !== undefined || !from || !to) return element;
      const ends = `${from}.${to}`.slice(0, 120);
      let count = 1;
      while (this.#taken.has(`${ends}.${count}`)) count += 1;
      this.#taken.add(`${ends}.${count}`);
      return Object.assign(element, { id: `${ends}.${count}` });
    });
  }

  #scope(container: Element, scope: string): void {
    const elements = this.#withIdsOfFlows((container['flowElements'] ?? []) as Element[]);
    const known = elements.filter((element) => !IGNORED.test(element.$type) && this.#identify(element));
    const flows = known.filter(({ $type }) => $type === 'bpmn:SequenceFlow');
    const compensated = this.#handlers(container);
    const sides = { in: new Map<string, string[]>(), out: new Map<string, string[]>() };
    for (const flow of flows) this.#flow(flow, sides);
    for (const element of known) {
      if (element.$type === 'bpmn:SequenceFlow') continue;
      if (this.#nodes.length >= MAX_NODES) {
        if (this.#nodes.length === MAX_NODES) {
          this.add(error('too_many_nodes', null, `The file has more than ${MAX_NODES} nodes.`));
        }
        return;
      }
      this.#node(element, scope, sides, compensated);
    }
  }

  #flow(flow: Element, sides: { in: Map<string, string[]>; out: Map<string, string[]> }): void {
    const [from, to] = [flow['sourceRef'] as Element | undefined, flow['targetRef'] as Element | undefined];
    if (from?.id === undefined || to?.id === undefined) {
      return this.add(error('dangling_flow', flow.id!, 'The flow has no source or no target.'));
    }
    const text = textOf(flow['conditionExpression'] as Element | undefined);
    const when = text === undefined ? undefined : condition(text, flow.id!, this);
    this.#flows.push({
      id: flow.id!,
      from: from.id,
      to: to.id,
      ...(when === undefined ? {} : { condition: when }),
    });
    sides.out.set(from.id, [...(sides.out.get(from.id) ?? []), flow.id!]);
    sides.in.set(to.id, [...(sides.in.get(to.id) ?? []), flow.id!]);
  }

  /** Returns the compensation activity of each boundary event that an association connects. */
  #handlers(container: Element): ReadonlyMap<string, string> {
    const artifacts = (container['artifacts'] ?? []) as Element[];
    return new Map(
      artifacts
        .filter(({ $type }) => $type === 'bpmn:Association')
        .flatMap((one) => {
          const [from, to] = [one['sourceRef']?.id as string | undefined, one['targetRef']?.id as string | undefined];
          return from === undefined || to === undefined ? [] : [[from, to] as const];
        }),
    );
  }

  #node(
    element: Element,
    scope: string,
    sides: { in: Map<string, string[]>; out: Map<string, string[]> },
    handlers: ReadonlyMap<string, string>,
  ): void {
    const type = this.#typeOf(element);
    if (type === null) return;
    const id = element.id!;
    const handler = handlers.get(id);
    const node: Node = {
      id,
      ...(element.name === undefined ? {} : { name: element.name.slice(0, 200) }),
      type,
      scope,
      in: sides.in.get(id) ?? [],
      out: sides.out.get(id) ?? [],
      ...(element['default']?.id === undefined ? {} : { default: element['default'].id as string }),
      ...eventPart(element, type, this.#roots, this),
      ...(ACTIVITIES.includes(type) ? activityParts(element, type, this) : {}),
      ...(EVENTS.has(type) ? this.#mappingsOf(element, type) : {}),
      ...(isWork(element, type) ? { job: jobOf(element, this) } : {}),
      ...(handler === undefined || type !== 'boundary' ? {} : { handler }),
    };
    this.#nodes.push(node);
    if (type === 'sub_process' || type === 'event_sub_process') this.#scope(element, id);
  }

  #mappingsOf(element: Element, type: NodeType): Pick<Node, 'inputs' | 'outputs'> {
    const found = mappings(element, this);
    if (found.inputs === undefined || (type !== 'start' && type !== 'boundary')) return found;
    const { inputs: _, ...rest } = found;
    this.add(warning('unsupported_element', element.id!, 'The inputs of a start or boundary event have no effect.'));
    return rest;
  }

  #typeOf(element: Element): NodeType | null {
    const type = TYPES[element.$type];
    if (type === undefined) {
      const name = element.$type.replace(/^bpmn:/, '');
      this.add(error('unsupported_element', element.id!, `The service does not execute elements of type ${name}.`));
      return null;
    }
    if (element['instantiate'] === true) {
      this.add(warning('unsupported_element', element.id!, 'The element starts no instance; use a start event.'));
    }
    return element['triggeredByEvent'] === true ? 'event_sub_process' : type;
  }
}
