/**
 * Reads the body of a request within its limit. Used by receive.ts, uploads and the pipeline. Refuses too long bodies
 * as early as possible, and bodies in too many small chunks; throws `ClientGone` if the client disconnects, which must
 * not be logged as an error.
 */
import type { IncomingMessage } from 'node:http';
import { Problem, type ProblemCode } from '../contract/problem.ts';

/**
 * Number of chunks after which their average size must reach a minimum, because each chunk costs the same work, however
 * small it is.
 */
const FREE_CHUNKS = 4096;
const MIN_CHUNK_BYTES = 16;

/** Tells whether a message has a body: it has one if one of these fields says so (RFC 9112 §6). */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

export function assertLength(request: IncomingMessage, limit: number, code: ProblemCode = 'payload_too_large'): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit, code);
}

function tooLarge(limit: number, code: ProblemCode): Problem {
  return new Problem(code as 'payload_too_large', { detail: `The body of this operation has at most ${limit} bytes.` });
}

/** Reserves memory before bytes are stored. Throws if no memory is left. */
export type ReserveBytes = (bytes: number) => void;

/**
 * Reads the whole body into memory. Refuses a body unread if its Content-Length is too large, and any other body as
 * soon as it exceeds the limit.
 */
export function readBody(request: IncomingMessage, limit: number, reserve: ReserveBytes): Promise<Buffer> {
  assertLength(request, limit);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const checkSize = bodySizeGuard(limit, 'payload_too_large');
  const chunks = new ChunkBuffer();
  request.on('data', (chunk: Buffer) => {
    try {
      checkSize(chunk.length);
      reserve(chunk.length);
      chunks.add(chunk);
    } catch (refusal) {
      request.removeAllListeners('data').pause();
      reject(refusal as Error);
    }
  });
  request.on('end', () => resolve(chunks.whole()));
  // An error of the request stream means that the client has disconnected.
  request.on('error', () => reject(new ClientGone()));
  // The event also follows the last byte; in this case no error is needed.
  request.on('close', () => {
    if (!request.complete) reject(new ClientGone());
  });
  return promise;
}

/** Checks the chunks of a body as they arrive. Throws if the body is too large or consists of too many small chunks. */
export function bodySizeGuard(limit: number, code: ProblemCode): (bytes: number) => void {
  let [total, count] = [0, 0];
  return (bytes) => {
    total += bytes;
    if (total > limit) throw tooLarge(limit, code);
    if (++count > FREE_CHUNKS && total < count * MIN_CHUNK_BYTES)
      throw new Problem('payload_too_large', { detail: 'The body comes in too many small pieces.' });
  };
}

/**
 * Collects chunks in one growing buffer. A buffer for each chunk would use a hundred times the size of a body that
 * arrives byte by byte.
 */
export class ChunkBuffer {
  #length = 0;
  #buffer: Buffer = Buffer.alloc(0);

  add(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
  }

  whole(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}

/** Thrown if the client has closed the connection and so cannot receive a response. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}
