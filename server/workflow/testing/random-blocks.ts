/**
 * Random process models of nested blocks, and a second reading of what they mean: it walks over the blocks and knows
 * neither gateways nor tokens, so that it can judge the kernel.
 */
import type { Variables } from '../kernel/state.ts';
import { flow, flows } from './driver.ts';

export type Block =
  | { readonly kind: 'task'; readonly id: string }
  | {
      readonly kind: 'sequence' | 'parallel' | 'exclusive' | 'inclusive';
      readonly id: string;
      readonly inside: Block[];
    }
  | { readonly kind: 'sub_process' | 'loop'; readonly id: string; readonly inside: Block[] }
  | { readonly kind: 'interrupted'; readonly id: string; readonly inside: Block[] };

const KINDS = ['sequence', 'parallel', 'exclusive', 'inclusive', 'sub_process', 'loop', 'interrupted'] as const;
const MAX_DEPTH = 4;

/** Returns a random block, and names its parts by numbers in the order in which they are made. */
export function randomBlock(random: () => number, count = { next: 1 }, depth = 0): Block {
  const id = `n${count.next++}`;
  const kind = KINDS[Math.floor(random() * KINDS.length)]!;
  if (depth >= MAX_DEPTH || random() < 0.25) return { kind: 'task', id };
  const child = (): Block => randomBlock(random, count, depth + 1);
  switch (kind) {
    case 'sub_process':
      return { kind, id, inside: [child()] };
    case 'loop':
      // A loop that waits nowhere would never end.
      return { kind, id, inside: [{ kind: 'task', id: `n${count.next++}` }, child()] };
    case 'interrupted':
      return { kind, id, inside: [{ kind: 'task', id: `n${count.next++}` }, child()] };
    case 'sequence':
    case 'parallel':
    case 'exclusive':
    case 'inclusive':
      return { kind, id, inside: Array.from({ length: 2 + Math.floor(random() * 2) }, child) };
  }
}

/** Returns the names of the variables that the choices of a block depend on. */
export function choicesOf(block: Block): string[] {
  if (block.kind === 'task') return [];
  const isChoice = block.kind === 'exclusive' || block.kind === 'inclusive' || block.kind === 'loop';
  const own = isChoice ? block.inside.slice(1).map((_, index) => `${block.id}_${index + 1}`) : [];
  return [...own, ...block.inside.flatMap(choicesOf)];
}

/** A block as elements of BPMN. */
export interface Drawn {
  readonly xml: string;
  readonly first: string;
  readonly last: string;
}

/** Writes a block as elements of BPMN, between its first and its last element. */
export function draw(block: Block): Drawn {
  const { id } = block;
  if (block.kind === 'task') return { xml: `<userTask id="${id}"/>`, first: id, last: id };
  const parts = block.inside.map(draw);
  const xml = parts.map((part) => part.xml).join('');
  const [begin, end] = [`${id}_begin`, `${id}_end`];
  switch (block.kind) {
    case 'sequence': {
      const between = parts.slice(1).map((part, index) => `${parts[index]!.last}-${part.first}`);
      return { xml: xml + flows(between.join(' ')), first: parts[0]!.first, last: parts.at(-1)!.last };
    }
    case 'sub_process': {
      const inner = `<startEvent id="${id}_s"/><endEvent id="${id}_e"/>${xml}`;
      const links = flows(`${id}_s-${parts[0]!.first} ${parts[0]!.last}-${id}_e`);
      return { xml: `<subProcess id="${id}">${inner}${links}</subProcess>`, first: id, last: id };
    }
    case 'loop': {
      const [task, rest] = parts as [Drawn, Drawn];
      const gateways = `<exclusiveGateway id="${begin}"/><exclusiveGateway id="${end}_x" default="${id}_out"/>
        <task id="${end}"/>`;
      const links = `${flow(`${id}_out`, `${end}_x`, end)}${flow(`${id}_again`, `${end}_x`, begin, `${id}_1`)}
        ${flows(`${begin}-${task.first} ${task.last}-${rest.first} ${rest.last}-${end}_x`)}`;
      return { xml: xml + gateways + links, first: begin, last: end };
    }
    case 'interrupted': {
      const [task, rest] = parts as [Drawn, Drawn];
      const event = `<boundaryEvent id="${id}_t" attachedToRef="${task.first}"><timerEventDefinition>
        <timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent><exclusiveGateway id="${end}"/>`;
      const links = flows(`${task.first}-${end} ${id}_t-${rest.first} ${rest.last}-${end}`);
      return { xml: xml + event + links, first: task.first, last: end };
    }
    case 'parallel':
    case 'exclusive':
    case 'inclusive': {
      const isParallel = block.kind === 'parallel';
      const opening = isParallel ? '' : ` default="${id}_f0"`;
      const gateways = `<${block.kind}Gateway id="${begin}"${opening}/><${block.kind}Gateway id="${end}"/>`;
      const links = parts.map(({ first, last }, index) => {
        const condition = isParallel || index === 0 ? undefined : `${id}_${index}`;
        return flow(`${id}_f${index}`, begin, first, condition) + flow(`${id}_g${index}`, last, end);
      });
      return { xml: xml + gateways + links.join(''), first: begin, last: end };
    }
  }
}

