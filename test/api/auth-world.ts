import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../server/config.ts';
import type { components } from '../../server/contract/generated/types.ts';
import type { Role } from '../../server/contract/principal.ts';
import { createUser } from '../../server/groups/auth/index.ts';
import { issueApiKey, type IssuedKey, type KeySpecification } from '../../server/groups/settings/index.ts';
import { createLog } from '../../server/http/log.ts';
import { startService, type Running } from '../../server/start.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

export type Schemas = components['schemas'];

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: T;
}

export interface Call {
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly form?: Record<string, string> | string;
}

export const PASSWORD = 'correct horse battery staple';

/** The service on a database of its own, with a clock that tests can turn. */
export interface World {
  readonly running: Running;
  readonly database: TestDatabase;
  now(): Date;
  advance(milliseconds: number): void;
  call<T = Schemas['Problem']>(method: string, path: string, call?: Call): Promise<Answer<T>>;
  user(tenantId: string, role?: Role, email?: string): Promise<{ id: string; email: string }>;
  key(tenantId: string, specification?: Partial<KeySpecification>): Promise<IssuedKey>;
  signIn(email: string, headers?: Record<string, string>): Promise<Schemas['TokenPair']>;
  /** Actions of the tenant's audit events, oldest first. */
  events(tenantId: string): Promise<string[]>;
  stop(): Promise<void>;
}

export async function startWorld(env: Record<string, string> = {}): Promise<World> {
  const database = await createTestDatabase({ poolSize: 10 });
  const dataDir = await mkdtemp(join(tmpdir(), 'compliance-api-'));
  const config = readConfig({
    PORT: '0', DATA_DIR: dataDir, RATE_LIMIT_REQUESTS: '100000', RATE_LIMIT_LOGINS_PER_ADDRESS: '100000', ...env,
  });
  let ahead = 0;
  const now = (): Date => new Date(Date.now() + ahead);
  const running = await startService({ config, secrets: database.secrets, database: database.database, log: createLog('silent'), clock: now });

  async function call<T>(method: string, path: string, { headers = {}, json, form }: Call = {}): Promise<Answer<T>> {
    const body = json !== undefined ? JSON.stringify(json) : form === undefined ? null : new URLSearchParams(form).toString();
    const type = json !== undefined ? 'application/json' : 'application/x-www-form-urlencoded';
    const response = await fetch(running.url + path, { method, body, headers: { ...(body !== null && { 'Content-Type': type }), ...headers } });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: (text === '' ? undefined : JSON.parse(text)) as T };
  }

  let users = 0;
  return {
    running, database, now, call,
    advance: (milliseconds) => void (ahead += milliseconds),
    async user(tenantId, role = 'owner', email = `user-${users++}@example.com`) {
      const id = await database.database.platform({ tenantId }, (tx) => createUser(tx, tenantId, { email, name: 'Ana Souza', password: PASSWORD, role }));
      return { id, email };
    },
    key: (tenantId, specification = {}) => database.database.transaction({ tenantId }, (tx) => issueApiKey(tx, database.secrets, {
      tenantId, name: 'Back end', environment: 'live', scopes: ['admin'], pinEnvironment: false, ipAllowlist: [], expiresAt: null,
      createdBy: { type: 'system', id: 'test', display: 'Test' }, now: now(), ...specification,
    })),
    async signIn(email, headers = {}) {
      const { status, body, text } = await call<Schemas['TokenPair']>('POST', '/v1/auth/login', { headers, json: { email, password: PASSWORD } });
      if (status !== 200) throw new Error(`sign-in failed: ${text}`);
      return body;
    },
    async events(tenantId) {
      const rows = await database.sql<{ action: string }>('SELECT action FROM audit_event WHERE tenant_id = $1 ORDER BY sequence', [tenantId]);
      return rows.map(({ action }) => action);
    },
    async stop() {
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
export const apiKey = (secret: string): Record<string, string> => ({ 'X-API-Key': secret });
