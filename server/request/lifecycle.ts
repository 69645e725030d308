/**
 * What happens to every HTTP request before and after its operation: checks of the message, request id, admission, log,
 * metrics. Created by server/app.ts. Messages that parsers could read differently are refused and close the connection,
 * because they could smuggle a second request.
 */
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from '../base/log.ts';
import { Problem } from '../contract/problem.ts';
import type { Caller } from '../identity/caller.ts';
import { clientIpOf, siteOf } from '../identity/client-address.ts';
import { rateLimited, type RateLimiter, rateLimitHeaders } from '../identity/rate-limit.ts';
import type { Admission } from './admission.ts';
import { hasBody } from './body.ts';
import type { ConnectionRegistry } from './connections.ts';
import { internalError, responseOf } from './error-mapping.ts';
import { Exchange } from './exchange.ts';
import type { Metrics } from './metrics.ts';
import { sendResponse } from './response.ts';

/** RFC 9110 §7.2: uri-host [ ":" port ], which may be empty. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\dA-Fa-f:.]+\])(?::\d{0,5})?$/;
const ABSOLUTE = /^https?:\/\/([^/?#]*)([^#]*)$/i;
/** Fields whose first occurrence the parser uses and whose others it drops, while a proxy may have used the last. */
const SINGLETON_FIELDS: ReadonlySet<string> = new Set(['host', 'content-type', 'authorization']);
const MAX_FIELDS = 100;

/** Rejects what Node's parser accepts and RFC 9112 forbids. Normalises the target to origin-form. */
function messageFaultOf(request: IncomingMessage): Problem | null {
  const { rawHeaders, headers } = request;
  if (rawHeaders.length > 2 * MAX_FIELDS)
    return closingConnection(
      new Problem('header_fields_too_large', { detail: `At most ${MAX_FIELDS} header fields.` }),
    );
  const repeated = repeatedField(rawHeaders);
  if (repeated !== null) return malformed(`There is more than one ${repeated} field.`);
  // RFC 9112 §3.2 requires the field; HTTP/1.0 did not have it.
  if (headers.host === undefined && request.httpVersion !== '1.0') return malformed('The Host field is missing.');
  if (headers.host !== undefined && !HOST.test(headers.host)) return malformed('The Host field names no host.');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return closingConnection(new Problem('transfer_coding_unsupported'));
  if (!takeOrigin(request)) return malformed('The target names no host.');
  // A client of HTTP/1.0 cannot expect anything (RFC 9110 §10.1.1).
  const expectation = headers.expect;
  return expectation !== undefined && expectation.toLowerCase() !== '100-continue' && request.httpVersion !== '1.0'
    ? new Problem('expectation_failed')
    : null;
}

/**
 * Converts a target in absolute-form, which RFC 9112 §3.2.2 allows; its host replaces the Host field. Returns false if
 * the target names no valid host.
 */
function takeOrigin(request: IncomingMessage): boolean {
  const [, host, rest = ''] = ABSOLUTE.exec(request.url ?? '') ?? [];
  if (host === undefined) return true;
  request.headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return host !== '' && HOST.test(host);
}

function repeatedField(rawHeaders: readonly string[]): string | null {
  let seen = '';
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    if (!SINGLETON_FIELDS.has(name)) continue;
    if (seen.includes(` ${name} `)) return rawHeaders[i] as string;
    seen += ` ${name} `;
  }
  return null;
}

function malformed(detail: string): Problem {
  return closingConnection(new Problem('malformed_request', { detail }));
}

/**
 * Makes the response close the connection, because parties that disagree about one message may also disagree about
 * where the next one begins.
 */
function closingConnection(problem: Problem): Problem {
  return problem.with({ Connection: 'close' });
}

/**
 * Key under which a request object holds its exchange. A WeakMap would serve as well, but it lives as long as the
 * process, and V8 treats the entries of such a map as reachable when it collects young objects: each request would stay
 * until the next full collection.
 */
const EXCHANGE = Symbol('exchange');
type WithExchange = IncomingMessage & { [EXCHANGE]?: Exchange };

interface LifecycleOptions {
  readonly trustedProxyHops: number;
  readonly connections: ConnectionRegistry;
  readonly admission: Admission;
  readonly limits: RateLimiter;
  /** Maximum number of requests per minute from one address that are not operations. */
  readonly quota: number;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly phase: () => ServicePhase;
  /** Called with the caller and the status of each response, unless the client has disconnected. */
  readonly onResponse: (caller: Caller, status: number) => void;
}

/**
 * Phase of the service. While it starts, it serves only its own requests; while it stops, it keeps no connection open.
 */
export type ServicePhase = 'starting' | 'ready' | 'stopping';

/** Steps that apply to every request, whichever part answers it: an id, admission, a log line and metrics. */
export class RequestLifecycle {
  readonly #options: LifecycleOptions;

