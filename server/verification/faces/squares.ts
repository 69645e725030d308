/** Cuts squares out of pictures, as the nets of faces take them. */
import type { Picture } from '../reader/picture.ts';
import type { Square } from './tensors.ts';

/** Square of a picture: its centre and its side, in pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** Most points that are averaged for a value, along each side of its cell. */
const MOST_POINTS = 4;

/** Returns the place that holds a whole picture. */
export const wholeOf = ({ width, height }: Picture): Place => ({
  x: width / 2,
  y: height / 2,
  side: Math.max(width, height),
});

/** Cuts a square out of a picture and brings it to so many pixels a side. Outside of the picture it is black. */
export function cut(picture: Picture, place: Place, side: number): Square {
  const { width, height, pixels } = picture;
  const values = new Float32Array(side * side * 3);
  const cell = place.side / side;
  const points = Math.max(1, Math.min(MOST_POINTS, Math.round(cell)));
  const [left, top] = [place.x - place.side / 2, place.y - place.side / 2];
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const to = (row * side + column) * 3;
      for (let point = 0; point < points * points; point++) {
        const x = left + (column + ((point % points) + 0.5) / points) * cell;
        const y = top + (row + (Math.floor(point / points) + 0.5) / points) * cell;
        if (x < 0 || y < 0 || x >= width || y >= height) continue;
        const colour = colourAt({ pixels, width, height }, x - 0.5, y - 0.5);
        for (let channel = 0; channel < 3; channel++) values[to + channel]! += colour[channel]!;
      }
      for (let channel = 0; channel < 3; channel++) values[to + channel]! /= points * points;
    }
  }
  return { side, values };
}

/** Returns the colour of a picture at a point between pixels. */
function colourAt({ pixels, width, height }: Picture, x: number, y: number): readonly number[] {
  const [px, py] = [Math.min(width - 1, Math.max(0, x)), Math.min(height - 1, Math.max(0, y))];
  const [column, row] = [Math.floor(px), Math.floor(py)];
  const [right, down] = [px - column, py - row];
  const at = (row * width + column) * 3;
  const [aside, under] = [column + 1 < width ? 3 : 0, row + 1 < height ? width * 3 : 0];
  return [0, 1, 2].map((channel) => {
    const i = at + channel;
    const upper = pixels[i]! * (1 - right) + pixels[i + aside]! * right;
    const lower = pixels[i + under]! * (1 - right) + pixels[i + under + aside]! * right;
    return upper * (1 - down) + lower * down;
  });
}
