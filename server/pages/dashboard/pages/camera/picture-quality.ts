/**
 * Judges a picture in the browser before it is uploaded, so that a person takes it again while the document is still at
 * hand. Used by viewfinder.tsx. It only advises: the service judges what it gets.
 */

/** What is wrong with a picture. */
export type Flaw = 'dark' | 'blurred' | 'glare';

/** Pixels of a picture as a canvas returns them: red, green, blue and opacity of each. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** Width to which a picture is reduced before it is judged, so that the limits mean the same for every camera. */
export const JUDGED_WIDTH = 640;
/** Mean brightness below which nothing is legible, of 255. */
const DARKEST = 50;
/** Variance of the Laplacian below which strokes count as blurred, chosen on drawn print (decision 159). */
const LEAST_SHARPNESS = 60;
/** Brightness from which a pixel shows nothing but light. */
const BURNT = 250;
const BLOCK = 16;
/** Share of blocks of nothing but light from which a reflection hides something. White paper is darker than that. */
const MOST_BURNT_BLOCKS = 0.02;

/** Lists what is wrong with a picture. */
export function flawsOf(pixels: Pixels): Flaw[] {
  const grey = greyOf(pixels);
  const mean = grey.reduce((sum, value) => sum + value, 0) / Math.max(1, grey.length);
  return [
    ...(mean < DARKEST ? (['dark'] as const) : []),
    ...(sharpness(grey, pixels) < LEAST_SHARPNESS ? (['blurred'] as const) : []),
    ...(burntShare(grey, pixels) > MOST_BURNT_BLOCKS ? (['glare'] as const) : []),
  ];
}

/** Returns the brightness of each pixel (ITU-R BT.601). */
function greyOf({ data }: Pixels): Float32Array {
  const grey = new Float32Array(data.length / 4);
  const of = (index: number): number => data[index] ?? 0;
  for (let i = 0; i < grey.length; i++) grey[i] = 0.299 * of(4 * i) + 0.587 * of(4 * i + 1) + 0.114 * of(4 * i + 2);
  return grey;
}

/** Returns the variance of the Laplacian, which is high where brightness changes abruptly. */
function sharpness(grey: Float32Array, { width, height }: Pixels): number {
  let [sum, squares, count] = [0, 0, 0];
  const of = (index: number): number => grey[index] ?? 0;
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const value = of(at - 1) + of(at + 1) + of(at - width) + of(at + width) - 4 * of(at);
      sum += value;
      squares += value * value;
      count++;
    }
  return count === 0 ? 0 : squares / count - (sum / count) ** 2;
}

/** Returns the share of square blocks in which every pixel is nothing but light. */
function burntShare(grey: Float32Array, { width, height }: Pixels): number {
  let [burnt, count] = [0, 0];
  for (let top = 0; top + BLOCK <= height; top += BLOCK)
    for (let left = 0; left + BLOCK <= width; left += BLOCK) {
      count++;
      if (isBurnt(grey, width, top, left)) burnt++;
    }
  return count === 0 ? 0 : burnt / count;
}

function isBurnt(grey: Float32Array, width: number, top: number, left: number): boolean {
  for (let y = top; y < top + BLOCK; y++)
    for (let x = left; x < left + BLOCK; x++) if ((grey[y * width + x] ?? 0) < BURNT) return false;
  return true;
}
