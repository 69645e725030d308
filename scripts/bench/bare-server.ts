/**
 * Baseline of the benchmark: the smallest server that runs the same SQL, with node:http and pg only. Its difference to
 * the service is the cost of framework, validation, authentication and log. It serves getApplication and
 * createApplication with the statements of the service. Used by whole-path.ts.
 */
import { businessTime } from '../../server/base/time.ts';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { appendAudit } from '../../server/audit/chain.ts';
import { secretsFrom } from '../../server/base/secrets.ts';
import { uuidv7 } from '../../server/base/uuid.ts';
import type { Statement, Transaction, Values } from '../../server/database/index.ts';
import type { DatabaseLogin } from '../../server/database/database-login.ts';
import { wireTypes } from '../../server/database/pool.ts';
import type { ApplicationRecord } from '../../server/modules/applications/record/application.ts';
import { readContents } from '../../server/modules/applications/record/read-applications.ts';
import { findApplication, insertApplication } from '../../server/modules/applications/record/store.ts';
import { BlindIndex } from '../../server/rules/blind-index.ts';
import { testSecret } from '../../test/support/postgres.ts';
import { type Laboratory, POOL_SIZE } from './laboratory.ts';
import { serve, startProgram } from './program.ts';
import type { Target } from './service.ts';

interface ServerSettings {
  readonly login: DatabaseLogin;
  /**
   * If true, all statements of a transaction are sent in one write; else each is sent after the response to the one
   * before.
   */
  readonly pipelined: boolean;
  /** Tenant of each API key. */
  readonly tenants: Readonly<Record<string, string>>;
  /** An application as the service has written it. */
  readonly template: ApplicationRecord;
}

/** Starts the server in another process. `templateId` is the id of an application of the first tenant. */
export async function startBareServer(
  { database, callers }: Laboratory,
  templateId: string,
  pipelined: boolean,
): Promise<Target> {
  const tenantId = callers[0]?.id ?? '';
  const template = await database.database.transaction({ tenantId, readOnly: true }, (tx) =>
    findApplication(tx, { tenantId, id: templateId }),
  );
  if (template === null) throw new Error('the application that was created cannot be found');
  const program = startProgram<ServerSettings, string>(import.meta.filename);
  const tenants = Object.fromEntries(callers.map(({ apiKey, id }) => [apiKey['X-API-Key'], id]));
  return Object.assign(program, {
    url: await program.run({
      login: database.app,
      pipelined,
      tenants,
      template,
    }),
  });
}

/**
 * Runs a tenant's transaction with only what is necessary: BEGIN, set_config, the work, COMMIT. `work` must send all of
 * its statements before it first waits, because COMMIT is queued right after them.
 */
async function transact<T>(
  pool: pg.Pool,
  tenantId: string,
  pipelined: boolean,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const { stream } = (client as unknown as pg.Client).connection;
  let before: Promise<unknown> = Promise.resolve();
  const send = (query: pg.QueryConfig): Promise<pg.QueryResult> => {
    if (pipelined) return client.query(query);
    const answer = before.then(() => client.query(query));
    before = answer;
    return answer;
  };
  const execute = <V extends Values>({ name, text, bind }: Statement<V, unknown>, values: V) =>
    send({ name, text, values: bind(values) });
  const beforeCommitStatements: (() => Promise<unknown>)[] = [];
  const unneeded = (): never => {
    throw new TypeError('the bare server does not support this');
  };
  const tx: Transaction = {
    tenantId,
    auditChain: 'open',
    query: unneeded,
    within: unneeded,
    tenantKey: (purpose) => secrets.deriveKey(`${purpose} ${tenantId}`),
    run: async <V extends Values, Row>(statement: Statement<V, Row>, values: V) =>
      (await execute(statement, values)).rows as Row[],
    count: async (statement, values) => (await execute(statement, values)).rowCount ?? 0,
    beforeCommit: (statement, values) => void beforeCommitStatements.push(() => execute(statement, values)),
  };
  try {
    if (pipelined) stream.cork();
    const begun = [
      send({ text: 'BEGIN' }),
      send({ name: 'tenant', text: `SELECT set_config('app.tenant_id', $1, true)`, values: [tenantId] }),
    ];
    const worked = work(tx);
    const written = beforeCommitStatements.map((one) => one());
    const committed = send({ text: 'COMMIT' });
    if (pipelined) stream.uncork();
    const [result, { command }] = await Promise.all([worked, committed, ...begun, ...written]);
    if (command !== 'COMMIT') throw new Error(`COMMIT was answered by ${command}`);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

const index = new BlindIndex(Buffer.alloc(32));
const secrets = secretsFrom(testSecret);

/** Reads an application as getApplication does. */
const read = (tx: Transaction, tenantId: string, id: string) =>
  Promise.all([findApplication(tx, { tenantId, id }), readContents(tx, { tenantId, applicationId: id })]).then(
    ([record, contents]) => ({ ...record, ...contents }),
  );

/**
 * Creates an application without any check of the body; omitted members are as in the application that the service has
 * written.
 */
async function create(
  tx: Transaction,
  tenantId: string,
  template: ApplicationRecord,
  body: Partial<ApplicationRecord>,
): Promise<object> {
  const now = businessTime(new Date(), 0).toISOString();
  const record = {
    ...template,
    ...body,
    id: uuidv7(),
    createdAt: now,
    updatedAt: now,
    applicant: { ...template.applicant, ...body.applicant },
  };
  const inserted = insertApplication(tx, tenantId, record, index);
  appendAudit(tx, {
    occurredAt: new Date().toISOString(),
    environment: 'live',
    actor: { ...record.createdBy, impersonatorId: null },
    action: 'application.created',
    resource: { type: 'application', id: record.id },
    outcome: 'success',
    requestId: uuidv7(),
    ip: '127.0.0.1',
    userAgent: 'bench',
    changes: [
      { op: 'add', path: '/status', value: record.status },
      { op: 'add', path: '/level', value: record.level },
      { op: 'add', path: '/purpose', value: record.purpose },
    ],
  });
  await inserted;
  return record;
}

async function start({ login, pipelined, tenants, template }: ServerSettings): Promise<string> {
  const pool = new pg.Pool({
    ...login,
    max: POOL_SIZE,
    pipeline: pipelined,
    types: wireTypes,
    keepAlive: true,
  });
  const answer = async (request: IncomingMessage): Promise<readonly [status: number, text: string]> => {
    const { url = '', method } = request;
    // The only metric that the benchmark reads of this server.
    if (url === '/metrics') {
      const { user, system } = process.cpuUsage();
      return [200, `process_cpu_seconds_total ${(user + system) / 1e6}\n`];
    }
    const tenantId = tenants[String(request.headers['x-api-key'])];
    if (tenantId === undefined) return [401, ''];
    if (method === 'GET')
      return [
        200,
        JSON.stringify(
          await transact(pool, tenantId, pipelined, (tx) => read(tx, tenantId, url.slice(url.lastIndexOf('/') + 1))),
        ),
      ];
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(request, 'end');
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Partial<ApplicationRecord>;
    return [
      201,
      JSON.stringify(await transact(pool, tenantId, pipelined, (tx) => create(tx, tenantId, template, body))),
    ];
  };
  const server = createServer((request, response: ServerResponse) => {
    void answer(request)
      .catch((error: unknown) => [500, String(error)] as const)
      .then(([status, text]) =>
        response
          .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
          .end(text),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

if (import.meta.main) serve(start);
