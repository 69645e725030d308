import type { Readable } from 'node:stream';

/** What `format: binary` becomes in the generated types: bytes in memory or a stream of them. */
export type Binary = Uint8Array | Readable;
