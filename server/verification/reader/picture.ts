/** Pictures as plain pixels: decoding, turning, and cutting out lines that lie at an angle. */
import type { Decode } from './decoder.ts';

/** Picture with three bytes for each pixel. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Rectangle at an angle: its centre, its half sides along and across, and the direction of the long side. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly along: number;
  readonly across: number;
  readonly angle: number;
}

const MOST_PIXELS = 50_000_000;
/** Pictures that documents are read from are at most so many pixels long. */
export const LONGEST_SIDE = 2_000;

/** Decodes a picture and brings it to red, green and blue of 8 bits, upright and at most so many pixels long. */
export async function decode(
  { decode: open }: { readonly decode: Decode },
  bytes: Uint8Array,
  longestSide = LONGEST_SIDE,
): Promise<Picture> {
  const { data, info } = await open(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'truncated' })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .resize({
      width: longestSide,
      height: longestSide,
      fit: 'inside',
      withoutEnlargement: true,
    })
    .toColourspace('srgb')
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    pixels: data,
  };
}

/** Turns a picture clockwise by a quarter. */
export function turned({ width, height, pixels }: Picture): Picture {
  const result = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * 3;
      const to = (x * height + height - 1 - y) * 3;
      result[to] = pixels[from]!;
      result[to + 1] = pixels[from + 1]!;
      result[to + 2] = pixels[from + 2]!;
    }
  }
  return {
    width: height,
    height: width,
    pixels: result,
  };
}

/**
 * Adds the colour of a picture at a point between its pixels to three sums. Outside of the picture, its border is
 * repeated. It creates no objects, because it is called for every point of every strip that is read.
 */
export function addColourAt({ width, height, pixels }: Picture, x: number, y: number, sums: Float64Array): void {
  const px = Math.min(width - 1, Math.max(0, x));
  const py = Math.min(height - 1, Math.max(0, y));
  const [left, top] = [Math.floor(px), Math.floor(py)];
  const [right, down] = [px - left, py - top];
  const aside = left + 1 < width ? 3 : 0;
  const under = top + 1 < height ? width * 3 : 0;
  const at = (top * width + left) * 3;
  for (let channel = 0; channel < 3; channel++) {
    const i = at + channel;
    const upper = pixels[i]! * (1 - right) + pixels[i + aside]! * right;
    const lower = pixels[i + under]! * (1 - right) + pixels[i + under + aside]! * right;
    sums[channel]! += upper * (1 - down) + lower * down;
  }
}

/**
 * Samples a box of a picture into planes of numbers, one for each channel, with the given number of columns and rows.
 * Every value is made by `scale`.
 */
export function sample(
  picture: Picture,
  { x, y, along, across, angle }: Box,
  [columns, rows]: readonly [number, number],
  scale: (value: number, channel: number) => number,
): Float32Array {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const planes = new Float32Array(3 * rows * columns);
  const sums = new Float64Array(3);
  // A point stands for two pixels in each direction; where cells of the result are larger, several are averaged.
  const points = Math.max(1, Math.min(4, Math.round(across / rows)));
  const place = (index: number, point: number, count: number): number =>
    ((index + (point + 0.5) / points) / count) * 2 - 1;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      sums.fill(0);
      for (let lower = 0; lower < points; lower++) {
        const v = place(row, lower, rows) * across;
        for (let later = 0; later < points; later++) {
          const u = place(column, later, columns) * along;
          addColourAt(picture, x + u * cos - v * sin - 0.5, y + u * sin + v * cos - 0.5, sums);
        }
      }
      for (let channel = 0; channel < 3; channel++) {
        planes[(channel * rows + row) * columns + column] = scale(sums[channel]! / (points * points), channel);
      }
    }
  }
  return planes;
}
