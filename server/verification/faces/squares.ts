/** Cuts squares out of pictures, as the nets of faces take them. */
import { addColourAt, type Picture } from '../reader/picture.ts';
import type { Square } from './tensors.ts';

/** Square of a picture: its centre and its side, in pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** Most points that are averaged for a value, along each side of its cell. Each stands for two pixels. */
const MOST_POINTS = 4;

/** Returns the place that holds a whole picture. */
export const wholeOf = ({ width, height }: Picture): Place => ({
  x: width / 2,
  y: height / 2,
  side: Math.max(width, height),
});

/** Cuts a square out of a picture and brings it to so many pixels a side. Outside of the picture it is black. */
export function cut(picture: Picture, place: Place, side: number): Square {
  const { width, height } = picture;
  const values = new Float32Array(side * side * 3);
  const sums = new Float64Array(3);
  const cell = place.side / side;
  const points = Math.max(1, Math.min(MOST_POINTS, Math.round(cell / 2)));
  const [left, top] = [place.x - place.side / 2, place.y - place.side / 2];
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      sums.fill(0);
      for (let lower = 0; lower < points; lower++) {
        const y = top + (row + (lower + 0.5) / points) * cell;
        for (let later = 0; later < points; later++) {
          const x = left + (column + (later + 0.5) / points) * cell;
          if (x >= 0 && y >= 0 && x < width && y < height) addColourAt(picture, x - 0.5, y - 0.5, sums);
        }
      }
      const to = (row * side + column) * 3;
      for (let channel = 0; channel < 3; channel++) values[to + channel] = sums[channel]! / (points * points);
    }
  }
  return { side, values };
}
