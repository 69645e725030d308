import { Problem } from '../../../http/problem.ts';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const LONG_SIDE = 600;
const SHORT_SIDE = 400;
const PIXELS = 50_000_000;

/** At least 600×400 in either orientation, so that text can be read, and at most 50 megapixels. */
export function assertImageSize(size: ImageSize): void {
  const { width, height } = size;
  if (Math.max(width, height) < LONG_SIDE || Math.min(width, height) < SHORT_SIDE) throw new Problem('image_too_small');
  assertPixels(size);
}

export function assertPixels({ width, height }: ImageSize): void {
  if (width * height > PIXELS) throw new Problem('image_too_large');
}
