/**
 * The type of binary content in the generated types. Used by the generated types of operations and by the request
 * layer. Types only.
 */
import type { Readable } from 'node:stream';

/** Type of `format: binary` in the generated types: bytes in memory, or a stream of bytes. */
export type Binary = Uint8Array | Readable;
