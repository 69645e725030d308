/** A server that records its requests. Used by tests that compare what both SDKs send. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  /** Path and query, byte for byte. */
  readonly target: string;
  /** Fields with names in lower case; the order of different fields has no meaning (RFC 9110 §5.3). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export type Answering = (response: ServerResponse, arrived: Arrived) => void;

export interface Recorder {
  readonly url: string;
  readonly arrived: Arrived[];
  /** Sets how requests are answered from now on, and deletes the record of earlier requests. */
  answers(answering: Answering): void;
}

/** Starts an HTTP server that records its requests and answers as the test says. */
export async function startRecorder(): Promise<Recorder> {
  const arrived: Arrived[] = [];
  let answering: Answering = json(200, {});
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        const one = {
          method: request.method!,
          target: request.url!,
          headers,
          body: Buffer.concat(chunks),
        };
        arrived.push(one);
        answering(response, one);
      })
      .on('error', () => undefined);
  }).listen({ port: 0, host: '127.0.0.1', backlog: 2_048 });
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    answers(next) {
      arrived.length = 0;
      answering = next;
    },
  };
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answering {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

const trickle = (response: ServerResponse): void => {
  const drops = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(drops));
};

/** Ways in which a service can delay a caller. */
export const SLOW: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'no answer': () => undefined,
  'headers and no body': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
  },
  'a body that stops': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"id":');
  },
  'a body that trickles': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    trickle(response);
  },
  'overload without an end': (response) => {
    response.writeHead(503).end();
  },
};
