import type { Request, Response } from 'express';
import { deliver } from '../http/deliver.ts';
import type { Content } from './content.ts';

/**
 * Answers with a body that clients may keep and revalidate. The compressed form has a validator of its own, because a
 * strong ETag names one sequence of bytes (RFC 9110 §8.8.3.3).
 */
export async function send(request: Request, response: Response, content: Content, cache = 'no-cache'): Promise<void> {
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
  else deliver(response, bytes);
}
