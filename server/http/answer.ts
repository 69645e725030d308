import { pipeline, Readable } from 'node:stream';
import type { Environment } from '../contract/principal.ts';
import { deliver } from './deliver.ts';
import { exactly } from './exactly.ts';
import type { Exchange } from './exchange.ts';
import { rateLimitHeaders } from './rate-limit.ts';

/** A response that is decided but not sent. */
export interface Answer {
  readonly status: number;
  readonly mediaType: string | null;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string | Uint8Array | Readable | null;
  /** The environment that the answer is about, when it is not the caller's effective one. */
  readonly environment?: Environment | undefined;
}

/** Answers of the API are data for programs: never cached, sniffed, framed, executed or drawn into the page of another site. */
const FIXED = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/** Whoever is refused early and still has more than this to send opens another connection sooner than it has sent it. */
const REMAINING_BYTES = 16 * 1024 * 1024;

export function send(exchange: Exchange, answer: Answer): void {
  const { response, request, standings, caller } = exchange;
  if (response.headersSent || response.destroyed) {
    if (answer.body instanceof Readable) answer.body.destroy();
    return;
  }
  // What is left is up to the client, and does not keep others from work.
  exchange.place?.leave();
  const headers: Record<string, string | number> = { 'X-Request-Id': exchange.requestId, ...FIXED };
  if (caller !== null) {
    headers['X-Environment'] = answer.environment ?? caller.environment;
    if (caller.keyExpires !== null) headers['X-Api-Key-Expires'] = caller.keyExpires;
  }
  if (standings.length > 0) Object.assign(headers, rateLimitHeaders(standings));
  if (answer.mediaType !== null) headers['Content-Type'] = answer.mediaType;
  Object.assign(headers, exchange.deprecation, answer.headers);
  if (exchange.endsConnection() || (!request.complete && leavesTooMuch(exchange))) headers['Connection'] = 'close';

  const { body } = answer;
  if (body instanceof Readable) {
    response.writeHead(answer.status, headers);
    if (request.method === 'HEAD') {
      body.destroy();
      response.end();
    } else {
      // A stream that breaks closes the connection: the status is sent, and a short body must not look complete.
      const announced = headers['Content-Length'];
      if (announced === undefined) pipeline(body, response, () => undefined);
      else pipeline(body, exactly(Number(announced)), response, () => undefined);
    }
    return;
  }
  if (body !== null) headers['Content-Length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  else if (answer.status !== 204) headers['Content-Length'] = 0;
  response.writeHead(answer.status, headers);
  if (body === null || request.method === 'HEAD') response.end();
  else {
    exchange.connection.holdsAnswer(body.length);
    deliver(response, body);
  }
}

function leavesTooMuch({ request }: Exchange): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > REMAINING_BYTES;
}
