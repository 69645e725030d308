/** Lays out what has no drawing of its own: a process from left to right, and a decision table as a table. */
import type { DecisionTable } from '../feel/decision-table.ts';
import type { Flow, Node, Program } from '../program.ts';
import { type Drawing, type Figure, type Line, LONGEST_LABEL, type Shape } from './drawing.ts';

const COLUMN = 170;
const ROW = 110;

const SIZES: Readonly<Record<'event' | 'gateway' | 'activity', readonly [width: number, height: number]>> = {
  event: [36, 36],
  gateway: [50, 50],
  activity: [110, 60],
};

const SIGNS: Readonly<Partial<Record<Node['type'], string>>> = {
  exclusive: '×',
  parallel: '+',
  inclusive: '○',
  event_based: '◇',
};

/** Lays out the processes of a program below each other, and what is inside of sub-processes below these. */
export function layOut({ processes, nodes, flows }: Program): Drawing {
  const inner = nodes.filter(({ type }) => type === 'sub_process' || type === 'event_sub_process');
  const shapes = new Map<string, Shape>();
  let top = 0;
  for (const { id } of [...processes, ...inner]) {
    const inside = nodes.filter(({ scope }) => scope === id);
    if (inside.length === 0) continue;
    const placed = placedIn(inside, flows, top);
    for (const shape of placed) shapes.set(shape.id, shape);
    top = Math.max(...placed.map(({ y, height }) => y + height)) + ROW;
  }
  return { shapes: [...shapes.values()], lines: flows.flatMap((flow) => lineOf(flow, shapes)) };
}

function placedIn(inside: readonly Node[], flows: readonly Flow[], top: number): Shape[] {
  const columns = columnsOf(inside, flows);
  const filled = new Map<number, number>();
  return inside.map((node) => {
    const column = columns.get(node.id)!;
    const row = filled.get(column) ?? 0;
    filled.set(column, row + 1);
    const [width, height] = SIZES[sizeOf(node)];
    const sign = SIGNS[node.type];
    return {
      id: node.id,
      figure: figureOf(node),
      x: column * COLUMN + (COLUMN - width) / 2,
      y: top + row * ROW + (ROW - height) / 2,
      width,
      height,
      label: (node.name ?? node.id).slice(0, LONGEST_LABEL),
      ...(sign === undefined ? {} : { sign }),
      ...(node.type === 'boundary' && node.interrupting === false ? { dashed: true } : {}),
    };
  });
}

/** Returns how many flows each node is away from the nearest beginning. */
function columnsOf(inside: readonly Node[], flows: readonly Flow[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  const following = Map.groupBy(flows, ({ from }) => from);
  const begins = inside.filter((node) => node.in.length === 0);
  let reached = (begins.length > 0 ? begins : inside.slice(0, 1)).map(({ id }) => id);
  for (let column = 0; reached.length > 0; column++) {
    const fresh = reached.filter((id) => !columns.has(id));
    for (const id of fresh) columns.set(id, column);
    reached = fresh.flatMap((id) => (following.get(id) ?? []).map(({ to }) => to));
  }
  for (const { id } of inside) if (!columns.has(id)) columns.set(id, 0);
  return columns;
}

const isEvent = ({ type }: Node): boolean => ['start', 'end', 'catch', 'throw', 'boundary'].includes(type);

function sizeOf(node: Node): keyof typeof SIZES {
  if (isEvent(node)) return 'event';
  return SIGNS[node.type] === undefined ? 'activity' : 'gateway';
}

function figureOf(node: Node): Figure {
  if (node.type === 'start') return 'event';
  if (node.type === 'end') return 'thick_event';
  if (isEvent(node)) return 'double_event';
  return sizeOf(node) === 'gateway' ? 'gateway' : 'activity';
}

function lineOf({ id, from, to }: Flow, shapes: ReadonlyMap<string, Shape>): Line[] {
  const [one, other] = [shapes.get(from), shapes.get(to)];
  if (one === undefined || other === undefined) return [];
  const begin = [one.x + one.width, one.y + one.height / 2] as const;
  const end = [other.x, other.y + other.height / 2] as const;
  const middle = (begin[0] + end[0]) / 2;
  return [{ id, points: [begin, [middle, begin[1]], [middle, end[1]], end] }];
}

const CELL_WIDTH = 150;
const CELL_HEIGHT = 44;

/** Lays out a decision table: a line for its columns, and one for each rule. */
export function layOutTable({ inputs, outputs, rules }: DecisionTable): Drawing {
  const head = [...inputs.map(({ expression }) => expression), ...outputs.map(({ name }) => name)];
  const rows = [head, ...rules.map(({ when, then }) => [...when, ...then])];
  const shapes = rows.flatMap((cells, row) =>
    cells.map((text, column) => ({
      id: row === 0 ? `column_${column + 1}` : `rule_${row}_${column + 1}`,
      figure: 'cell' as const,
      x: column * CELL_WIDTH,
      y: row * CELL_HEIGHT,
      width: CELL_WIDTH,
      height: CELL_HEIGHT,
      label: text.slice(0, LONGEST_LABEL),
    })),
  );
  return { shapes, lines: [] };
}
