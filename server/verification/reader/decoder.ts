/** The library that decodes pictures, sharp, which is installed beside the models. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Raw {
  readonly data: Buffer;
  readonly info: { readonly width: number; readonly height: number };
}

/** What is used of the library that decodes pictures. */
interface Pipeline {
  autoOrient(): Pipeline;
  flatten(options: { background: string }): Pipeline;
  resize(options: object): Pipeline;
  toColourspace(space: 'srgb'): Pipeline;
  removeAlpha(): Pipeline;
  raw(options: { depth: 'uchar' }): Pipeline;
  toBuffer(options: { resolveWithObject: true }): Promise<Raw>;
}

/** Begins to decode a picture. */
export type Decode = (bytes: Uint8Array, options: object) => Pipeline;

/** The library that decodes pictures. */
interface Decoder extends Decode {
  cache(isKept: false): unknown;
  concurrency(threads: number): unknown;
}

/** Package that decodes pictures. */
export const DECODER = 'sharp';

/** Loads the library that decodes pictures from a folder. */
export function loadDecoder(folder: string): Decoder {
  const sharp = createRequire(join(folder, 'package.json'))(DECODER) as Decoder;
  // No two pictures are alike, and memory must not depend on the number of processors.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
