import type { Readable } from 'node:stream';

/** The type of `format: binary` in the generated types: bytes in memory, or a stream of them. */
export type Binary = Uint8Array | Readable;
