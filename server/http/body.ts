import type { IncomingMessage } from 'node:http';
import { Problem, type ProblemCode } from './problem.ts';

/** Conventions §0.2: bodies other than files. */
const MAX_BODY_BYTES = 1024 * 1024;

/** RFC 9112 §6: a message has a body when one of these fields says so. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

export function assertLength(request: IncomingMessage, limit: number, code: ProblemCode = 'payload_too_large'): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new Problem(code as 'payload_too_large');
}

/** Asked for room before bytes are kept; throws when there is none. */
export type Hold = (bytes: number) => void;

/** The whole body in memory. What announces itself as too long is refused unread, what turns out so is cut off. */
export function readBody(request: IncomingMessage, hold: Hold): Promise<Buffer> {
  assertLength(request, MAX_BODY_BYTES);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    try {
      if (size > MAX_BODY_BYTES) throw new Problem('payload_too_large');
      hold(chunk.length);
      chunks.push(chunk);
    } catch (refusal) {
      request.removeAllListeners('data').pause();
      reject(refusal as Error);
    }
  });
  request.on('end', () => resolve(chunks.length === 1 ? chunks[0] as Buffer : Buffer.concat(chunks)));
  request.on('error', reject);
  // Also comes after the last byte; an error that nobody sees would be made for every body then.
  request.on('close', () => { if (!request.complete) reject(new ClientGone()); });
  return promise;
}

/** Nobody is left to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}
