import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { Counter, type Registry } from 'prom-client';
import { uuidv7 } from '../database/uuid.ts';
import type { Connections } from './connections.ts';
import type { Logger } from './log.ts';
import { Problem, type ProblemCode } from './problem.ts';
import { PROBLEM_TYPE, problemDocument } from './problem-document.ts';

/** What Node's parser complains about, as far as it is not simply malformed (`node:http`, event `clientError`). */
const CODES: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'header_fields_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** A client that is still sending would otherwise see a reset connection instead of the answer (RFC 9112 §9.6). */
const LINGER_MILLISECONDS = 1_000;

/**
 * Answers what never became a request: bytes that are not HTTP, header fields without end, a request that stops on its
 * way. The connection is closed, because nobody knows where on it the next request would begin.
 */
export function answerUnreadable(server: Server, connections: Connections, registry: Registry, log: Logger): void {
  const refused = new Counter({ name: 'http_unreadable_total', help: 'Refusals of what is not HTTP.', labelNames: ['code'], registers: [registry] });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    connections.of(socket).conclude(() => refuse(error, socket));
  });
  function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const problem = new Problem((CODES[error.code ?? ''] ?? 'malformed_request') as 'malformed_request');
    const requestId = uuidv7();
    refused.inc({ code: problem.code });
    log.info({ requestId, operation: 'unreadable', status: problem.status, code: problem.code }, 'request');
    socket.end(message(problem, requestId));
    socket.resume();
    setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
  }
}

function message(problem: Problem, requestId: string): string {
  const body = JSON.stringify(problemDocument(problem, requestId));
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    `Content-Type: ${PROBLEM_TYPE}`, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', 'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff', `X-Request-Id: ${requestId}`, '', body,
  ].join('\r\n');
}
