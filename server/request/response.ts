/**
 * Sends responses with their security headers, also streams and pages. Used by the endpoint, the lifecycle and the
 * pages. A stream whose length differs from its announced length breaks the connection, because its client could
 * otherwise read the next response as part of this one.
 */
import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { Environment } from '../contract/operation.ts';
import { rateLimitHeaders } from '../identity/rate-limit.ts';
import type { Exchange } from './exchange.ts';

/**
 * Passes a stream on only if its length equals Content-Length. If bytes were missing, the client would read the next
 * response on the connection as the rest; additional bytes would be read as a response. The last chunk waits for the
 * end of the source, because a client that has received everything may close the connection, which must not look like
 * an early disconnect.
 */
function enforceContentLength(length: number): (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array> {
  return async function* (source) {
    let left = length;
    let lastChunk: Uint8Array | null = null;
    for await (const chunk of source) {
      left -= chunk.length;
      if (left < 0) throw new ContentLengthMismatch('a body is longer than its Content-Length');
      if (lastChunk !== null) yield lastChunk;
      lastChunk = chunk;
    }
    if (left > 0) throw new ContentLengthMismatch('a body is shorter than its Content-Length');
    if (lastChunk !== null) yield lastChunk;
  };
}

class ContentLengthMismatch extends Error {
  override readonly name = 'ContentLengthMismatch';
}

/**
 * Number of bytes that are passed to the connection at a time, and so the memory of a response that the peer does not
 * read.
 */
const CHUNK_BYTES = 64 * 1024;

/** Ends a response with a body, which is written as fast as the peer reads it. */
export function endWithBody(response: ServerResponse, body: string | Uint8Array): void {
  // The client may have disconnected while the page was rendered.
  if (response.destroyed) return;
  if (body.length * 3 <= CHUNK_BYTES) return void response.end(body);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.length <= CHUNK_BYTES) response.end(bytes);
  else pipeline(Readable.from(chunks(bytes), { objectMode: false }), response, () => undefined);
}

function* chunks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) yield bytes.subarray(from, from + CHUNK_BYTES);
}

/** A response that is complete but not sent yet. */
export interface ResponseMessage {
  readonly status: number;
  readonly mediaType: string | null;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string | Uint8Array | Readable | null;
  /** Environment of the resource, if it differs from the caller's effective one. */
  readonly environment?: Environment | undefined;
}

/**
 * Header fields that keep the data of a response from being cached, sniffed, framed, executed or embedded in
 * the page of another site.
 */
const FIXED_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/**
 * Number of remaining bytes of a refused body above which the connection is closed, because a new connection is faster
 * than sending the rest.
 */
const REMAINING_BYTES = 16 * 1024 * 1024;

export function sendResponse(exchange: Exchange, answer: ResponseMessage): void {
  const { response, request, rateLimitStatuses, caller } = exchange;
  if (response.headersSent || response.destroyed) {
    if (answer.body instanceof Readable) answer.body.destroy();
    return;
  }
  // The remaining work depends on the client and must not use capacity that other requests need.
  exchange.permit?.release();
  const headers: Record<string, string | number | string[]> = { 'X-Request-Id': exchange.requestId, ...FIXED_HEADERS };
  if (caller !== null) {
    headers['X-Environment'] = answer.environment ?? caller.environment;
    if (caller.keyExpires !== null) headers['X-Api-Key-Expires'] = caller.keyExpires;
  }
  if (rateLimitStatuses.length > 0) Object.assign(headers, rateLimitHeaders(rateLimitStatuses));
  if (answer.mediaType !== null) headers['Content-Type'] = answer.mediaType;
  const cookies = exchange.cookies.fields;
  if (cookies.length > 0) headers['Set-Cookie'] = cookies;
  Object.assign(headers, exchange.deprecation, answer.headers);
  if (exchange.endsConnection() || (!request.complete && leavesTooMuch(exchange))) headers['Connection'] = 'close';

  const { body } = answer;
  if (body instanceof Readable) {
    response.writeHead(answer.status, headers);
    if (request.method === 'HEAD') {
      body.destroy();
      response.end();
    } else {
      // A stream that fails closes the connection, because the status is already sent and a truncated body must not
      // look complete.
      const contentLength = headers['Content-Length'];
      if (contentLength === undefined) pipeline(body, response, () => undefined);
      else pipeline(body, enforceContentLength(Number(contentLength)), response, () => undefined);
    }
    return;
  }
  if (body !== null) headers['Content-Length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  else if (answer.status !== 204) headers['Content-Length'] = 0;
  response.writeHead(answer.status, headers);
  if (body === null || request.method === 'HEAD') response.end();
  else {
    exchange.connection.holdResponse(body.length);
    endWithBody(response, body);
  }
}

function leavesTooMuch({ request }: Exchange): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined ||
    Number(request.headers['content-length'] ?? 0) > REMAINING_BYTES
  );
}
