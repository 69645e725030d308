import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { BoundedMap } from '../base/bounded-map.ts';
import { endWithBody } from '../request/response.ts';

const compress = promisify(gzip);

/** Below this size a compressed answer is not worth the trouble: it fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1400;

/** Bytes to serve, with the validator that names exactly these bytes. */
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

  /** Compressed once, at the first request that can use it. */
  compressed(): Promise<Buffer> {
    return (this.#compressed ??= compress(this.bytes));
  }
}

/** What is made for each request, such as a page: the same bytes are held, and compressed, once for all who ask for them. */
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
 * Answers with a body that clients may keep and revalidate. The compressed form has a validator of its own, because a
 * strong ETag names one sequence of bytes (RFC 9110 §8.8.3.3).
 */
export async function sendContent(request: Request, response: Response, content: Content, cache = 'no-cache'): Promise<void> {
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
