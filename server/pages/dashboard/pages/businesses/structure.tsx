/**
 * The structure of a company as a drawing: its box above, and below it the companies that own it, layer by layer. Part
 * of owners.tsx, whose table says the same. Owners of one company only are rows in its box, so the drawing is narrow.
 */
import type { Schemas } from '../../core/api.ts';
import { useFormat } from '../../ui/format.ts';
import './businesses.css';

type Edge = Pick<Schemas['OwnershipEdge'], 'owner' | 'owned' | 'capitalPercent'>;

const ROOT = 'root';
const WIDTH = 220;
const [HEAD, ROW, PAD, GAP_X, GAP_Y] = [30, 18, 8, 24, 48];
/** Beyond these, nobody reads the drawing, and the table stands alone. */
const [MOST_BOXES, MOST_IN_LAYER] = [40, 6];

interface Box {
  readonly key: string;
  readonly rows: readonly Edge[];
  readonly height: number;
  readonly x: number;
  readonly y: number;
}

/** Places each company below the nearest one that it owns a part of. Returns null if there are too many. */
function layOut(edges: readonly Edge[]): {
  boxes: Box[];
  lines: Edge[];
  width: number;
  height: number;
} | null {
  const owned = new Set(edges.map((edge) => edge.owned));
  const holdings = Map.groupBy(edges, ({ owner }) => owner);
  const isRow = ({ owner }: Edge): boolean => !owned.has(owner) && holdings.get(owner)?.length === 1;
  const lines = edges.filter((edge) => !isRow(edge));
  const layers: string[][] = [];
  const placed = new Set([ROOT]);
  let keys = [ROOT];
  while (keys.length > 0) {
    const layer = keys;
    layers.push(layer);
    const next = lines.filter((edge) => layer.includes(edge.owned) && !placed.has(edge.owner));
    keys = [...new Set(next.map(({ owner }) => owner))];
    for (const key of keys) placed.add(key);
  }
  if (placed.size > MOST_BOXES || layers.some((layer) => layer.length > MOST_IN_LAYER)) return null;
  const width = Math.max(...layers.map((layer) => layer.length * (WIDTH + GAP_X) - GAP_X));
  const boxes: Box[] = [];
  let y = 0;
  for (const layer of layers) {
    const left = (width - (layer.length * (WIDTH + GAP_X) - GAP_X)) / 2;
    for (const [index, key] of layer.entries()) {
      const rows = edges.filter((edge) => edge.owned === key && isRow(edge));
      const height = HEAD + (rows.length === 0 ? 0 : rows.length * ROW + PAD);
      boxes.push({
        key,
        rows,
        height,
        x: left + index * (WIDTH + GAP_X),
        y,
      });
    }
    y += Math.max(...boxes.slice(-layer.length).map(({ height }) => height)) + GAP_Y;
  }
  return {
    boxes,
    lines,
    width,
    height: y - GAP_Y,
  };
}

const MOST_LETTERS = 26;
const short = (name: string): string => (name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name);

interface StructureProps extends Pick<Schemas['Ownership'], 'parties' | 'edges'> {
  readonly title: string;
  readonly company: string;
}

export function Structure({ title, company, parties, edges }: StructureProps) {
  const format = useFormat();
  const drawing = layOut(edges);
  if (drawing === null) return null;
  const names = new Map([[ROOT, company], ...parties.map(({ key, name }) => [key, name] as const)]);
  const nameOf = (key: string): string => short(names.get(key) ?? key);
  const share = ({ capitalPercent = null }: Edge): string =>
    capitalPercent === null ? '?' : `${format.number(capitalPercent)} %`;
  const boxOf = new Map(drawing.boxes.map((box) => [box.key, box]));
  const { width, height } = drawing;
  return (
    <svg
      className="structure"
      role="img"
      aria-label={title}
      viewBox={`-1 -1 ${width + 2} ${height + 2}`}
      width={width}
      height={height}
    >
      {drawing.lines.map((edge) => {
        const [from, to] = [boxOf.get(edge.owner), boxOf.get(edge.owned)];
        if (from === undefined || to === undefined) return null;
        const [x1, y1, x2, y2] = [from.x + WIDTH / 2, from.y, to.x + WIDTH / 2, to.y + to.height];
        return (
          <g key={`${edge.owner} ${edge.owned}`}>
            <line x1={x1} y1={y1} x2={x2} y2={y2} />
            <text className="muted" x={(x1 + x2) / 2 + PAD} y={(y1 + y2) / 2}>
              {share(edge)}
            </text>
          </g>
        );
      })}
      {drawing.boxes.map(({ key, rows, x, y, height: tall }) => (
        <g key={key} transform={`translate(${x} ${y})`}>
          <rect width={WIDTH} height={tall} rx="6" />
          <text x={PAD} y={HEAD - 10} className="name">
            {nameOf(key)}
          </text>
          {rows.map((row, index) => (
            <text key={row.owner} x={PAD} y={HEAD + (index + 1) * ROW - 6}>
              {`${nameOf(row.owner)} ${share(row)}`}
            </text>
          ))}
        </g>
      ))}
    </svg>
  );
}
