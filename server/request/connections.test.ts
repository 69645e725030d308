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
  server = createHttpServer(handle, connections, registry, silent as Logger).listen(0, '0.0.0.0');
  await once(server, 'listening');
}

async function open(localAddress: string, bytes = ''): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, localAddress }).on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const heldBytes = async (): Promise<number> => Number(/^http_held_bytes (\d+)$/m.exec(await registry.metrics())?.[1]);

it('holds no more than 64 MiB for peers that do not read, and takes it from the address that has the most', async () => {
  await start((request, response) => {
    connections.of(request.socket).holdResponse(8 * MiB);
    response.end(Buffer.alloc(8 * MiB));
  });
  const quiet = await open('127.0.0.9', GET);
  quiet.pause();
  for (let i = 0; i < 12; i++) (await open('127.0.0.2', GET)).pause();
  await expect.poll(async () => registry.metrics()).toMatch(/^http_connections_closed_total\{reason="too_much_held"\} 5$/m);
  expect(await heldBytes()).toBe(64 * MiB);
  expect((await registry.metrics())).toMatch(/^http_connections 8$/m);
  let received = 0;
  quiet.on('data', (chunk: Buffer) => (received += chunk.length)).resume();
  await expect.poll(() => received).toBeGreaterThan(8 * MiB);
});

it('counts what is sent ahead', async () => {
  await start(() => {});
  await open('127.0.0.2', GET.repeat(100));
  await expect.poll(heldBytes).toBe(99 * 4096);
});

it('never closes a connection that is at work, and turns newcomers away when all are', async () => {
  const responses: (() => void)[] = [];
  await start((_request, response) => void responses.push(() => response.end('done')), 10);
  const working = await Promise.all(Array.from({ length: 10 }, () => open('127.0.0.2', GET)));
  await expect.poll(() => responses.length).toBe(10);
  const late = await open('127.0.0.3');
  await new Promise((closed) => late.resume().once('close', closed));
  for (const answer of responses) answer();
  for (const socket of working) expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200/);
  // The oldest of them is idle now.
  await open('127.0.0.3', GET);
  await expect.poll(() => responses.length).toBe(11);
});
