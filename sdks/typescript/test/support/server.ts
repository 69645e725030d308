/** An HTTP server that answers as a test says and remembers what it saw. Used by most tests of the package. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { ComplianceOnboarding, type ClientOptions } from '../../src/index.ts';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Milliseconds since the process started. */
  readonly at: number;
}

export type Handler = (response: ServerResponse, seen: Seen, index: number) => void;

/** A real HTTP server that answers as each test says and remembers what it saw. */
export class TestServer {
  readonly seen: Seen[] = [];
  handler: Handler = (response) => json(response, 200, {});
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://server');
      const seen: Seen = {
        method: request.method ?? '',
        url: request.url ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks),
        at: performance.now(),
      };
      this.seen.push(seen);
      this.handler(response, seen, this.seen.length - 1);
    });
    request.on('error', () => undefined);
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    afterAll(() => this.stop());
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Answers the requests one after the other; the last reply is repeated. */
  replies(...handlers: Handler[]): void {
    this.seen.length = 0;
    this.handler = (response, seen, index) => handlers[Math.min(index, handlers.length - 1)]?.(response, seen, index);
  }

  client(options: ClientOptions = {}): ComplianceOnboarding {
    const credential =
      options.clientId || options.accessToken || options.apiKey ? {} : { apiKey: 'kyc_test_Abcdefgh_secret' };
    return new ComplianceOnboarding({ baseUrl: this.url, ...credential, ...options });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

interface ProblemParts {
  readonly headers?: Record<string, string>;
  /** Members beside those that every problem has. */
  readonly members?: object;
}

export function problem(
  response: ServerResponse,
  status: number,
  code: string,
  { headers = {}, members = {} }: ProblemParts = {},
): void {
  const body = {
    type: `/problems/${code}`,
    title: code,
    status,
    code,
    requestId: 'r-1',
    ...members,
  };
  response
    .writeHead(status, { 'content-type': 'application/problem+json', 'x-request-id': 'r-1', ...headers })
    .end(JSON.stringify(body));
}

/** A reply factory: `fails(503, 'dependency_unavailable', { 'retry-after': '0' })`. */
export const fails =
  (status: number, code: string, headers: Record<string, string> = {}, members: object = {}): Handler =>
  (response) =>
    problem(response, status, code, { headers, members });
export const answers =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Handler =>
  (response) =>
    json(response, status, body, headers);
export const hangs: Handler = () => undefined;
export const breaks: Handler = (response) => {
  response.socket?.destroy();
};

/** An address at which nobody listens any more. */
export async function closedAddress(): Promise<string> {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  gone.close();
  await once(gone, 'close');
  return `http://127.0.0.1:${port}`;
}
