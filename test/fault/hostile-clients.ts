/**
 * Hostile clients in a thread of their own: each kind of attack in a loop, from an address of its own, until the thread
 * is ended. Started by calls-beside.ts for the tests of hostile clients.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { randomOf } from '../support/random.ts';

const { url, seed } = workerData as { readonly url: string; readonly seed: number };
const { hostname, port } = new URL(url);
const random = randomOf(seed);
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
const between = (least: number, most: number): number => Math.floor(least + random() * (most - least));

const PATHS = [
  '/',
  '/problems',
  '/reference',
  '/openapi.json',
  '/openapi.yaml',
  '/healthz',
  '/metrics',
  '/v1/applications',
  '/v1/nowhere',
  '/.well-known/jwks.json',
];
const get = (path: string, ...fields: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n');
const post = (path: string, ...fields: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n');
const LOGIN = ['Content-Type: application/json', 'Content-Length: 4000'];

/** Number of the connections of a crowd, and how long they stay open. */
interface Crowd {
  readonly size: number;
  readonly milliseconds: number;
}

/** Opens connections that start in the same way, waits, and closes them in one way or another. */
async function crowd(
  localAddress: string,
  { size, milliseconds }: Crowd,
  begin: (socket: Socket) => void,
  end: 'destroy' | 'resetAndDestroy' = 'destroy',
): Promise<void> {
  const sockets: Socket[] = [];
  for (let i = 0; i < size; i++) {
    const socket = connect({ host: hostname, port: Number(port), localAddress }).on('error', () => {});
    sockets.push(socket);
    socket.once('connect', () => begin(socket));
    if (i % 20 === 19) await sleep(10);
  }
  await sleep(milliseconds);
  for (const socket of sockets) socket[end]();
}

const WAYS: Readonly<Record<string, () => Promise<void>>> = {
  'unread answers': () =>
    crowd('127.0.0.2', { size: 300, milliseconds: between(1000, 12_000) }, (socket) =>
      socket.pause().write(get(pick(PATHS)).repeat(between(1, 20))),
    ),
  'pipelines': () =>
    crowd('127.0.0.3', { size: 5, milliseconds: between(500, 3000) }, (socket) =>
      socket.pause().write(get(pick(PATHS)).repeat(300)),
    ),
  'single bytes': () =>
    crowd('127.0.0.4', { size: 1200, milliseconds: between(1000, 12_000) }, (socket) =>
      socket.resume().write(`${post('/v1/auth/login', ...LOGIN)}{`),
    ),
  'slow bodies': () =>
    crowd('127.0.0.5', { size: 200, milliseconds: between(1000, 12_000) }, (socket) => {
      socket
        .resume()
        .write(`${post(pick(['/v1/auth/login', '/oauth/token', '/v1/nowhere']), ...LOGIN)}{${' '.repeat(1500)}`);
      const drip = setInterval(() => socket.write(' '), 200);
      socket.once('close', () => clearInterval(drip));
    }),
  'slow heads': () =>
    crowd('127.0.0.6', { size: 200, milliseconds: between(1000, 12_000) }, (socket) => {
      socket.resume().write('GET / HTTP/1.1\r\nHost: localhost\r\n');
      const drip = setInterval(() => socket.write('a:b\r\n'), 500);
      socket.once('close', () => clearInterval(drip));
    }),
  'floods': async () => {
    await crowd('127.0.0.7', { size: 100, milliseconds: 100 }, (socket) =>
      socket.resume().write(get(pick(PATHS), 'Connection: close')),
    );
    await crowd('127.0.0.7', { size: 100, milliseconds: 50 }, () => {}, pick(['destroy', 'resetAndDestroy']));
  },
  'aborts': () =>
    crowd(
      '127.0.0.8',
      { size: 50, milliseconds: between(0, 100) },
      (socket) => {
        socket
          .resume()
          .write(
            pick([
              `${post('/v1/applications', 'X-API-Key: kyc_live_00000000', ...LOGIN)}{"a"`,
              get('/reference').repeat(5),
              post('/v1/auth/login', 'Content-Type: multipart/form-data; boundary=x', 'Content-Length: 90000') +
                '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
            ]),
          );
      },
      'resetAndDestroy',
    ),
  'header storms': () =>
    crowd('127.0.0.10', { size: 20, milliseconds: 300 }, (socket) => {
      socket
        .resume()
        .write(
          pick([
            get('/', ...Array.from({ length: 3000 }, (_, i) => `${i.toString(36)}:`)),
            get('/', ...Array.from({ length: 90 }, (_, i) => `x-${i}: ${'v'.repeat(150)}`)),
            get('/', `X-Large: ${'v'.repeat(60_000)}`),
            get('/', 'Host: example.com'),
          ]),
        );
    }),
  'crumbs': () =>
    crowd('127.0.0.11', { size: 5, milliseconds: 300 }, (socket) =>
      socket
        .resume()
        .write(
          post(
            pick(['/v1/auth/login', '/v1/nowhere']),
            'Content-Type: application/json',
            'Transfer-Encoding: chunked',
          ) + '1\r\n \r\n'.repeat(10_000),
        ),
    ),
};

const rounds: Record<string, number> = {};
for (const [name, way] of Object.entries(WAYS)) {
  void (async () => {
    for (;;) {
      rounds[name] = (rounds[name] ?? 0) + 1;
      await way();
      await sleep(between(100, 500));
    }
  })();
}
if (parentPort === null) throw new Error('this is a thread of hostile-clients.test.ts');
for (;;) {
  await once(parentPort, 'message');
  parentPort.postMessage(rounds);
}
