/**
 * Verifies the password of a signed-in person, and records failures of any check. Called, through the index, by
 * password changes, second-factor changes, sign-in and invitations. A failed check must always pass through
 * `countFailure`, or guesses would be free.
 */
import type { UserPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import { type Transaction, withinTenant } from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import type { Outbox } from '../../providers/mail/index.ts';
import { normalEmail } from '../../rules/email-address.ts';
import { verifyPassword } from '../../rules/password-hash.ts';
import {
  auditSubjectOf,
  findAccountById,
  mailTo,
  type Person,
  personOf,
  recordPublicEvent,
  type RequestOrigin,
  securityPolicy,
  type User,
} from '../accounts/index.ts';
import type { AuthenticationDependencies } from './dependencies.ts';
import { type FailureCounter, sessionThrottle } from './throttle.ts';

interface Failure {
  /** Throttle, whose `enter` was called in this transaction. */
  readonly throttle: FailureCounter;
  readonly user: User | null;
  /** Tenants in whose audit chains the failure is recorded. */
  readonly tenantIds: readonly string[];
  /** Null for an open session, whose refusals are audited like those of all other requests. */
  readonly reason: 'invalid_credentials' | 'invalid_mfa_code' | null;
  /** Template of the mail that informs the owner of a lock. */
  readonly notice?: 'accountLocked' | 'sessionLocked';
}

/**
 * Counts a failure and records it in the audit chains of the person's tenants. Informs the owner by mail of the first
 * of several locks. Records a failure at an address without an account in the platform's chain, under the keyed hash of
 * the address.
 */
export async function countFailure(
  tx: Transaction,
  mail: Outbox,
  origin: RequestOrigin,
  { throttle, user, tenantIds, reason, notice = 'accountLocked' }: Failure,
): Promise<void> {
  const lock = await throttle.fail(tx);
  const known = user !== null && tenantIds.length > 0;
  const tenants = known ? tenantIds : [PLATFORM_TENANT_ID];
  for (const tenantId of tenants) {
    const about = known
      ? auditSubjectOf(user, tenantId)
      : ({
          actor: { type: 'user', id: null, display: 'unknown' },
          resource: { type: 'sign_in_address', id: throttle.account },
          environment: 'live',
        } as const);
    if (reason !== null)
      recordPublicEvent<'login'>(tx, tenantId, origin, {
        ...about,
        action: 'auth.login.failed',
        outcome: 'failed',
        reason,
      });
    if (lock !== null)
      recordPublicEvent<'login'>(tx, tenantId, origin, {
        ...about,
        action: 'auth.login.locked',
        outcome: 'denied',
        reason: 'too_many_failures',
      });
  }
  if (lock === null) return;
  const [tenantId = PLATFORM_TENANT_ID] = tenants;
  const policy = await securityPolicy(withinTenant(tx, tenantId), tenantId);
  if (known && lock.isNews)
    mail.queue(tx, { ...mailTo(user, [policy]), template: notice, values: { until: lock.until, ip: origin.clientIp } });
}

/**
 * Verifies the password of a signed-in person. Failures count for the session, so that a thief of the session who
 * guesses the password is locked out, and failed sign-ins of strangers do not lock out the person here.
 */
export async function confirmPassword(
  { database, mail, throttle: options }: AuthenticationDependencies,
  principal: UserPrincipal,
  password: string,
  origin: RequestOrigin,
): Promise<Person> {
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
    // A lock also refuses the right password, so that parallel guesses after the lock do not reveal whether they are
    // right.
    const locked = await throttle.enter(tx);
    if (locked !== null || right) return locked;
    await countFailure(tx, mail, origin, {
      throttle,
      user: person.user,
      tenantIds: [tenantId],
      reason: null,
      notice: 'sessionLocked',
    });
    return new Problem('invalid_current_password');
  });
  if (failure !== null) throw failure;
  return person;
}
