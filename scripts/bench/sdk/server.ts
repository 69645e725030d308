import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How an answer can keep a caller waiting; each is the first segment of an address. */
export const SLOW = ['silence', 'stop', 'trickle', 'refusal'] as const;
export type Slow = (typeof SLOW)[number];

const answers: Readonly<Record<Slow, (response: ServerResponse) => void>> = {
  silence: () => undefined,
  stop: (response) => { response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"id":'); },
  trickle: (response) => {
    const drops = setInterval(() => response.write(' '), 5);
    response.writeHead(200, { 'content-type': 'application/json' }).on('close', () => clearInterval(drops));
  },
  refusal: (response) => { response.writeHead(503).end(); },
};

export interface BenchServer {
  readonly url: string;
  close(): void;
}

/** Answers at once with `body`, or as slowly as the address says. */
export async function startServer(body: unknown): Promise<BenchServer> {
  const fast = Buffer.from(JSON.stringify(body));
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume();
    const slow = SLOW.find((name) => request.url?.startsWith(`/${name}/`));
    if (slow === undefined) response.writeHead(200, { 'content-type': 'application/json', 'content-length': fast.length }).end(fast);
    else answers[slow](response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => { server.closeAllConnections(); server.close(); },
  };
}
