/**
 * Bytes to serve with their type, entity tag and compressed form. Used by router.ts and everything that answers a page
 * or file. A page with secrets, such as the outbox, must be sent with `no-store`.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { BoundedMap } from '../base/bounded-map.ts';
import { endWithBody } from '../request/response.ts';

const compress = promisify(gzip);

/** Minimum size for compression. A smaller answer fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1400;

/** Bytes to serve, with an ETag that identifies exactly these bytes. */
export class Content {
  readonly type: string;
  readonly bytes: Buffer;
  readonly digest: string;
  #compressed: Promise<Buffer> | undefined;

  constructor(type: string, bytes: Buffer) {
    this.type = type;
    this.bytes = bytes;
    this.digest = digestOf(bytes);
  }

  get compressible(): boolean {
    return this.bytes.length >= MIN_COMPRESSED_BYTES;
  }

  /** Returns the compressed bytes, computed once at the first request that accepts them. */
  compressed(): Promise<Buffer> {
    return (this.#compressed ??= compress(this.bytes));
  }
}

/** Cache of content that is created per request, such as pages, so that equal bytes are stored and compressed once. */
const renderedContent = new BoundedMap<string, Content>(32);

export function contentOf(type: string, text: string | Buffer): Content {
  const content = new Content(type, Buffer.from(text));
  const key = `${type} ${content.digest}`;
  const known = renderedContent.get(key);
  if (known === undefined) renderedContent.set(key, content);
  return known ?? content;
}

export function digestOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}

/**
 * Sends a body that clients may cache and revalidate. The compressed form has its own validator, because a strong ETag
 * identifies one sequence of bytes (RFC 9110 §8.8.3.3).
 */
export async function sendContent(
  request: Request,
  response: Response,
  content: Content,
  cache = 'no-cache',
): Promise<void> {
  const compress = content.compressible && request.acceptsEncodings('gzip', 'identity') === 'gzip';
  response.set({
    'Content-Type': content.type,
    'Cache-Control': cache,
    ETag: `"${content.digest}${compress ? '-gzip' : ''}"`,
    Vary: 'Accept-Encoding',
  });
  if (request.fresh) {
    response.removeHeader('Content-Type');
    return void response.status(304).end();
  }
  if (compress) response.set('Content-Encoding', 'gzip');
  const bytes = compress ? await content.compressed() : content.bytes;
  response.set('Content-Length', String(bytes.length));
  if (request.method === 'HEAD') response.end();
  else endWithBody(response, bytes);
}
