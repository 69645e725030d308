import type { IncomingMessage, ServerResponse } from 'node:http';
import { uuidv7 } from '../base/uuid.ts';
import type { Caller } from '../identity/caller.ts';
import type { RateLimitStatus } from '../identity/rate-limit.ts';
import type { AdmissionPermit } from './admission.ts';
import type { Connection } from './connection.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** One request on its way through the pipeline, and what the steps have learnt of it. */
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
  /** True when the service stops: the client shall open its next connection elsewhere. */
  readonly endsConnection: () => boolean;
  /** At most as much of it as events and sessions keep. */
  readonly userAgent: string;
  /** False for the machines that watch the service: they come every few seconds. */
  isReported = true;
  /** For metrics and log: an operationId, or what else answered. */
  label = 'unmatched';
  caller: Caller | null = null;
  /** What the request takes up; null when there was no room for it, or when it is no operation. */
  permit: AdmissionPermit | null = null;
  /** Of the caller, and of its tenant if that has a quota. */
  rateLimitStatuses: readonly RateLimitStatus[] = [];
  /** Of an operation that will go. */
  deprecation: Readonly<Record<string, string>> = {};
  /** The problem code of a refusal. */
  problemCode: string | null = null;

  constructor(request: IncomingMessage, response: ServerResponse, connection: Connection, clientIp: string, endsConnection: () => boolean) {
    this.request = request;
    this.response = response;
    this.connection = connection;
    this.clientIp = clientIp;
    this.endsConnection = endsConnection;
    const sent = request.headers['x-request-id'];
    this.requestId = typeof sent === 'string' && UUID.test(sent) ? sent : uuidv7();
    this.userAgent = (request.headers['user-agent'] ?? '').slice(0, 300);
    const url = request.url ?? '/';
    const query = url.indexOf('?');
    this.path = query === -1 ? url : url.slice(0, query);
    this.search = query === -1 ? '' : url.slice(query + 1);
  }

  /** The body is wanted: who asked is told only now, and who is refused before need not send it. */
  readonly awaitBody = (): void => {
    this.permit?.awaitBody();
    // HTTP/1.0 knows nothing between request and answer.
    if (this.request.headers.expect !== undefined && this.request.httpVersion !== '1.0') this.response.writeContinue();
  };
}
