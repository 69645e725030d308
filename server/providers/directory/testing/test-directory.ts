/**
 * A server like the directory that answers whatever a test wants, with sample documents. Used by tests of the client.
 * It checks nothing itself, so a test must check what was asked.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TlsOptions, TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { type Authority, openAuthority } from '../authority.ts';
import type { Document } from '../directory.ts';
import { buildXml } from '../wire/document.ts';
import { type Signer, signXml } from '../wire/signature.ts';

export const time = '2026-03-09T13:20:11.482Z';
export const recoveryId = '5f0c1b7e-9d1a-4c53-8e53-6a2f0c9d1e22';

export const notification = {
  Id: '48211',
  Event: 'FUNDS_RECOVERY_ANALYSED',
  EntityType: 'FUNDS_RECOVERY',
  EntityId: recoveryId,
  Timestamp: time,
};
export const recovery = {
  RootTransactionId: 'E40511220202603021014k3Jq81LmZ0a',
  SituationType: 'SCAM',
  ContactInformation: { Email: 'recovery@example.com', Phone: '+5561900000000' },
  Id: recoveryId,
  Status: 'ANALYSED',
  ReporterParticipant: '40511220',
  CreationTime: time,
  LastModified: time,
};
export const report = {
  TransactionId: 'E40511220202603021014k3Jq81LmZ0a',
  Reason: 'REFUND_REQUEST',
  SituationType: 'SCAM',
  Id: '7b1e9c40-2d3f-4a5b-8c6d-9e0f1a2b3c4d',
  FundsRecoveryId: recoveryId,
  Status: 'CLOSED',
  ReporterParticipant: '40511220',
  CounterpartyParticipant: '99999011',
  AnalysisResult: 'AGREED',
  InfractionAmount: '812.40',
  CreationTime: time,
  LastModified: time,
};
export const refund = {
  TransactionId: 'E40511220202603021014k3Jq81LmZ0a',
  RefundReason: 'FRAUD',
  RefundAmount: '812.40',
  Id: '2c4d6e8f-0a1b-4c3d-9e5f-7a8b9c0d1e2f',
  FundsRecoveryId: recoveryId,
  Status: 'OPEN',
  RequestingParticipant: '40511220',
  ContestedParticipant: '99999011',
  CreationTime: time,
  LastModified: time,
};

export function signedAnswer(signer: Signer, root: string, content: Document): string {
  return signXml(
    buildXml(root, { ResponseTime: time, CorrelationId: 'a9f13566e19f5ca51329479a5bae60c5', ...content }),
    signer,
  );
}

export function sendXml(
  response: ServerResponse,
  xml: string | Buffer,
  {
    status = 200,
    gzip = false,
    headers = {},
  }: { readonly status?: number; readonly gzip?: boolean; readonly headers?: Readonly<Record<string, string>> } = {},
): void {
  const type = status === 200 ? 'application/xml' : 'application/problem+xml';
  response.writeHead(status, {
    'Content-Type': `${type};charset=utf-8`,
    ...(gzip ? { 'Content-Encoding': 'gzip' } : {}),
    ...headers,
  });
  response.end(gzip ? gzipSync(xml) : xml);
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A server that speaks mutual TLS like the directory and answers whatever a test wants. */
export interface TestDirectory {
  readonly url: string;
  /** Path, query and caller of every request. */
  readonly requests: {
    readonly target: string;
    readonly headers: IncomingMessage['headers'];
    readonly commonName: string;
  }[];
  /** Connections whose handshake succeeded. */
  connections(): number;
  answer(handler: Handler): void;
  close(): Promise<void>;
}

export async function startTestDirectory(authority: Authority, options: TlsOptions = {}): Promise<TestDirectory> {
  const requests: TestDirectory['requests'] = [];
  let connections = 0;
  let handler: Handler = (_, response) => void response.writeHead(404).end();
  const server = createServer(
    {
      cert: authority.server.certificate,
      key: authority.server.key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: true,
      ...options,
    },
    (request, response) => {
      const commonName =
        request.socket instanceof TLSSocket ? request.socket.getPeerCertificate().subject?.CN : undefined;
      requests.push({
        target: request.url ?? '',
        headers: request.headers,
        commonName: typeof commonName === 'string' ? commonName : '',
      });
      void handler(request, response);
    },
  );
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