/** A block that is under way: which of its parts are, and which part of a sequence. */
interface Live {
  readonly block: Block;
  parts: Live[];
  position: number;
  done: boolean;
}

/** Begins a block. The variables decide its choices. */
export function begin(block: Block, variables: Variables): Live {
  const live: Live = {
    block,
    parts: [],
    position: 0,
    done: false,
  };
  if (block.kind === 'task') return live;
  const start = (indexes: readonly number[]): void => {
    live.parts = indexes.map((index) => begin(block.inside[index]!, variables));
  };
  const holding = block.inside.flatMap((_, index) =>
    index > 0 && variables[`${block.id}_${index}`] === true ? [index] : [],
  );
  if (block.kind === 'parallel') start(block.inside.map((_, index) => index));
  else if (block.kind === 'exclusive') start([holding[0] ?? 0]);
  else if (block.kind === 'inclusive') start(holding.length === 0 ? [0] : holding);
  else start([0]);
  return live;
}

/** Returns the tasks that are open, in order. */
export function open(live: Live): string[] {
  if (live.done) return [];
  return live.block.kind === 'task' ? [live.block.id] : live.parts.flatMap(open).sort();
}

/** Returns the tasks that are open and have a timer at their boundary, with the id of the event. */
export function timersOf(live: Live): string[] {
  if (live.done) return [];
  const own = live.block.kind === 'interrupted' && live.position === 0 ? [`${live.block.id}_t`] : [];
  return [...own, ...live.parts.flatMap(timersOf)];
}

/** Completes a task, or lets the timer of one fire. Returns whether the block contained it. */
export function finish(live: Live, id: string, variables: Variables): boolean {
  const { block } = live;
  if (live.done) return false;
  if (block.kind === 'task') return (live.done = block.id === id);
  if (block.kind === 'interrupted' && live.position === 0 && id === `${block.id}_t`) {
    live.position = 1;
    live.parts = [begin(block.inside[1]!, variables)];
    return true;
  }
  if (!live.parts.some((part) => finish(part, id, variables))) return false;
  if (live.parts.every(({ done }) => done)) goOn(live, variables);
  return true;
}

function goOn(live: Live, variables: Variables): void {
  const { block } = live;
  if (block.kind === 'task') return;
  const inOrder = block.kind === 'sequence' || block.kind === 'loop';
  live.position += 1;
  if (inOrder && live.position === block.inside.length && block.kind === 'loop') {
    if (variables[`${block.id}_1`] === true) live.position = 0;
  }
  if (!inOrder || live.position === block.inside.length) live.done = true;
  else live.parts = [begin(block.inside[live.position]!, variables)];
}
