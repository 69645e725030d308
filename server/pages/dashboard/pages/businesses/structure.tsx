/**
 * The structure of a company as a drawing: its box above, and below it the companies that own it, layer by layer. Part
 * of owners.tsx, whose table says the same. `structure-layout.ts` places the boxes.
 */
import type { Schemas } from '../../core/api.ts';
import { useFormat } from '../../ui/format.ts';
import { ROOT } from './owner-rows.ts';
import { type Edge, HEAD, layOut, PAD, ROW, WIDTH } from './structure-layout.ts';
import './businesses.css';

const MOST_LETTERS = 26;
/** Letters that an indentation takes the place of. */
const INDENT = 2;
const short = (name: string, most = MOST_LETTERS): string =>
  name.length > most ? `${name.slice(0, most - 1)}…` : name;

interface StructureProps {
  readonly title: string;
  readonly company: string;
  readonly ownership: Schemas['Ownership'];
}

export function Structure({ title, company, ownership: { parties, edges, assessment } }: StructureProps) {
  const format = useFormat();
  const drawing = layOut(edges, assessment.asOf);
  if (drawing === null) return null;
  const names = new Map([[ROOT, company], ...parties.map(({ key, name }) => [key, name] as const)]);
  const nameOf = (key: string, depth = 0): string => short(names.get(key) ?? key, MOST_LETTERS - INDENT * depth);
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
      {drawing.lines.map((edge, index) => {
        const [from, to] = [boxOf.get(edge.owner), boxOf.get(edge.owned)];
        if (from === undefined || to === undefined) return null;
        const [x1, y1, x2, y2] = [from.x + WIDTH / 2, from.y, to.x + WIDTH / 2, to.y + to.height];
        return (
          <g key={index}>
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
          {rows.map(({ edge, depth }, index) => (
            <text key={index} x={PAD + depth * PAD * INDENT} y={HEAD + (index + 1) * ROW - 6}>
              {`${nameOf(edge.owner, depth)} ${share(edge)}`}
            </text>
          ))}
        </g>
      ))}
    </svg>
  );
}
