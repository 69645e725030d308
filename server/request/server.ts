/**
 * Creates the HTTP server, listens, and drains it. Used by server/run.ts and server/start.ts, and by the mock server.
 * Messages that Node's parser refuses are answered with a problem and the connection is closed; an address that is in
 * use throws `AddressUnavailable` with the remedy.
 */
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Counter, type Registry } from 'prom-client';
import type { Logger } from '../base/log.ts';
import { uuidv7 } from '../base/uuid.ts';
import { Problem, PROBLEM_TYPE, type ProblemCode, problemDocument } from '../contract/problem.ts';
import type { ConnectionRegistry } from './connections.ts';

/**
 * Problems for the error codes of Node's parser (`node:http`, event `clientError`); any other code becomes
 * `malformed_request`.
 */
const PARSER_ERROR_CODES: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'header_fields_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * Delay before the connection is closed, because a client that is still sending would otherwise see a reset connection
 * instead of the response (RFC 9112 §9.6).
 */
const LINGER_MILLISECONDS = 1_000;

/**
 * Answers messages that Node's parser refuses: bytes that are not HTTP, header fields that are too large, a request
 * that is not completed in time. The connection is closed, because it is unknown where the next request would begin.
 */
function answerParserErrors(server: Server, { connections, registry, log }: HttpServerDependencies): void {
  const refused = new Counter({
    name: 'http_unreadable_total',
    help: 'Refusals of what is not HTTP.',
    labelNames: ['code'],
    registers: [registry],
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    connections.of(socket).sendFinal(() => refuse(error, socket));
  });
  function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    const problem = new Problem((PARSER_ERROR_CODES[error.code ?? ''] ?? 'malformed_request') as 'malformed_request');
    const requestId = uuidv7();
    refused.inc({ code: problem.code });
    log.info(
      {
        requestId,
        operation: 'unreadable',
        status: problem.status,
        code: problem.code,
      },
      'request',
    );
    socket.end(rawResponse(problem, requestId));
    socket.resume();
    setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
  }
}

function rawResponse(problem: Problem, requestId: string): string {
  const body = JSON.stringify(problemDocument(problem, requestId));
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    '',
    body,
  ].join('\r\n');
}

/** Thrown if the server cannot listen at this address. The message gives the reason and the remedy. */
export class AddressUnavailable extends Error {
  override readonly name = 'AddressUnavailable';

  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    super(reasonOf(host, port, cause), { cause });
  }
}

function reasonOf(host: string, port: number, { code = '', message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken by another program. Stop that, or set PORT to another port.`;
    case 'EACCES':
      return `This account may not listen on port ${port}. Set PORT to 1024 or higher.`;
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine. Set HOST to one that is.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no host ${host}. Set HOST to a name or an address of this machine.`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${message}`;
  }
}

/**
 * Number of connections that the operating system queues until they are accepted; further clients repeat their attempt
 * after a second or more.
 */
const BACKLOG = 4096;

/** Resolves with the port once the server accepts connections, and rejects if it cannot listen. */
export async function listen(
  server: Server,
  port: number,
  host: string,
  log: { error(fields: object, text: string): void },
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const refuse = (error: Error): void => {
    reject(new AddressUnavailable(host, port, error));
  };
  server.once('error', refuse).listen({ port, host, backlog: BACKLOG }, resolve);
  await promise;
  server.removeListener('error', refuse);
  // Accepting may fail later, for example for lack of file descriptors; this must cost one connection and not the
  // service.
  server.on('error', (error) => log.error({ err: error }, 'a connection could not be accepted'));
  return (server.address() as AddressInfo).port;
}

/**
 * Stops accepting connections, lets running requests finish within the grace period, then closes the remaining
 * connections.
 */
export async function drainServer(server: Server, graceMilliseconds: number, log: Logger): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  const overdue = setTimeout(() => {
    log.warn({}, 'requests were still running at the end of the grace period and have been ended');
    server.closeAllConnections();
  }, graceMilliseconds);
  await promise;
  clearTimeout(overdue);
}

interface Timeouts {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
}

/** Time limits: ten seconds for a header section, two minutes for a whole request. */
const TIMEOUTS: Timeouts = { headersTimeout: 10_000, requestTimeout: 120_000, connectionsCheckingInterval: 1_000 };

interface HttpServerDependencies {
  readonly connections: ConnectionRegistry;
  /** Registry of the metrics. */
  readonly registry: Registry;
  readonly log: Logger;
}

/**
 * Creates the HTTP server. Node's own checks that would answer without a problem document are disabled; the lifecycle
 * makes them.
 */
export function createHttpServer(
  handle: RequestListener,
  dependencies: HttpServerDependencies,
  timeouts = TIMEOUTS,
): Server {
  const server = createServer({ keepAliveTimeout: 65_000, requireHostHeader: false, ...timeouts });
  // Node must deliver all header fields, within its 16 KiB, so that the lifecycle can refuse too many of them.
  server.maxHeadersCount = 0;
  dependencies.connections.attach(server, handle);
  answerParserErrors(server, dependencies);
  return server;
}
