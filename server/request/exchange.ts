/**
 * One request with its response, and what the steps of the pipeline have found out about it. Created by the lifecycle
 * and passed through all steps. It must not outlive its request, because it holds the caller and the body's permit.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isUuid, lowerCaseUuid, uuidv7 } from '../base/uuid.ts';
import type { Caller } from '../identity/caller.ts';
import type { RateLimitStatus } from '../identity/rate-limit.ts';
import type { AdmissionPermit } from './admission.ts';
import type { Connection } from './connection.ts';
import { CookieJar } from './cookies.ts';

/** One request and its response, with the results of the pipeline steps that have run. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  readonly requestId: string;
  readonly clientIp: string;
  readonly startedAt = performance.now();
  /** Path as sent by the client, without the query. */
  readonly path: string;
  readonly search: string;
  /** Returns true if the service is stopping, so that the response closes the connection. */
  readonly endsConnection: () => boolean;
  /** User agent, cut to the length that audit events and sessions store. */
  readonly userAgent: string;
  /** Whether the request is logged and measured; false for health probes, which come every few seconds. */
  isReported = true;
  /** operationId, or the name of the other part of the service that answered, for metrics and log. */
  label = 'unmatched';
  caller: Caller | null = null;
  /** Share of the capacity that the request uses; null if the request was refused or is not an operation. */
  permit: AdmissionPermit | null = null;
  /** Quotas of the caller, and of its tenant if the tenant has one. */
  rateLimitStatuses: readonly RateLimitStatus[] = [];
  /** The header fields of a deprecated operation. */
  deprecation: Readonly<Record<string, string>> = {};
  /** Cookies, which only operations for browsers read and write. */
  readonly cookies: CookieJar;
  /** Code of the problem that was sent, if any. */
  problemCode: string | null = null;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { connection, clientIp, endsConnection }: Pick<Exchange, 'connection' | 'clientIp' | 'endsConnection'>,
  ) {
    this.request = request;
    this.response = response;
    this.connection = connection;
    this.clientIp = clientIp;
    this.endsConnection = endsConnection;
    const sent = request.headers['x-request-id'];
    const sentId = typeof sent === 'string' ? lowerCaseUuid(sent) : '';
    this.requestId = isUuid(sentId) ? sentId : uuidv7();
    this.cookies = new CookieJar(request.headers);
    this.userAgent = (request.headers['user-agent'] ?? '').slice(0, 300);
    const url = request.url ?? '/';
    const query = url.indexOf('?');
    this.path = query === -1 ? url : url.slice(0, query);
    this.search = query === -1 ? '' : url.slice(query + 1);
  }

  /**
   * Requests the body. `100 Continue` is sent only at this point, so that a client that is refused earlier need not
   * send the body (RFC 9110 §10.1.1).
   */
  readonly awaitBody = (): void => {
    this.permit?.awaitBody();
    // HTTP/1.0 has no interim responses.
    if (this.request.headers.expect !== undefined && this.request.httpVersion !== '1.0') this.response.writeContinue();
  };
}
