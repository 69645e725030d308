import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';

/** What is handed over at once, and so what an answer that nobody reads takes up in the connection. */
const PIECE_BYTES = 64 * 1024;

/** Ends an answer with a body, which goes out as fast as the peer takes it. */
export function deliver(response: ServerResponse, body: string | Uint8Array): void {
  // The client may be gone by the time a page is made.
  if (response.destroyed) return;
  if (body.length * 3 <= PIECE_BYTES) return void response.end(body);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.length <= PIECE_BYTES) response.end(bytes);
  else pipeline(Readable.from(pieces(bytes), { objectMode: false }), response, () => undefined);
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
}
