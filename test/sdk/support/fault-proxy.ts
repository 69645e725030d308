/**
 * A proxy between client and service that plays faults of a network. Used by the tests of exactly-once behaviour and
 * faults.
 */
import { once } from 'node:events';
import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/**
 * Faults of one request: cut off before the service has seen it; executed and cut off before its answer, or in the
 * middle of it; executed and never answered; refused before the service by a limit or an overload.
 */
export type Fault = 'before' | 'after' | 'middle' | 'silence' | 'none' | number | Answer;
export const FAULTS = [
  'before',
  'before',
  'after',
  'after',
  'after',
  'middle',
  'middle',
  'silence',
  429,
  503,
] as const satisfies readonly Fault[];

/** An answer in place of the service's. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, everything else as JSON. */
  readonly body?: unknown;
  /** What follows the body, whose announced length is greater than what is sent. */
  readonly then?: 'stalls' | 'breaks';
}

/**
 * Header that names the run of a request; the service does not see it. An address that begins with `/~name` names the
 * run, too.
 */
export const RUN = 'x-run';

/** A request as it reached the proxy. */
export interface Passage {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
}

export interface FaultProxy {
  readonly url: string;
  /** How often each fault was played. */
  readonly played: Map<Fault, number>;
  /** Sets the faults of the requests of a run, in order; later requests pass. */
  plan(run: string, faults: readonly Fault[]): void;
  /** Returns the requests of a run. */
  passages(run: string): readonly Passage[];
}

/** Starts a proxy between clients and a service that plays the planned faults. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const plans = new Map<string, Fault[]>();
  const passages = new Map<string, Passage[]>();
  const played = new Map<Fault, number>();
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const [, named, path = '/'] = /^(?:\/~([\w-]+))?(\/.*)$/.exec(request.url!) ?? [];
    const run = named ?? String(request.headers[RUN] ?? '');
    const fault = plans.get(run)?.shift();
    passages
      .get(run)
      ?.push({ method: request.method!, path, key: request.headers['idempotency-key']?.toString() ?? null });
    if (fault !== undefined) played.set(fault, (played.get(fault) ?? 0) + 1);
    if (fault === 'before') {
      request.socket.destroy();
      return;
    }
    if (typeof fault === 'number') {
      request.resume().on('end', () => {
        response.writeHead(fault, { 'retry-after': '0', 'content-type': 'text/plain' }).end('not now');
      });
      return;
    }
    if (typeof fault === 'object') {
      request.resume().on('end', () => {
        answer(fault, response);
      });
      return;
    }
    const { [RUN]: _, connection: __, ...headers } = request.headers;
    const forwarded = send(target + path, { method: request.method!, headers, agent }, (answered) => {
      void hand(answered, response, fault);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    played,
    plan: (run, faults) => {
      plans.set(run, [...faults]);
      passages.set(run, []);
    },
    passages: (run) => passages.get(run) ?? [],
  };
}

function answer({ status, headers, body = '', then }: Answer, response: ServerResponse): void {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const length = then === undefined ? bytes.length : 2 * bytes.length;
  response.writeHead(status, {
    'content-type': 'application/json',
    'retry-after': '0',
    'content-length': String(length),
    ...headers,
  });
  if (then === undefined) response.end(bytes);
  else
    response.write(bytes, () => {
      if (then === 'breaks') response.destroy();
    });
}

/** Passes on an answer; the service has executed the request when its answer arrives. */
async function hand(
  answered: IncomingMessage,
  response: ServerResponse,
  fault: Exclude<Fault, number | Answer> | undefined,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of answered) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (fault === 'silence') return;
  if (fault === 'after') {
    response.destroy();
    return;
  }
  const { connection: _, 'transfer-encoding': __, ...headers } = answered.headers;
  response.writeHead(answered.statusCode!, {
    ...headers,
    ...(answered.statusCode !== 204 && { 'content-length': String(body.length) }),
  });
  if (fault === undefined || fault === 'none') {
    response.end(body);
    return;
  }
  response.flushHeaders();
  // An answer without a body has no middle: its connection ends before any of its bytes arrives.
  if (body.length === 0) {
    response.destroy();
    return;
  }
  response.write(body.subarray(0, body.length >> 1), () => response.destroy());
}
