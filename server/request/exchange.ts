import type { IncomingMessage, ServerResponse } from 'node:http';
import { isUuid, lowerCaseUuid, uuidv7 } from '../base/uuid.ts';
import type { Caller } from '../identity/caller.ts';
import type { RateLimitStatus } from '../identity/rate-limit.ts';
import type { AdmissionPermit } from './admission.ts';
import type { Connection } from './connection.ts';
import { CookieJar } from './cookies.ts';

/** One request and its response, with what the steps of the pipeline have found out so far. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  readonly requestId: string;
  readonly clientIp: string;
  readonly startedAt = performance.now();
  /** The path as it was sent, without the query. */
  readonly path: string;
  readonly search: string;
  /** True when the service is stopping, so that the response closes the connection. */
  readonly endsConnection: () => boolean;
  /** Cut to the length that audit events and sessions store. */
  readonly userAgent: string;
  /** Whether the request is logged and measured; false for health probes, which come every few seconds. */
  isReported = true;
  /** The operationId, or the name of another part that answered, for metrics and log. */
  label = 'unmatched';
  caller: Caller | null = null;
  /** The share of the capacity that the request uses; null when it was refused, or when it is no operation. */
  permit: AdmissionPermit | null = null;
  /** The quotas of the caller, and of its tenant if that has one. */
  rateLimitStatuses: readonly RateLimitStatus[] = [];
  /** The header fields of a deprecated operation. */
  deprecation: Readonly<Record<string, string>> = {};
  /** Read and written by operations for browsers alone. */
  readonly cookies: CookieJar;
  /** The code of the problem that was sent, if any. */
  problemCode: string | null = null;

  constructor(request: IncomingMessage, response: ServerResponse, connection: Connection, clientIp: string, endsConnection: () => boolean) {
    this.request = request;
    this.response = response;
    this.connection = connection;
    this.clientIp = clientIp;
    this.endsConnection = endsConnection;
    const sent = request.headers['x-request-id'];
    const given = typeof sent === 'string' ? lowerCaseUuid(sent) : '';
    this.requestId = isUuid(given) ? given : uuidv7();
    this.cookies = new CookieJar(request.headers);
    this.userAgent = (request.headers['user-agent'] ?? '').slice(0, 300);
    const url = request.url ?? '/';
    const query = url.indexOf('?');
    this.path = query === -1 ? url : url.slice(0, query);
    this.search = query === -1 ? '' : url.slice(query + 1);
  }

  /** Asks for the body: `100 Continue` is sent only now, so that a client that is refused earlier need not send it (RFC 9110 §10.1.1). */
  readonly awaitBody = (): void => {
    this.permit?.awaitBody();
    // HTTP/1.0 has no interim responses.
    if (this.request.headers.expect !== undefined && this.request.httpVersion !== '1.0') this.response.writeContinue();
  };
}
