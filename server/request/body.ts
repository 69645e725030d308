import type { IncomingMessage } from 'node:http';
import { Problem, type ProblemCode } from '../contract/problem.ts';

/** A body may come in small pieces, byte by byte even, but each piece costs as much as a large one: after so many they must have a size. */
const FREE_CHUNKS = 4096;
const MIN_CHUNK_BYTES = 16;

/** RFC 9112 §6: a message has a body when one of these fields says so. */
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

/** Asked for room before bytes are kept; throws when there is none. */
export type ReserveBytes = (bytes: number) => void;

/** The whole body in memory. What announces itself as too long is refused unread, what turns out so is cut off. */
export function readBody(request: IncomingMessage, limit: number, hold: ReserveBytes): Promise<Buffer> {
  assertLength(request, limit);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const arrive = bodySizeGuard(limit, 'payload_too_large');
  const pieces = new ChunkBuffer();
  request.on('data', (chunk: Buffer) => {
    try {
      arrive(chunk.length);
      hold(chunk.length);
      pieces.add(chunk);
    } catch (refusal) {
      request.removeAllListeners('data').pause();
      reject(refusal as Error);
    }
  });
  request.on('end', () => resolve(pieces.whole()));
  // Whatever breaks off a body, its sender is gone.
  request.on('error', () => reject(new ClientGone()));
  // Also comes after the last byte; an error that nobody sees would be made for every body then.
  request.on('close', () => { if (!request.complete) reject(new ClientGone()); });
  return promise;
}

/** Told of each piece of a body; throws when they are too much together, or too many for what they are. */
export function bodySizeGuard(limit: number, code: ProblemCode): (bytes: number) => void {
  let [total, count] = [0, 0];
  return (bytes) => {
    total += bytes;
    if (total > limit) throw tooLarge(limit, code);
    if (++count > FREE_CHUNKS && total < count * MIN_CHUNK_BYTES) throw new Problem('payload_too_large', { detail: 'The body comes in too many small pieces.' });
  };
}

/** Bytes that are kept as one: a buffer for each piece would cost a hundred times a body that comes byte by byte. */
export class ChunkBuffer {
  #length = 0;
  #buffer: Buffer = Buffer.alloc(0);

  add(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = length;
  }

  whole(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}

/** Nobody is left to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}
