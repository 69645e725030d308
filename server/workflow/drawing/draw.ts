/**
 * Writes a drawing as SVG. Every text comes from a file of a tenant, so all of it is escaped; the picture holds no
 * script, no link and nothing that is loaded from elsewhere.
 */
import type { Drawing, Figure, Line, Shape } from './drawing.ts';

/** How an element is marked: under way, passed, stopped by an incident, or with findings. */
export type Mark = 'active' | 'passed' | 'stopped' | 'error' | 'warning';

const FILLS: Readonly<Record<Mark, string>> = {
  active: '#cfe8ff',
  passed: '#dff2df',
  stopped: '#ffd6d6',
  error: '#ffd6d6',
  warning: '#fff3c4',
};
const OUTLINES: Readonly<Record<Mark, string>> = {
  active: '#0b5cad',
  passed: '#2f7d32',
  stopped: '#b3261e',
  error: '#b3261e',
  warning: '#8a6d00',
};
const MARGIN = 20;
/** Width of a character of a label, on average. */
const CHARACTER = 6.2;
const LINE_HEIGHT = 14;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string =>
  text
    .replace(/[&<>"']/g, (character) => ESCAPES[character]!)
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');

const rounded = (number: number): number => Math.round(number * 10) / 10;

/** Writes the drawing, with the marked elements in colour. The title of each shape says its mark in words. */
export function draw({ shapes, lines }: Drawing, marks: ReadonlyMap<string, Mark>): string {
  const xs = [
    ...shapes.flatMap(({ x, width }) => [x, x + width]),
    ...lines.flatMap(({ points }) => points.map(([x]) => x)),
  ];
  const ys = [
    ...shapes.flatMap(({ y, height }) => [y, y + height + 2 * LINE_HEIGHT]),
    ...lines.flatMap(({ points }) => points.map(([, y]) => y)),
  ];
  const [left, top] = [least(xs) - MARGIN, least(ys) - MARGIN];
  const [width, height] = [most(xs) + MARGIN - left, most(ys) + MARGIN - top];
  const ordered = shapes.toSorted((one, other) => LAYERS[one.figure] - LAYERS[other.figure]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${[left, top, width, height].map(rounded).join(' ')}"`,
    ` width="${Math.ceil(width)}" height="${Math.ceil(height)}" font-family="sans-serif" font-size="11">`,
    '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">',
    '<path d="M0 0 10 5 0 10z" fill="#333"/></marker></defs>',
    ...ordered.filter(({ figure }) => LAYERS[figure] === 0).map((shape) => shapeOf(shape, marks.get(shape.id))),
    ...lines.map(lineOf),
    ...ordered.filter(({ figure }) => LAYERS[figure] > 0).map((shape) => shapeOf(shape, marks.get(shape.id))),
    '</svg>',
  ].join('');
}

const LAYERS: Readonly<Record<Figure, number>> = {
  pool: 0,
  scope: 0,
  note: 1,
  cell: 1,
  activity: 1,
  gateway: 1,
  event: 2,
  thick_event: 2,
  double_event: 2,
};

const least = (numbers: readonly number[]): number =>
  numbers.reduce((one, other) => Math.min(one, other), numbers[0] ?? 0);
const most = (numbers: readonly number[]): number =>
  numbers.reduce((one, other) => Math.max(one, other), numbers[0] ?? 1);

function shapeOf(shape: Shape, mark: Mark | undefined): string {
  const fill = mark === undefined ? 'white' : FILLS[mark];
  const outline = mark === undefined ? '#333' : OUTLINES[mark];
  const dashes = shape.dashed === true ? ' stroke-dasharray="4 3"' : '';
  const title = mark === undefined ? '' : `<title>${escaped(shape.label ?? shape.id)}: ${mark}</title>`;
  const style = `fill="${shape.figure === 'pool' ? 'none' : fill}" stroke="${outline}"${dashes}`;
  return `<g>${title}${outlineOf(shape, style)}${signOf(shape)}${labelOf(shape)}</g>`;
}

function outlineOf(shape: Shape, style: string): string {
  const [x, y, width, height] = [shape.x, shape.y, shape.width, shape.height].map(rounded) as [
    number,
    number,
    number,
    number,
  ];
  const [middleX, middleY, radius] = [rounded(x + width / 2), rounded(y + height / 2), rounded(width / 2)];
  const circle = (by: number, stroke: number): string =>
    `<circle cx="${middleX}" cy="${middleY}" r="${Math.max(1, radius - by)}" ${style} stroke-width="${stroke}"/>`;
  switch (shape.figure) {
    case 'event':
      return circle(0, 1.5);
    case 'thick_event':
      return circle(0, 3);
    case 'double_event':
      return circle(0, 1.5) + circle(3, 1);
    case 'gateway': {
      const corners = [
        [middleX, y],
        [x + width, middleY],
        [middleX, y + height],
        [x, middleY],
      ];
      return `<path d="M${corners.map((corner) => corner.map(rounded).join(' ')).join(' ')}z" ${style}/>`;
    }
    case 'activity':
      return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" ${style} stroke-width="1.5"/>`;
    case 'note':
    case 'cell':
    case 'pool':
    case 'scope':
      return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="2" ${style}/>`;
  }
}

function signOf({ sign, x, y, width, height }: Shape): string {
  if (sign === undefined) return '';
  const at = `x="${rounded(x + width / 2)}" y="${rounded(y + height / 2 + 5)}"`;
  return `<text ${at} text-anchor="middle" font-size="15">${escaped(sign)}</text>`;
}

/** Writes the label inside a rectangle, and below anything else. */
function labelOf({ label, figure, x, y, width, height }: Shape): string {
  if (label === undefined || label === '') return '';
  const isInside = figure === 'activity' || figure === 'cell' || figure === 'note';
  const isTop = figure === 'pool' || figure === 'scope';
  const lines = wrapped(label, isInside ? width - 8 : Math.max(90, width));
  const first = isInside ? y + height / 2 - ((lines.length - 1) * LINE_HEIGHT) / 2 + 4 : y + height + LINE_HEIGHT;
  const from = isTop ? y + LINE_HEIGHT : first;
  return lines
    .map((line, index) => {
      const place = `x="${rounded(x + width / 2)}" y="${rounded(from + index * LINE_HEIGHT)}"`;
      return `<text ${place} text-anchor="middle">${escaped(line)}</text>`;
    })
    .join('');
}

/** Breaks a label into at most four lines. */
function wrapped(label: string, width: number): string[] {
  const most = Math.max(6, Math.floor(width / CHARACTER));
  const lines: string[] = [];
  for (const word of label.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.length > most ? `${word.slice(0, most - 1)}…` : word);
  }
  return lines.length <= 4 ? lines : [...lines.slice(0, 3), `${lines[3]!.slice(0, most - 1)}…`];
}

function lineOf({ points, label, dashed }: Line): string {
  if (points.length < 2) return '';
  const path = points.map((point) => point.map(rounded).join(' ')).join(' L');
  const dashes = dashed === true ? ' stroke-dasharray="4 3"' : ' marker-end="url(#arrow)"';
  const [x, y] = points[Math.floor((points.length - 1) / 2)]!;
  const [nextX, nextY] = points[Math.floor((points.length - 1) / 2) + 1]!;
  const at = `x="${rounded((x + nextX) / 2)}" y="${rounded((y + nextY) / 2 - 4)}"`;
  const text = label === undefined || label === '' ? '' : `<text ${at} text-anchor="middle">${escaped(label)}</text>`;
  return `<path d="M${path}" fill="none" stroke="#333"${dashes}/>${text}`;
}
