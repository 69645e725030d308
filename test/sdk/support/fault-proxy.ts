import { once } from 'node:events';
import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/**
 * What becomes of one request on its way: cut off before the service has seen it; carried out and cut off before its
 * answer, or in the middle of it; carried out and never answered; refused before the service by a limit or an overload.
 */
export type Fault = 'before' | 'after' | 'middle' | 'silence' | 429 | 503;
export const FAULTS: readonly Fault[] = ['before', 'before', 'after', 'after', 'after', 'middle', 'middle', 'silence', 429, 503];

/** Names the run that a request belongs to; the service does not see it. */
export const RUN = 'x-run';

export interface FaultProxy {
  readonly url: string;
  /** How often each fault was played. */
  readonly played: Map<Fault, number>;
  /** What happens to the requests of a run, one after the other; those after them pass. */
  plan(run: string, faults: readonly Fault[]): void;
}

/** Stands between clients and a service, and breaks what it is told to. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const plans = new Map<string, Fault[]>();
  const played = new Map<Fault, number>();
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const run = String(request.headers[RUN] ?? '');
    const fault = plans.get(run)?.shift();
    if (fault !== undefined) played.set(fault, (played.get(fault) ?? 0) + 1);
    if (fault === 'before') { request.socket.destroy(); return; }
    if (typeof fault === 'number') {
      request.resume().on('end', () => { response.writeHead(fault, { 'retry-after': '0', 'content-type': 'text/plain' }).end('not now'); });
      return;
    }
    const { [RUN]: _, connection: __, ...headers } = request.headers;
    const forwarded = send(target + request.url!, { method: request.method!, headers, agent }, (answer) => { void hand(answer, response, fault); });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => { agent.destroy(); server.closeAllConnections(); server.close(); });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, played, plan: (run, faults) => void plans.set(run, [...faults]) };
}

/** The service has carried the request out once its answer is here. */
async function hand(answer: IncomingMessage, response: ServerResponse, fault: Exclude<Fault, number> | undefined): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (fault === 'silence') return;
  if (fault === 'after') { response.destroy(); return; }
  const { connection: _, 'transfer-encoding': __, ...headers } = answer.headers;
  response.writeHead(answer.statusCode!, { ...headers, ...(answer.statusCode !== 204 && { 'content-length': String(body.length) }) });
  if (fault === undefined) { response.end(body); return; }
  response.flushHeaders();
  // An answer without a body has no middle: its connection ends before a byte of it arrives.
  if (body.length === 0) { response.destroy(); return; }
  response.write(body.subarray(0, body.length >> 1), () => response.destroy());
}
