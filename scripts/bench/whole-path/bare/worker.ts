/** A server without a framework, a contract, authentication or a log: node:http, pg and the statements of the service. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import type { Transaction } from '../../../../server/database/index.ts';
import { wireTypes } from '../../../../server/database/pool.ts';
import type { ApplicationRecord } from '../../../../server/modules/applications/application.ts';
import { BlindIndex } from '../../../../server/rules/blind-index.ts';
import type { Order } from './order.ts';
import { bareTransaction } from './transaction.ts';
import { create, read } from './work.ts';

const PREFIX = '/v1/applications/';
const index = new BlindIndex(Buffer.alloc(32));

process.once('message', ({ login, poolSize, pipelined, tenants }: Order) => {
  const pool = new pg.Pool({ ...login, max: poolSize, pipeline: pipelined, types: wireTypes, keepAlive: true });
  const tenantOf = new Map(tenants.map(({ id, apiKey }) => [apiKey, id]));

  const inTransaction = (tenantId: string, work: (tx: Transaction) => Promise<object>, status: number, response: ServerResponse): void => {
    let answer: object = {};
    bareTransaction(pool, tenantId, pipelined, async (tx) => { answer = await work(tx); })
      .then(() => reply(response, status, JSON.stringify(answer)), (error: unknown) => reply(response, 500, String(error)));
  };

  const server = createServer((request, response) => {
    const { url = '', method } = request;
    const tenantId = tenantOf.get(String(request.headers['x-api-key']));
    if (url === '/metrics') reply(response, 200, `process_cpu_seconds_total ${cpuSeconds()}\n`);
    else if (tenantId === undefined) reply(response, 401, '');
    else if (method === 'GET') inTransaction(tenantId, (tx) => read(tx, tenantId, url.slice(PREFIX.length)), 200, response);
    else readBody(request, (body) => inTransaction(tenantId, (tx) => create(tx, tenantId, index, body), 201, response));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
});
process.on('disconnect', () => process.exit());

function readBody(request: IncomingMessage, then: (body: Partial<ApplicationRecord>) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => then(JSON.parse(Buffer.concat(chunks).toString()) as Partial<ApplicationRecord>));
}

function reply(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
