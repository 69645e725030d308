import type { Config } from '../../base/config.ts';
import type { Secrets } from '../../base/secrets.ts';
import type { UserPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import { type Database, type Transaction, withinTenant } from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import type { AccessTokens } from '../../identity/access-token.ts';
import type { CredentialCache } from '../../identity/credential-cache.ts';
import { secondFactorKeys, type SecondFactorKeys } from '../../identity/second-factor.ts';
import type { Outbox } from '../../providers/mail/index.ts';
import { normalEmail } from '../../rules/email-address.ts';
import { verifyPassword } from '../../rules/password-hash.ts';
import {
  auditSubjectOf, findAccountById, mailTo, type Person, personOf, recordPublicEvent, type RequestOrigin, securityPolicy, type User,
} from '../accounts/index.ts';
import { type FailureCounter, sessionThrottle, throttleOptions, type ThrottleOptions } from './throttle.ts';

/** What every way to prove who one is works with. */
export interface AuthenticationDependencies {
  readonly database: Database;
  readonly tokens: AccessTokens;
  readonly credentials: CredentialCache;
  readonly mail: Outbox;
  readonly throttle: ThrottleOptions;
  readonly keys: SecondFactorKeys;
  /** Makes the successor of a refresh token from it. */
  readonly successorKey: Buffer;
}

type Source = Pick<AuthenticationDependencies, 'database' | 'tokens' | 'credentials' | 'mail'> & { readonly config: Config; readonly secrets: Secrets };

/** With the keys that they need, derived once. */
export function authenticationDependencies({ database, tokens, credentials, mail, config, secrets }: Source): AuthenticationDependencies {
  return {
    database, tokens, credentials, mail,
    throttle: throttleOptions(config, secrets), keys: secondFactorKeys(secrets), successorKey: secrets.deriveKey('refresh-token-successor'),
  };
}

interface Failure {
  /** Entered before. */
  readonly throttle: FailureCounter;
  readonly user: User | null;
  /** In whose chains it is written. */
  readonly tenantIds: readonly string[];
  /** Null at an open session: its refusals are written down with all others. */
  readonly reason: 'invalid_credentials' | 'invalid_mfa_code' | null;
  /** What the owner is told of a lock. */
  readonly notice?: 'accountLocked' | 'sessionLocked';
}

/**
 * Counts something wrong, and writes it into the chains of the person's tenants; the first of
 * several that lock is also mailed to its owner. What nobody can be blamed for goes to the platform's chain, under the keyed hash of the
 * address that was tried.
 */
export async function countFailure(tx: Transaction, mail: Outbox, { throttle, user, tenantIds, reason, notice = 'accountLocked' }: Failure, origin: RequestOrigin): Promise<void> {
  const lock = await throttle.fail(tx);
  const known = user !== null && tenantIds.length > 0;
  const tenants = known ? tenantIds : [PLATFORM_TENANT_ID];
  for (const tenantId of tenants) {
    const about = known ? auditSubjectOf(user, tenantId) : {
      actor: { type: 'user', id: null, display: 'unknown' }, resource: { type: 'sign_in_address', id: throttle.account }, environment: 'live',
    } as const;
    if (reason !== null) recordPublicEvent<'login'>(tx, tenantId, origin, { ...about, action: 'auth.login.failed', outcome: 'failed', reason });
    if (lock !== null) recordPublicEvent<'login'>(tx, tenantId, origin, { ...about, action: 'auth.login.locked', outcome: 'denied', reason: 'too_many_failures' });
  }
  if (lock === null) return;
  const [tenantId = PLATFORM_TENANT_ID] = tenants;
  const policy = await securityPolicy(withinTenant(tx, tenantId), tenantId);
  if (known && lock.isNews) mail.queue(tx, { ...mailTo(user, [policy]), template: notice, values: { until: lock.until, ip: origin.clientIp } });
}

/**
 * Somebody at an open session proves anew who they are. Whoever found or stole the session and guesses is locked out,
 * and a stranger who fails to sign in locks out nobody here.
 */
export async function confirmPassword({ database, mail, throttle: options }: AuthenticationDependencies, principal: UserPrincipal, password: string, origin: RequestOrigin): Promise<Person> {
  const { tenantId, userId, sessionId } = principal;
  const person = await database.platform({ tenantId: null }, async (tx) => {
    const account = await findAccountById(tx, userId);
    return account === null ? null : personOf(tx, account);
  });
  if (person === null) throw new Problem('invalid_current_password');
  const throttle = sessionThrottle(options, { email: normalEmail(person.user.email), userId, sessionId }, origin.now);
  const refusal = await database.platform({ tenantId: null, readOnly: true }, (tx) => throttle.refusal(tx));
  if (refusal !== null) throw refusal;
  const right = await verifyPassword(person.passwordHash, password);
  const failure = await database.platform({ tenantId }, async (tx) => {
    // Also for the right one: of guesses that come together those behind the lock learn nothing.
    const locked = await throttle.enter(tx);
    if (locked !== null || right) return locked;
    await countFailure(tx, mail, { throttle, user: person.user, tenantIds: [tenantId], reason: null, notice: 'sessionLocked' }, origin);
    return new Problem('invalid_current_password');
  });
  if (failure !== null) throw failure;
  return person;
}
