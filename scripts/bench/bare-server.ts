/** A server without a framework, a contract, authentication or a log: node:http, pg and the statements of the service. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { appendAudit } from '../../server/audit/chain.ts';
import { uuidv7 } from '../../server/base/uuid.ts';
import type { Statement, Transaction, Values } from '../../server/database/index.ts';
import { type DatabaseLogin, loginAs } from '../../server/database/login.ts';
import { wireTypes } from '../../server/database/pool.ts';
import type { Compilable } from '../../server/database/statement.ts';
import type { ApplicationRecord } from '../../server/modules/applications/application.ts';
import { findApplication, insertApplication } from '../../server/modules/applications/store.ts';
import { listDocuments } from '../../server/modules/documents/store.ts';
import { BlindIndex } from '../../server/rules/blind-index.ts';
import { type Laboratory, POOL_SIZE, type Tenant } from './laboratory.ts';
import { Program, serve } from './program.ts';
import type { Target } from './service.ts';

interface Order {
  readonly login: DatabaseLogin;
  /** All statements of a transaction leave in one write; else each is sent when the one before is answered. */
  readonly pipelined: boolean;
  readonly tenants: readonly Tenant[];
  /** An application as the service has written it. */
  readonly template: ApplicationRecord;
}

export async function startBareServer({ location, secrets, tenants, database }: Laboratory, applicationId: string, pipelined: boolean): Promise<Target> {
  const tenantId = tenants[0]?.id ?? '';
  const template = await database.transaction({ tenantId, readOnly: true }, (tx) => findApplication(tx, { tenantId, id: applicationId }));
  if (template === null) throw new Error('the application that was created cannot be found');
  const program = new Program<Order, string>(import.meta.filename);
  return { url: await program.run({ login: loginAs('app', location, secrets), pipelined, tenants, template }), stop: () => program.stop() };
}

/** The tenant's transaction with nothing around it: BEGIN, set_config, the work, COMMIT. */
class BareTransaction implements Transaction {
  readonly tenantId: string;
  readonly #client: pg.PoolClient;
  readonly #pipelined: boolean;
  readonly #last: (() => Promise<pg.QueryResult>)[] = [];
  #before: Promise<unknown> = Promise.resolve();

  private constructor(client: pg.PoolClient, tenantId: string, pipelined: boolean) {
    [this.#client, this.tenantId, this.#pipelined] = [client, tenantId, pipelined];
  }

  static async run<T>(pool: pg.Pool, tenantId: string, pipelined: boolean, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    const { stream } = (client as unknown as pg.Client).connection;
    const tx = new BareTransaction(client, tenantId, pipelined);
    try {
      if (pipelined) stream.cork();
      const begun = [tx.#send({ text: 'BEGIN' }), tx.#send({ name: 'tenant', text: `SELECT set_config('app.tenant_id', $1, true)`, values: [tenantId] })];
      const worked = work(tx);
      const ended = [...tx.#last.map((execute) => execute()), tx.#send({ text: 'COMMIT' })];
      if (pipelined) stream.uncork();
      const [result] = await Promise.all([worked, ...begun, ...ended]);
      const { command } = await (ended.at(-1) as Promise<pg.QueryResult>);
      if (command !== 'COMMIT') throw new Error(`COMMIT was answered by ${command}`);
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async run<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<Row[]> {
    return (await this.#execute(statement, values)).rows as Row[];
  }

  async count<V extends Values, Row>(statement: Statement<V, Row>, values: V): Promise<number> {
    return (await this.#execute(statement, values)).rowCount ?? 0;
  }

  async query<Row>(query: Compilable): Promise<Row[]> {
    const { sql: text, bindings } = query.toSQL().toNative();
    return (await this.#send({ text, values: [...bindings] })).rows as Row[];
  }

  beforeCommit<V extends Values, Row>(statement: Statement<V, Row>, values: V): void {
    this.#last.push(() => this.#execute(statement, values));
  }

  within(): never {
    throw new TypeError('a request of one tenant reaches no other');
  }

  #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#pipelined) return this.#client.query(query);
    const answer = this.#before.then(() => this.#client.query(query));
    this.#before = answer;
    return answer;
  }

  #execute<V extends Values>({ name, text, bind }: Statement<V, unknown>, values: V): Promise<pg.QueryResult> {
    return this.#send({ name, text, values: bind(values) });
  }
}

/** The statements of getApplication and createApplication are the service's own: the same SQL by construction. */
async function read(tx: Transaction, tenantId: string, id: string): Promise<object> {
  const [record, documents] = await Promise.all([findApplication(tx, { tenantId, id }), listDocuments(tx, { tenantId, applicationId: id })]);
  return { ...record, documents };
}

const index = new BlindIndex(Buffer.alloc(32));

/** Nothing is checked: the body is believed, and what it leaves out is as in the application that the service has written. */
async function create(tx: Transaction, tenantId: string, template: ApplicationRecord, body: Partial<ApplicationRecord>): Promise<object> {
  const now = new Date().toISOString();
  const record = { ...template, ...body, id: uuidv7(), createdAt: now, updatedAt: now, applicant: { ...template.applicant, ...body.applicant } };
  const inserted = insertApplication(tx, tenantId, record, index);
  appendAudit(tx, {
    occurredAt: now, environment: 'live', actor: { ...record.createdBy, impersonatorId: null }, action: 'application.created',
    resource: { type: 'application', id: record.id }, outcome: 'success', requestId: uuidv7(), ip: '127.0.0.1', userAgent: 'bench',
    changes: [{ op: 'add', path: '/status', value: record.status }, { op: 'add', path: '/level', value: record.level }, { op: 'add', path: '/purpose', value: record.purpose }],
  });
  await inserted;
  return record;
}

function bodyOf(request: IncomingMessage): Promise<Partial<ApplicationRecord>> {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => request.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString()) as Partial<ApplicationRecord>)));
}

function reply(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text);
}

async function start({ login, pipelined, tenants, template }: Order): Promise<string> {
  const pool = new pg.Pool({ ...login, max: POOL_SIZE, pipeline: pipelined, types: wireTypes, keepAlive: true });
  const tenantOf = new Map(tenants.map(({ id, apiKey }) => [apiKey, id]));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '', method } = request;
    const tenantId = tenantOf.get(String(request.headers['x-api-key']));
    if (url === '/metrics') {
      const { user, system } = process.cpuUsage();
      return reply(response, 200, `process_cpu_seconds_total ${(user + system) / 1e6}\n`);
    }
    if (tenantId === undefined) return reply(response, 401, '');
    if (method === 'GET') return reply(response, 200, JSON.stringify(await BareTransaction.run(pool, tenantId, pipelined, (tx) => read(tx, tenantId, url.slice(url.lastIndexOf('/') + 1)))));
    const body = await bodyOf(request);
    return reply(response, 201, JSON.stringify(await BareTransaction.run(pool, tenantId, pipelined, (tx) => create(tx, tenantId, template, body))));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => reply(response, 500, String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

if (import.meta.main) serve(start);