  constructor(options: LifecycleOptions) {
    this.#options = options;
  }

  readonly #isStopping = (): boolean => this.#options.phase() === 'stopping';

  exchangeOf(request: IncomingMessage): Exchange {
    const exchange = (request as WithExchange)[EXCHANGE];
    if (exchange === undefined) throw new Error('the request has no exchange: the lifecycle middleware must run first');
    return exchange;
  }

  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const { trustedProxyHops, connections, phase } = this.#options;
    const forwarded = request.headers['x-forwarded-for'] as string | undefined;
    const clientIp = clientIpOf(request.socket.remoteAddress, forwarded, trustedProxyHops);
    const connection = connections.of(request.socket);
    connections.reassign(connection, siteOf(clientIp));
    const fault = messageFaultOf(request);
    const exchange = new Exchange(request, response, { connection, clientIp, endsConnection: this.#isStopping });
    (request as WithExchange)[EXCHANGE] = exchange;
    const isWarmUp = phase() === 'starting';
    response.once('close', () => {
      exchange.permit?.release();
      if (!isWarmUp && exchange.isReported) this.#report(exchange);
    });
    if (fault === null) next();
    else this.refuse(exchange, fault);
  };

  /** Admits the request of an operation. If there is no capacity, answers it with 503 and returns false. */
  admit(exchange: Exchange): boolean {
    try {
      exchange.permit = this.#options.admission.admit(hasBody(exchange.request), siteOf(exchange.clientIp));
      return true;
    } catch (refusal) {
      if (!(refusal instanceof Problem)) throw refusal;
      exchange.label = 'shed';
      this.refuse(exchange, refusal);
      return false;
    }
  }

  /**
   * Counts a request that is not an operation against the quota of its address. If the quota is used up, answers with
   * 429 and returns false.
   */
  checkAddressQuota(exchange: Exchange, name: 'pages' | 'probes'): boolean {
    const { limits, quota, clock, phase } = this.#options;
    if (phase() === 'starting') return true;
    const rateLimitStatus = limits.consume(
      { name, quota, windowSeconds: 60 },
      siteOf(exchange.clientIp),
      clock().getTime(),
    );
    for (const [field, value] of Object.entries(rateLimitHeaders([rateLimitStatus])))
      exchange.response.setHeader(field, value);
    if (!rateLimitStatus.allowed) this.refuse(exchange, rateLimited(rateLimitStatus));
    return rateLimitStatus.allowed;
  }

  refuse(exchange: Exchange, problem: Problem): void {
    exchange.problemCode = problem.code;
    sendResponse(exchange, responseOf(problem, exchange.requestId));
  }

  /** Logs and measures the request, without its query, body and names, because they can contain personal data. */
  #report(exchange: Exchange): void {
    const { log, metrics, onResponse } = this.#options;
    const { request, response, label, requestId, caller, problemCode, startedAt } = exchange;
    const milliseconds = performance.now() - startedAt;
    const status = response.writableFinished ? response.statusCode : 499;
    metrics.observe(label, status, milliseconds / 1000);
    if (caller !== null && response.writableFinished) onResponse(caller, status);
    log.info(
      {
        requestId,
        method: request.method,
        operation: label,
        status,
        ...(problemCode !== null && { code: problemCode }),
        ms: Math.round(milliseconds * 10) / 10,
        ...(caller !== null && { tenantId: caller.principal.tenantId, principal: caller.principal.id }),
      },
      'request',
    );
  }
}

/** Shows a refusal as a page to a person who uses a browser. Returns false if the client is not a browser. */
type ShowRefusal = (request: Request, response: Response, problem: Problem, requestId: string) => boolean;

/** Handles requests that no other part of the service has answered. */
export function notFoundHandler(_request: Request, _response: Response, next: NextFunction): void {
  next(new Problem('not_found'));
}

/**
 * Returns the handler of refusals outside the operations and of uncaught errors, for example of the pages. Express
 * recognises an error handler by its four parameters.
 */
export function errorHandler(lifecycle: RequestLifecycle, log: Logger, show: ShowRefusal) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const exchange = lifecycle.exchangeOf(request);
    const problem = refusalOf(error);
    if (problem === null) log.error({ requestId: exchange.requestId, err: error }, 'a request failed');
    if (response.headersSent) return void response.destroy();
    exchange.problemCode = (problem ?? internalError()).code;
    if (!show(request, response, problem ?? internalError(), exchange.requestId))
      lifecycle.refuse(exchange, problem ?? internalError());
  };
}

/**
 * Returns the problem of a client error, or null for a defect of the service. Express marks errors of the client, such
 * as a path that is not valid percent-encoding.
 */
function refusalOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  return (error as { readonly status?: unknown }).status === 400 ? new Problem('invalid_parameter') : null;
}
