/** Finds lines of text in a picture and reads them, by the detector and the recogniser of PP-OCRv4. */
import type { Models } from './models.ts';
import { type Box, type Picture, sample } from './picture.ts';

/** Character with its confidence. */
export interface ReadCharacter {
  readonly character: string;
  readonly confidence: number;
}

/** Line of text. */
export interface TextLine {
  readonly box: Box;
  readonly characters: readonly ReadCharacter[];
}

const DETECTED_SIDE = 960;
const MEAN = [0.485, 0.456, 0.406] as const;
const DEVIATION = [0.229, 0.224, 0.225] as const;
const TEXT = 0.3;
/** How far boxes are widened, since the detector marks only the core of a line. */
const WIDENED = 1.6;
const FEWEST_CELLS = 12;
const HEIGHT = 48;
const WIDEST = 2_400;

/** Returns the box around cells of the detector's map, in its coordinates. Null if there are too few. */
function boxAround(cells: readonly number[], columns: number): Box | null {
  if (cells.length < FEWEST_CELLS) return null;
  let [sumX, sumY] = [0, 0];
  for (const cell of cells) {
    sumX += cell % columns;
    sumY += Math.floor(cell / columns);
  }
  const [meanX, meanY] = [sumX / cells.length, sumY / cells.length];
  let [xx, xy, yy] = [0, 0, 0];
  for (const cell of cells) {
    const [dx, dy] = [(cell % columns) - meanX, Math.floor(cell / columns) - meanY];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  let [left, right, top, bottom] = [0, 0, 0, 0];
  for (const cell of cells) {
    const [dx, dy] = [(cell % columns) - meanX, Math.floor(cell / columns) - meanY];
    const [u, v] = [dx * cos + dy * sin, dy * cos - dx * sin];
    left = Math.min(left, u);
    right = Math.max(right, u);
    top = Math.min(top, v);
    bottom = Math.max(bottom, v);
  }
  const [u, v] = [(left + right) / 2, (top + bottom) / 2];
  const [length, height] = [right - left + 1, bottom - top + 1];
  const widened = (length * height * WIDENED) / (2 * (length + height));
  return {
    x: meanX + u * cos - v * sin + 0.5,
    y: meanY + u * sin + v * cos + 0.5,
    along: length / 2 + widened,
    across: height / 2 + widened,
    angle,
  };
}

/** Returns the groups of neighbouring cells that hold text. */
function groupsOf(map: Float32Array, columns: number): number[][] {
  const isSeen = new Uint8Array(map.length);
  const groups: number[][] = [];
  for (let start = 0; start < map.length; start++) {
    if (isSeen[start] === 1 || map[start]! < TEXT) continue;
    isSeen[start] = 1;
    const group = [start];
    for (let i = 0; i < group.length; i++) {
      const cell = group[i]!;
      const column = cell % columns;
      const neighbours = [cell - columns, cell + columns];
      if (column > 0) neighbours.push(cell - 1);
      if (column < columns - 1) neighbours.push(cell + 1);
      for (const neighbour of neighbours) {
        if (isSeen[neighbour] === 1 || (map[neighbour] ?? 0) < TEXT) continue;
        isSeen[neighbour] = 1;
        group.push(neighbour);
      }
    }
    groups.push(group);
  }
  return groups;
}

/** Finds the lines of text in a picture, from top to bottom. */
export async function findLines({ detector }: Models, picture: Picture): Promise<Box[]> {
  const { width, height } = picture;
  const factor = DETECTED_SIDE / Math.max(width, height);
  const columns = Math.max(1, Math.round((width * factor) / 32)) * 32;
  const rows = Math.max(1, Math.round((height * factor) / 32)) * 32;
  const whole: Box = {
    x: width / 2,
    y: height / 2,
    along: width / 2,
    across: height / 2,
    angle: 0,
  };
  const planes = sample(
    picture,
    whole,
    [columns, rows],
    (value, channel) => (value / 255 - MEAN[channel]!) / DEVIATION[channel]!,
  );
  const { data } = await detector(planes, [1, 3, rows, columns]);
  const [scaleX, scaleY] = [width / columns, height / rows];
  const boxes: Box[] = [];
  for (const group of groupsOf(data, columns)) {
    const box = boxAround(group, columns);
    if (box === null) continue;
    boxes.push({
      x: box.x * scaleX,
      y: box.y * scaleY,
      along: box.along * scaleX,
      across: box.across * scaleY,
      angle: box.angle,
    });
  }
  return boxes.toSorted((one, other) => one.y - other.y);
}

/** Reads one line. */
export async function readLine({ recogniser, characters }: Models, picture: Picture, box: Box): Promise<TextLine> {
  const columns = Math.min(WIDEST, Math.max(48, Math.round((box.along / box.across) * HEIGHT)));
  const planes = sample(picture, box, [columns, HEIGHT], (value) => value / 127.5 - 1);
  const { data, dims } = await recogniser(planes, [1, 3, HEIGHT, columns]);
  const [steps, classes] = [dims[1]!, dims[2]!];
  const read: ReadCharacter[] = [];
  let previous = 0;
  for (let step = 0; step < steps; step++) {
    const values = data.subarray(step * classes, (step + 1) * classes);
    let best = 0;
    for (let one = 1; one < classes; one++) if (values[one]! > values[best]!) best = one;
    const confidence = values[best]! / Math.max(1 - values[0]!, 1e-6);
    const found: ReadCharacter = { character: characters[best]!, confidence };
    const last = read.at(-1);
    if (best !== 0 && best === previous && last !== undefined) {
      if (found.confidence > last.confidence) read[read.length - 1] = found;
    } else if (best !== 0) {
      read.push(found);
    }
    previous = best;
  }
  return {
    box,
    characters: read,
  };
}

/** Tells whether a line lies rather than stands. Of a picture on its side, lines stand. */
export const isLying = ({ box }: TextLine): boolean => Math.abs(box.angle) < Math.PI / 4;

/** Returns the text of a line. */
export function textOf({ characters }: TextLine): string {
  return characters.map(({ character }) => character).join('');
}
