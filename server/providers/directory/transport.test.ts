/** Tests of connections to the directory: certificates, missing answers, hostile answers. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DirectoryClient, type DirectoryClientOptions } from './client.ts';
import {
  makeTestAuthority,
  notification,
  sendXml,
  signedAnswer,
  startTestDirectory,
  type TestAuthority,
  type TestDirectory,
} from './testing/test-directory.ts';
import { mostXmlBytes } from './wire/parse.ts';

const ispb = '90000001';
const first = { cursor: null, includeIndirect: false };
const mebibyte = 1024 * 1024;

let trusted: TestAuthority;
let stranger: TestAuthority;
let server: TestDirectory;
const clients: DirectoryClient[] = [];
beforeAll(async () => {
  [trusted, stranger] = await Promise.all([makeTestAuthority(), makeTestAuthority()]);
});
beforeEach(async () => {
  server = await startTestDirectory(trusted.authority);
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server.close();
});
afterAll(() => Promise.all([trusted.remove(), stranger.remove()]));

function clientWith(options: Partial<DirectoryClientOptions>): DirectoryClient {
  const client = new DirectoryClient({
    url: server.url,
    authorities: trusted.authority.certificate,
    signers: [trusted.authority.signer.certificate],
    identify: trusted.authority.client,
    timeouts: { connectMilliseconds: 1000, totalMilliseconds: 4000 },
    ...options,
  });
  clients.push(client);
  return client;
}
const ask = (options: Partial<DirectoryClientOptions> = {}): ReturnType<DirectoryClient['listEventNotifications']> =>
  clientWith(options).listEventNotifications(ispb, first);
const page = (): string =>
  signedAnswer(trusted.authority.signer, 'ListEventNotificationsResponse', { EventNotifications: [notification] });
const fails = (kind: string, options?: Partial<DirectoryClientOptions>): Promise<void> =>
  expect(ask(options)).rejects.toMatchObject({ name: 'DirectoryError', kind });

describe('a connection to the directory', () => {
  beforeEach(() => server.answer((_, response) => sendXml(response, page())));

  it('is refused if the certificate of the server is of another authority', async () => {
    await fails('Transport', { authorities: stranger.authority.certificate });
    expect(server.requests).toHaveLength(0);
  });

  it('is refused if the certificate is of another host', async () => {
    const elsewhere = await startTestDirectory(
      trusted.authority,
      await trusted.authority.client('90000009').then(({ certificate, key }) => ({ cert: certificate, key })),
    );
    await fails('Transport', { url: elsewhere.url });
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.close();
  });

  it('is refused by the server if another authority certified the participant', async () => {
    await fails('Transport', { identify: stranger.authority.client });
    expect(server.requests).toHaveLength(0);
  });

  it('is not opened with a TLS version older than 1.2', async () => {
    const versions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const old = await startTestDirectory(trusted.authority, versions);
    await fails('Transport', { url: old.url });
    // The server does accept it from clients that offer it.
    const { certificate, key } = await trusted.authority.client(ispb);
    const socket = connect({
      port: Number(new URL(old.url).port),
      host: '127.0.0.1',
      ca: trusted.authority.certificate,
      cert: certificate,
      key,
      ...versions,
    });
    await once(socket, 'secureConnect');
    expect(socket.getProtocol()).toBe('TLSv1.1');
    socket.destroy();
    await old.close();
  });

  it('is not opened with the key of another certificate, and the error does not quote it', async () => {
    const [one, other] = await Promise.all([
      trusted.authority.client('90000001'),
      trusted.authority.client('90000002'),
    ]);
    const error: unknown = await ask({
      identify: async () => ({ certificate: one.certificate, key: other.key }),
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      kind: 'Transport',
      message: 'The certificate or the key of the participant cannot be used',
    });
  });

  it('is not opened with a missing security module', () =>
    fails('Transport', {
      identify: async (ispb) => ({
        certificate: (await trusted.authority.client(ispb)).certificate,
        pkcs11: 'pkcs11:token=none;object=none',
      }),
    }));

  it('is given up after the connect timeout if the handshake does not complete', async () => {
    const mute = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const sockets = new Set<Socket>();
    mute.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
    const started = performance.now();
    await fails('Transport', {
      url: `https://127.0.0.1:${(mute.address() as AddressInfo).port}/`,
      timeouts: { connectMilliseconds: 150, totalMilliseconds: 5000 },
    });
    expect(performance.now() - started).toBeLessThan(3000);
    expect(sockets.size).toBe(2);
    for (const socket of sockets) socket.destroy();
    mute.close();
  });

  it('is tried twice if no server listens', async () => {
    const { url } = server;
    await server.close();
    await fails('Transport', { url });
    server = await startTestDirectory(trusted.authority);
  });
});

describe('a missing answer', () => {
  it('is requested once more if the connection breaks, and then arrives', async () => {
    server.answer((request, response) =>
      server.requests.length === 1 ? void request.socket.destroy() : sendXml(response, page()),
    );
    expect((await ask()).notifications).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
  });

  it('is requested once more if it breaks off in the middle', async () => {
    const xml = page();
    server.answer((request, response) => {
      if (server.requests.length > 1) return sendXml(response, xml);
      response.writeHead(200, { 'Content-Type': 'application/xml', 'Content-Length': Buffer.byteLength(xml) });
      response.write(xml.slice(0, 500), () => request.socket.destroy());
    });
    expect((await ask()).notifications).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
  });

  it('is not requested a third time', async () => {
    server.answer((request) => void request.socket.destroy());
    await fails('Transport');
    expect(server.requests).toHaveLength(2);
  });

  it('is given up after the total timeout, whether nothing or single bytes arrive', async () => {
    const timeouts = { connectMilliseconds: 1000, totalMilliseconds: 300 };
    server.answer(() => undefined);
    await fails('Transport', { timeouts });
    server.answer((request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/xml' });
      const drip = setInterval(() => response.write('<'), 20);
      request.socket.once('close', () => clearInterval(drip));
    });
    await fails('Transport', { timeouts });
    expect(server.requests).toHaveLength(2);
  });

  it('may take longer than the connect timeout over a connection that it had to queue for', async () => {
    server.answer(async (_, response) => {
      await sleep(250);
      sendXml(response, page());
    });
    const client = clientWith({ timeouts: { connectMilliseconds: 200, totalMilliseconds: 8000 } });
    await Promise.all(Array.from({ length: 8 }, () => client.listEventNotifications(ispb, first)));
    expect(server.requests).toHaveLength(8);
  });
});

describe('a hostile answer', () => {
  /** Sends until the client hangs up. Returns the number of bytes that were read from the source. */
  async function flood(response: ServerResponse, bytes: number): Promise<number> {
    let taken = 0;
    const source = Readable.from(
      (function* () {
        for (; taken < bytes; taken += mebibyte / 4) yield Buffer.alloc(mebibyte / 4, 0x20);
      })(),
    );
    await pipeline(source, response).catch(() => undefined);
    return taken;
  }

  /** Returns by how many bytes the buffers in memory grew at most meanwhile. */
  async function peakWhile(work: () => Promise<void>): Promise<number> {
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
    }, 1);
    await work();
    clearInterval(watch);
    return peak;
  }

  it('of 100 MiB is cut off at the cap, in bounded memory', async () => {
    let sent: Promise<number> = Promise.resolve(0);
    server.answer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/xml' });
      sent = flood(response, 100 * mebibyte);
    });
    const peak = await peakWhile(() => fails('Unreadable'));
    expect(await sent).toBeLessThan(40 * mebibyte);
    expect(peak).toBeLessThan(64 * mebibyte);
    expect(server.requests).toHaveLength(1);
  });

  it('that holds 100 MiB in 100 KiB of gzip is cut off at the cap, in bounded memory', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * mebibyte, 0x20));
    expect(bomb.length).toBeLessThan(mebibyte / 8);
    server.answer((_, response) => sendXml(response, bomb, { headers: { 'Content-Encoding': 'gzip' } }));
    const peak = await peakWhile(() => fails('Unreadable'));
    expect(peak).toBeLessThan(64 * mebibyte);
  });

  it('with a Content-Length above the cap is not downloaded', async () => {
    server.answer(
      (_, response) =>
        void response
          .writeHead(200, { 'Content-Type': 'application/xml', 'Content-Length': mostXmlBytes + 1 })
          .write('<'),
    );
    await fails('Unreadable');
  });

  it('is refused if its compression is broken, truncated or of another kind', async () => {
    const zipped = gzipSync(page());
    for (const [body, encoding] of [
      [zipped.subarray(0, 300), 'gzip'],
      [Buffer.from(page()), 'gzip'],
      [Buffer.concat([zipped.subarray(0, 400), zipped.subarray(401)]), 'gzip'],
      [zipped, 'br'],
      [zipped, 'gzip, gzip'],
      [zipped, 'identity'],
    ] as const) {
      server.answer((_, response) => void response.writeHead(200, { 'Content-Encoding': encoding }).end(body));
      await fails('Unreadable');
    }
  });

  it('does not redirect the client', async () => {
    const elsewhere = await startTestDirectory(trusted.authority);
    server.answer((_, response) => void response.writeHead(302, { Location: elsewhere.url }).end());
    await fails('Unreadable');
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.close();
  });

  it('with too many headers, or none at all, is rejected', async () => {
    server.answer((_, response) => void response.writeHead(200, { 'X-Fill': 'x'.repeat(100_000) }).end(page()));
    await fails('Transport');
    server.answer((request) => void request.socket.end('<ListEventNotificationsResponse/>'));
    await fails('Transport');
    server.answer(
      (request) =>
        void request.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    );
    await fails('Transport');
  });

  it('is refused if it is truncated at any position, though it is valid HTTP', async () => {
    const xml = page();
    for (const length of [0, 1, 60, 200, 900, xml.length - 2]) {
      server.answer((_, response) => sendXml(response, xml.slice(0, length)));
      await fails('Unreadable');
    }
  });
});
