/** Tenants, users and keys for tests. */
import { randomBytes } from 'node:crypto';
import { uuidv7 } from '../../server/base/uuid.ts';
import type { Role, Scope } from '../../server/contract/operation.ts';
import { PLATFORM_TENANT_ID } from '../../server/database/roles.ts';
import { secondFactorKeys } from '../../server/identity/second-factor.ts';
import { seal } from '../../server/base/seal.ts';
import { issueApiKey, type KeySpecification } from '../../server/modules/api-keys/issue-key.ts';
import { hashPassword } from '../../server/rules/password-hash.ts';
import type { AppServices } from '../../server/services.ts';
import type { TestDatabase } from './postgres.ts';

/** Headers of a credential. */
export type Credential = Readonly<Record<string, string>>;

export const PASSWORD = 'correct horse battery staple';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly sessionId: string;
  readonly as: Credential;
  /** Secret of the authenticator, for `code()`; null without one. */
  readonly totpSecret: Buffer | null;
}

export interface PersonOptions {
  /** Whether the user has an authenticator and has just used it. Platform staff always have one. */
  readonly secondFactor?: boolean;
  /** The same arguments return the same user; another purpose returns another one. */
  readonly purpose?: string;
}

export interface Tenant {
  readonly id: string;
  /** Returns a key with these scopes; the same arguments return the same key. */
  key(scopes: readonly Scope[], overrides?: Partial<KeySpecification>): Promise<Credential>;
  /** Returns a signed-in user with this role; for `platform_admin` one of the platform's staff. */
  user(role: Role, options?: PersonOptions): Promise<Credential>;
  /** Returns a token that a client with these scopes has obtained. */
  client(scopes: readonly Scope[], overrides?: Partial<KeySpecification>): Promise<Credential>;
  /** Returns another signed-in person, whom no other test uses. */
  person(role: Role, options?: PersonOptions): Promise<Person>;
  audit(): Promise<
    readonly {
      action: string;
      outcome: string;
      resource_id: string | null;
      reason: string | null;
    }[]
  >;
}

/** One hash for all users, because password hashing is slow on purpose. */
let passwordHash: Promise<string> | undefined;

interface Parts {
  readonly running: { readonly services: Pick<AppServices, 'clock' | 'tokens'> };
  readonly database: Pick<TestDatabase, 'database' | 'secrets' | 'sql'>;
}

export function tenantOf({ running: { services }, database }: Parts, id: string): Tenant {
  const known = new Map<string, Promise<unknown>>();
  const once = <T>(name: unknown, make: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify(name);
    const made = (known.get(key) as Promise<T> | undefined) ?? make();
    known.set(key, made);
    return made;
  };
  const issue = (scopes: readonly Scope[], overrides: Partial<KeySpecification> = {}) =>
    database.database.transaction({ tenantId: id }, (tx) =>
      issueApiKey(tx, database.secrets, {
        tenantId: id,
        name: 'Back end',
        environment: 'live',
        scopes,
        pinEnvironment: false,
        personalData: 'full',
        grantedBy: null,
        grantedRole: 'owner',
        ipAllowlist: [],
        expiresAt: null,
        createdBy: { type: 'system', id: 'test', display: 'Test' },
        now: services.clock(),
        ...overrides,
      }),
    );
  const person = async (
    role: Role,
    { secondFactor = role === 'platform_admin' }: PersonOptions = {},
  ): Promise<Person> => {
    const tenantId = role === 'platform_admin' ? PLATFORM_TENANT_ID : id;
    const email = `${role}-${randomBytes(6).toString('hex')}@example.com`;
    const userId = uuidv7();
    await database.sql(
      `INSERT INTO user_account (id, email_normalised, email, name, password_hash)
        VALUES ($1, $2, $2, 'Ana Souza', $3)`,
      [userId, email, await (passwordHash ??= hashPassword(PASSWORD))],
    );
    await database.sql('INSERT INTO membership (tenant_id, user_id, role) VALUES ($1, $2, $3)', [
      tenantId,
      userId,
      role,
    ]);
    const [sessionId, totpSecret] = [uuidv7(), secondFactor ? randomBytes(20) : null];
    await database.sql(
      `INSERT INTO session (tenant_id, id, user_id, absolute_expires_at, mfa)
        VALUES ($1, $2, $3, now() + interval '30 days', $4)`,
      [tenantId, sessionId, userId, secondFactor],
    );
    if (totpSecret !== null) {
      await database.sql('INSERT INTO user_totp (user_id, secret, confirmed_at) VALUES ($1, $2, $3)', [
        userId,
        seal(secondFactorKeys(database.secrets).totp, userId, totpSecret),
        services.clock(),
      ]);
    }
    const made = {
      id: userId,
      email,
      sessionId,
      totpSecret,
    };
    if (secondFactor) await stepUp(made);
    return {
      ...made,
      as: {
        Authorization: `Bearer ${services.tokens.forUser(
          {
            userId,
            tenantId,
            sessionId,
            role,
            amr: secondFactor ? ['pwd', 'otp'] : ['pwd'],
          },
          3600,
        )}`,
      },
    };
  };
  const stepUp = ({ sessionId }: Pick<Person, 'sessionId'>) =>
    database.sql('UPDATE session SET step_up_at = $1 WHERE id = $2', [services.clock(), sessionId]);
  return {
    id,
    person,
    key: (scopes, overrides) =>
      once(['key', scopes, overrides], async () => ({ 'X-API-Key': (await issue(scopes, overrides)).secret })),
    client: (scopes, overrides) =>
      once(['client', scopes, overrides], async () => {
        const {
          key: { prefix, environment },
        } = await issue(scopes, overrides);
        return {
          Authorization: `Bearer ${services.tokens.forClient(
            {
              prefix,
              tenantId: id,
              scopes,
              environment,
            },
            3600,
          )}`,
        };
      }),
    async user(role, options) {
      const user = await once(['user', role, options], () => person(role, options));
      if (user.totpSecret !== null) await stepUp(user);
      return user.as;
    },
    audit: () =>
      database.sql(
        `SELECT action, outcome, resource_id, reason FROM audit_event WHERE tenant_id = $1 AND chain = 'open'
          ORDER BY sequence`,
        [id],
      ),
  };
}
