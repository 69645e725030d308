/** Tests of the limits for connections of slow, crowded or pipelining clients. */
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { afterEach, expect, it } from 'vitest';
import { silent } from '../../test/support/silent.ts';
import type { Logger } from '../base/log.ts';
import { ConnectionRegistry } from './connections.ts';
import { createHttpServer } from './server.ts';

const MiB = 1024 * 1024;

let server: Server;
let registry: Registry;
let connections: ConnectionRegistry;
let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

async function start(handle: RequestListener, most = 100): Promise<void> {
  registry = new Registry();
  connections = new ConnectionRegistry({ connections: most, windowMilliseconds: 60_000 }, registry);
  server = createHttpServer(handle, { connections, registry, log: silent as Logger }).listen(0, '0.0.0.0');
  await once(server, 'listening');
}

async function open(localAddress: string, bytes = ''): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, localAddress }).on(
    'error',
    () => {},
  );
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const heldBytes = async (): Promise<number> => Number(/^http_held_bytes (\d+)$/m.exec(await registry.metrics())?.[1]);

it('holds at most 64 MiB for peers that do not read, and closes connections of the address that holds the most', async () => {
  await start((request, response) => {
    connections.of(request.socket).holdResponse(8 * MiB);
    response.end(Buffer.alloc(8 * MiB));
  });
  const quiet = await open('127.0.0.9', GET);
  quiet.pause();
  for (let i = 0; i < 12; i++) (await open('127.0.0.2', GET)).pause();
  await expect
    .poll(async () => registry.metrics())
    .toMatch(/^http_connections_closed_total\{reason="too_much_held"\} 5$/m);
  expect(await heldBytes()).toBe(64 * MiB);
  expect(await registry.metrics()).toMatch(/^http_connections 8$/m);
  let received = 0;
  quiet.on('data', (chunk: Buffer) => (received += chunk.length)).resume();
  await expect.poll(() => received).toBeGreaterThan(8 * MiB);
});

it('counts pipelined requests', async () => {
  await start(() => {});
  await open('127.0.0.2', GET.repeat(50));
  await expect.poll(heldBytes).toBe(49 * 4096);
});

it('answers a new client before the pipelined requests of crowds, whatever their responses are', async () => {
  const [CROWD, AHEAD] = [100, 150];
  let [handled, before] = [0, Infinity];
  await start((request, response) => {
    if (request.url === '/newcomer') before = handled;
    else handled++;
    response.writeHead(request.url === '/newcomer' ? 200 : 401).end();
  }, 2 * CROWD);
  const newcomer = await open('127.0.0.9');
  const crowd = await Promise.all(Array.from({ length: CROWD }, (_, at) => open(`127.0.1.${at + 1}`)));
  for (const socket of crowd) socket.resume().write(GET.repeat(AHEAD));
  newcomer.write(GET.replace('/', '/newcomer'));
  expect(String((await once(newcomer, 'data'))[0])).toMatch(/^HTTP\/1\.1 200/);
  expect(before).toBeLessThan((CROWD * AHEAD) / 10);
  await expect.poll(() => handled).toBe(CROWD * AHEAD);
});

it('answers pipelined requests in order, and then refuses what it cannot read', async () => {
  await start((request, response) => void setImmediate(() => response.end(request.url)));
  const socket = await open(
    '127.0.0.2',
    `${Array.from({ length: 20 }, (_, at) => GET.replace('/', `/${at}`)).join('')}no HTTP\r\n\r\n`,
  );
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await once(socket, 'close');
  expect([...text.matchAll(/\r\n\r\n\/(\d+)/g)].map(([, at]) => Number(at))).toEqual(
    Array.from({ length: 20 }, (_, at) => at),
  );
  expect(text).toMatch(/HTTP\/1\.1 400 [^]*$/);
});

it('parses only a few pipelined requests until the connection is next in the schedule', async () => {
  const responses: (() => void)[] = [];
  await start((_request, response) => void responses.push(() => response.end('done')));
  const socket = await open('127.0.0.2', GET.repeat(2000));
  await expect.poll(() => responses.length).toBe(1);
  await new Promise((later) => setTimeout(later, 100));
  expect(await heldBytes()).toBeLessThan(200 * 4096);
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  const answered = setInterval(() => {
    for (const answer of responses.splice(0)) answer();
  }, 0);
  await expect.poll(() => text.split('done').length - 1).toBe(2000);
  clearInterval(answered);
  expect(await heldBytes()).toBe(0);
});

it('never closes a connection that is handling a request, and refuses new ones if all are', async () => {
  const responses: (() => void)[] = [];
  await start((_request, response) => void responses.push(() => response.end('done')), 10);
  const working = await Promise.all(Array.from({ length: 10 }, () => open('127.0.0.2', GET)));
  await expect.poll(() => responses.length).toBe(10);
  const late = await open('127.0.0.3');
  await new Promise((closed) => late.resume().once('close', closed));
  for (const answer of responses) answer();
  for (const socket of working) expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200/);
  // The oldest connection is idle now.
  await open('127.0.0.3', GET);
  await expect.poll(() => responses.length).toBe(11);
});
