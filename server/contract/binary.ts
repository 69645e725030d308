import type { Readable } from 'node:stream';

/** Type of `format: binary` in the generated types: bytes in memory, or a stream of bytes. */
export type Binary = Uint8Array | Readable;
