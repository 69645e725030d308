/** Fixture of the tests of signing in. */
import { uuidv7 } from '../../server/base/uuid.ts';
import type { components } from '../../server/contract/generated/client-types.ts';
import type { Role } from '../../server/contract/operation.ts';
import { createUser } from '../../server/modules/accounts/membership-store.ts';
import { issueApiKey, type IssuedKey, type KeySpecification } from '../../server/modules/api-keys/issue-key.ts';
import type { QueuedLetter } from '../../server/providers/mail/index.ts';
import { normalEmail } from '../../server/rules/email-address.ts';
import type { RunningService } from '../../server/start.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { success, type Api } from '../support/api.ts';
import { code as codeOf } from '../support/authenticator.ts';
import { PASSWORD, startTestService, type Answer, type Problem, type TestService } from '../support/service.ts';

export { PASSWORD, type Answer } from '../support/service.ts';

export type Schemas = components['schemas'];

export interface Call {
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly form?: Record<string, string> | string;
}

/** A service for tests of sign-in and credentials: it has people with passwords and keys with secrets. */
export interface World {
  readonly running: RunningService;
  readonly database: TestDatabase;
  readonly service: TestService;
  readonly api: Api;
  now(): Date;
  advance(milliseconds: number): void;
  call<T = Problem>(method: string, path: string, call?: Call): Promise<Answer<T>>;
  user(tenantId: string, role?: Role, email?: string): Promise<{ id: string; email: string }>;
  key(tenantId: string, specification?: Partial<KeySpecification>): Promise<IssuedKey>;
  signIn(email: string, headers?: Record<string, string>): Promise<Schemas['TokenPair']>;
  /** Creates a user who signs in with an authenticator. */
  userWithFactor(tenantId: string, role?: Role): Promise<UserWithFactor>;
  /** Returns the code of an authenticator with this secret, now or `steps` steps of 30 seconds later. */
  code(secret: string, steps?: number): string;
  /** Returns the newest mail to the address that was not delivered. */
  mail(address: string): Promise<QueuedLetter | null>;
  /** Returns the token in the link of that mail. */
  mailedToken(address: string): Promise<string>;
  /** Returns the actions of the tenant's audit events, oldest first. */
  events(tenantId: string): Promise<string[]>;
  stop(): Promise<void>;
}

export interface UserWithFactor {
  readonly id: string;
  readonly email: string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** Token pair of the session in which the authenticator was enrolled. */
  readonly pair: Schemas['TokenPair'];
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

export async function startWorld(env: Record<string, string> = {}, { sabotaged = false } = {}): Promise<World> {
  const service = await startTestService({ env, sabotaged });
  const { running, database } = service;
  const now = running.services.clock;

  function call<T>(method: string, path: string, { headers = {}, json, form }: Call = {}): Promise<Answer<T>> {
    if (json !== undefined) return service.request<T>(method, path, { headers, body: json as object });
    if (form === undefined) return service.request<T>(method, path, { headers });
    return service.request<T>(method, path, {
      headers: { ...FORM, ...headers },
      body: new URLSearchParams(form).toString(),
    });
  }

  let users = 0;
  let knownHash: string | null = null;
  const world: World = {
    service,
    api: service.api,
    running,
    database,
    now,
    call,
    advance: (milliseconds) => service.advance(milliseconds),
    async user(tenantId, role = 'owner', email = `user-${users++}@example.com`) {
      const name = 'Ana Souza';
      if (knownHash === null) {
        const id = await database.database.platform({ tenantId }, (tx) =>
          createUser(tx, tenantId, {
            email,
            name,
            password: PASSWORD,
            role,
            now: new Date(),
          }),
        );
        knownHash =
          (
            await database.sql<{ password_hash: string }>('SELECT password_hash FROM user_account WHERE id = $1', [id])
          )[0]?.password_hash ?? null;
        return { id, email };
      }
      // Reuses the known password hash: hashing is slow by design, and creating the first user has already tested it.
      const id = uuidv7();
      await database.sql(
        'INSERT INTO user_account (id, email_normalised, email, name, password_hash) VALUES ($1, $2, $3, $4, $5)',
        [id, normalEmail(email), email, name, knownHash],
      );
      await database.sql('INSERT INTO membership (tenant_id, user_id, role) VALUES ($1, $2, $3)', [tenantId, id, role]);
      return { id, email };
    },
    key: (tenantId, specification = {}) =>
      database.database.transaction({ tenantId }, (tx) =>
        issueApiKey(tx, database.secrets, {
          tenantId,
          name: 'Back end',
          environment: 'live',
          scopes: ['admin'],
          pinEnvironment: false,
          personalData: 'full',
          grantedBy: null,
          grantedRole: 'owner',
          ipAllowlist: [],
          expiresAt: null,
          createdBy: { type: 'system', id: 'test', display: 'Test' },
          now: now(),
          ...specification,
        }),
      ),
    async signIn(email, headers = {}) {
      return (await success(service.api.POST('/v1/auth/login', { headers, body: { email, password: PASSWORD } }))).body;
    },
    async userWithFactor(tenantId, role = 'owner') {
      const { id, email } = await world.user(tenantId, role);
      const pair = await world.signIn(email);
      const headers = bearer(pair.accessToken);
      const {
        body: { secret },
      } = await success(service.api.POST('/v1/auth/totp/enroll', { headers, body: { password: PASSWORD } }));
      const confirmed = await success(
        service.api.POST('/v1/auth/totp/confirm', { headers, body: { code: world.code(secret) } }),
      );
      // Moves to the next step, because the confirmation has used up the present code.
      service.advance(30_000);
      return {
        id,
        email,
        secret,
        recoveryCodes: confirmed.body.recoveryCodes,
        pair,
      };
    },
    code: (secret, steps = 0) => codeOf(secret, new Date(now().getTime() + steps * 30_000)),
    mail: (address) => running.services.mail.latest(database.database, address),
    async mailedToken(address) {
      const letter = await world.mail(address);
      const token = /#token=([\w-]+)/.exec(letter?.text ?? '')?.[1];
      if (token === undefined) throw new Error(`no link was mailed to ${address}`);
      return token;
    },
    async events(tenantId) {
      const rows = await database.sql<{ action: string }>(
        'SELECT action FROM audit_event WHERE tenant_id = $1 ORDER BY sequence',
        [tenantId],
      );
      return rows.map(({ action }) => action);
    },
    stop: () => service.stop(),
  };
  return world;
}

export const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
export const apiKey = (secret: string): Record<string, string> => ({ 'X-API-Key': secret });
