/** Keeps the process that reads faces, with the same limits as those that read documents. */
import { join } from 'node:path';
import { DECODER } from '../reader/decoder.ts';
import { Reader, type ReaderOptions } from '../reader/readers.ts';
import type { FaceAnswer, FaceRequest } from './process.ts';
import { TENSOR_PACKAGES } from './tensors.ts';

/** Packages that must be installed in the folder of the models. */
export const FACE_PACKAGES: readonly string[] = [DECODER, ...TENSOR_PACKAGES];

/** Sixteen frames, each with a face to describe, on a busy machine. */
const LIMIT_MILLISECONDS = 30_000;
/** WebAssembly keeps the memory that one job needed for the next, which then needs little more. */
const KEPT_SHARE = 0.8;

/** Reads faces, one job at a time. */
export class FaceProcess extends Reader<FaceRequest, FaceAnswer> {
  constructor(options: ReaderOptions) {
    super({
      program: join(import.meta.dirname, 'process.ts'),
      limitMilliseconds: LIMIT_MILLISECONDS,
      keptShare: KEPT_SHARE,
      ...options,
    });
  }
}
