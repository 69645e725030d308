import type { components } from '../../server/contract/generated/types.ts';
import type { Role } from '../../server/contract/principal.ts';
import { createUser } from '../../server/groups/auth/index.ts';
import { issueApiKey, type IssuedKey, type KeySpecification } from '../../server/groups/settings/index.ts';
import type { Running } from '../../server/start.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { PASSWORD, startTestService, type Answer, type Problem, type TestService } from '../support/service.ts';

export { PASSWORD, type Answer } from '../support/service.ts';

export type Schemas = components['schemas'];

export interface Call {
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly form?: Record<string, string> | string;
}

/** The service with what tests of sign-in and credentials need: people with passwords and keys with secrets. */
export interface World {
  readonly running: Running;
  readonly database: TestDatabase;
  readonly service: TestService;
  now(): Date;
  advance(milliseconds: number): void;
  call<T = Problem>(method: string, path: string, call?: Call): Promise<Answer<T>>;
  user(tenantId: string, role?: Role, email?: string): Promise<{ id: string; email: string }>;
  key(tenantId: string, specification?: Partial<KeySpecification>): Promise<IssuedKey>;
  signIn(email: string, headers?: Record<string, string>): Promise<Schemas['TokenPair']>;
  /** Actions of the tenant's audit events, oldest first. */
  events(tenantId: string): Promise<string[]>;
  stop(): Promise<void>;
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

export async function startWorld(env: Record<string, string> = {}): Promise<World> {
  const service = await startTestService({ env });
  const { running, database } = service;
  const now = running.services.clock;

  function call<T>(method: string, path: string, { headers = {}, json, form }: Call = {}): Promise<Answer<T>> {
    if (json !== undefined) return service.request<T>(method, path, { headers, body: json as object });
    if (form === undefined) return service.request<T>(method, path, { headers });
    return service.request<T>(method, path, { headers: { ...FORM, ...headers }, body: new URLSearchParams(form).toString() });
  }

  let users = 0;
  return {
    service, running, database, now, call,
    advance: (milliseconds) => service.advance(milliseconds),
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
    stop: () => service.stop(),
  };
}

export const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
export const apiKey = (secret: string): Record<string, string> => ({ 'X-API-Key': secret });
