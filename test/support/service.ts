import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../server/config.ts';
import type { components } from '../../server/contract/generated/types.ts';
import type { Role, Scope } from '../../server/contract/principal.ts';
import { uuidv7 } from '../../server/database/index.ts';
import { createUser } from '../../server/groups/auth/index.ts';
import { issueApiKey, type KeySpecification } from '../../server/groups/settings/index.ts';
import { createLog } from '../../server/http/log.ts';
import { startService, type Running } from '../../server/start.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { recordCoverage } from './coverage.ts';

export type Problem = components['schemas']['Problem'];

/** What a request presents: the header of its credential. */
export type Credential = Readonly<Record<string, string>>;

export interface Call {
  readonly as?: Credential;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; everything else as it is. */
  readonly body?: object | string | Buffer | FormData | URLSearchParams;
}

export interface Answer<T = Problem> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed when the answer is JSON. */
  readonly body: T;
}

export interface Tenant {
  readonly id: string;
  /** A key with these scopes; the same arguments give the same key. */
  key(scopes: readonly Scope[], overrides?: Partial<KeySpecification>): Promise<Credential>;
  /** A signed-in user with this role. */
  user(role: Role): Promise<Credential>;
  /** A token that a client with these scopes has obtained. */
  client(scopes: readonly Scope[], overrides?: Partial<KeySpecification>): Promise<Credential>;
  audit(): Promise<readonly { action: string; outcome: string; resource_id: string | null; reason: string | null }[]>;
}

export interface TestService {
  readonly url: string;
  readonly running: Running;
  readonly database: TestDatabase;
  /** Two tenants that must never see anything of each other. */
  readonly acme: Tenant;
  readonly other: Tenant;
  request<T = Problem>(method: string, path: string, call?: Call): Promise<Answer<T>>;
  advance(milliseconds: number): void;
  stop(): Promise<void>;
}

export const PASSWORD = 'correct horse battery staple';

export interface Options {
  /** Environment variables of the service. */
  readonly env?: Readonly<Record<string, string>>;
  readonly log?: (line: string) => void;
}

/** The whole service in this process, on a free port and a database of its own, with a clock that tests can turn. */
export async function startTestService({ env = {}, log }: Options = {}): Promise<TestService> {
  const database = await createTestDatabase({ poolSize: 10 });
  const dataDir = await mkdtemp(join(tmpdir(), 'compliance-service-'));
  const config = readConfig({
    PORT: '0', DATA_DIR: dataDir, DEMO: 'false', JOBS: 'false', RATE_LIMIT_REQUESTS: '1000000', RATE_LIMIT_UPLOADS: '1000000', RATE_LIMIT_FEED: '1000000',
    RATE_LIMIT_LOGINS_PER_ADDRESS: '1000000', ...env,
  });
  let ahead = 0;
  const running = await startService({
    config, secrets: database.secrets, database: database.database, clock: () => new Date(Date.now() + ahead),
    log: log === undefined ? createLog('silent') : createLog(config.logLevel, { write: log }),
  });
  const parts = { running, database };
  return {
    ...parts,
    url: running.url,
    acme: await tenant(parts),
    other: await tenant(parts),
    request: (method, path, call) => request(running.url, method, path, call),
    advance: (milliseconds) => void (ahead += milliseconds),
    async stop() {
      await recordCoverage(running.url);
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function request<T>(url: string, method: string, path: string, { as = {}, headers = {}, body }: Call = {}): Promise<Answer<T>> {
  const json = body !== undefined && typeof body === 'object' && !(body instanceof FormData || body instanceof URLSearchParams || Buffer.isBuffer(body));
  const response = await fetch(url + path, {
    method, headers: { ...(json && { 'Content-Type': 'application/json' }), ...as, ...headers },
    body: body === undefined ? null : json ? JSON.stringify(body) : body as BodyInit,
  });
  const text = await response.text();
  const parsed: unknown = /json/.test(response.headers.get('content-type') ?? '') && text !== '' ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, body: parsed as T };
}

async function tenant({ running, database }: { running: Running; database: TestDatabase }): Promise<Tenant> {
  const id = await database.tenant();
  const { services } = running;
  const known = new Map<string, Promise<Credential>>();
  const once = (name: unknown, make: () => Promise<Credential>): Promise<Credential> => {
    const key = JSON.stringify(name);
    const made = known.get(key) ?? make();
    known.set(key, made);
    return made;
  };
  const issue = (scopes: readonly Scope[], overrides: Partial<KeySpecification> = {}) =>
    database.database.transaction({ tenantId: id }, (tx) => issueApiKey(tx, database.secrets, {
      tenantId: id, name: 'Back end', environment: 'live', scopes, pinEnvironment: false, ipAllowlist: [], expiresAt: null,
      createdBy: { type: 'system', id: 'test', display: 'Test' }, now: services.clock(), ...overrides,
    }));
  return {
    id,
    key: (scopes, overrides) => once(['key', scopes, overrides], async () => ({ 'X-API-Key': (await issue(scopes, overrides)).secret })),
    client: (scopes, overrides) => once(['client', scopes, overrides], async () => {
      const { key: { prefix, environment } } = await issue(scopes, overrides);
      return { Authorization: `Bearer ${services.tokens.forClient({ prefix, tenantId: id, scopes, environment }, 3600)}` };
    }),
    user: (role) => once(['user', role], async () => {
      const email = `${role}-${randomBytes(6).toString('hex')}@example.com`;
      const userId = await database.database.platform({ tenantId: id }, (tx) => createUser(tx, id, { email, name: 'Ana Souza', password: PASSWORD, role }));
      const sessionId = uuidv7();
      await database.sql(
        `INSERT INTO session (tenant_id, id, user_id, absolute_expires_at) VALUES ($1, $2, $3, now() + interval '30 days')`, [id, sessionId, userId]);
      return { Authorization: `Bearer ${services.tokens.forUser({ userId, tenantId: id, sessionId, role, amr: ['pwd'] }, 3600)}` };
    }),
    audit: () => database.sql('SELECT action, outcome, resource_id, reason FROM audit_event WHERE tenant_id = $1 ORDER BY sequence', [id]),
  };
}
