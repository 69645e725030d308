import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket, type TlsOptions } from 'node:tls';
import { openAuthority, type Authority } from '../authority.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A server that speaks mutual TLS like the directory and says whatever a test wants. */
export interface TestDirectory {
  readonly url: string;
  /** Path and query of every request, and who asked. */
  readonly requests: { readonly target: string; readonly headers: IncomingMessage['headers']; readonly commonName: string }[];
  /** Connections whose handshake succeeded. */
  connections(): number;
  answer(handler: Handler): void;
  close(): Promise<void>;
}

export async function startTestDirectory(authority: Authority, options: TlsOptions = {}): Promise<TestDirectory> {
  const requests: TestDirectory['requests'] = [];
  let connections = 0;
  let handler: Handler = (_, response) => void response.writeHead(404).end();
  const server = createServer({ cert: authority.server.certificate, key: authority.server.key, ca: authority.certificate, requestCert: true, rejectUnauthorized: true, ...options }, (request, response) => {
    const commonName = request.socket instanceof TLSSocket ? request.socket.getPeerCertificate().subject?.CN : undefined;
    requests.push({ target: request.url ?? '', headers: request.headers, commonName: typeof commonName === 'string' ? commonName : '' });
    void handler(request, response);
  });
  server.on('secureConnection', (socket) => {
    connections += 1;
    socket.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2/`,
    requests,
    connections: () => connections,
    answer: (next) => {
      handler = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface TestAuthority {
  readonly authority: Authority;
  remove(): Promise<void>;
}

export async function makeTestAuthority(): Promise<TestAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'directory-authority-'));
  return { authority: await openAuthority(folder), remove: () => rm(folder, { recursive: true, force: true }) };
}
