/**
 * Changing a password, and resetting a forgotten one by a mailed link. Called by the handlers. No answer and no delay
 * may reveal whether an address has an account. Every change ends other sessions, invalidates open links and is mailed
 * to the owner.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { HOUR_MILLISECONDS, MINUTE_MILLISECONDS, type RealTime } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import { verifySecondFactor } from '../../identity/second-factor.ts';
import type { Context } from '../../request/handler.ts';
import { normalEmail } from '../../rules/email-address.ts';
import { generateToken, hashToken } from '../../rules/one-time-token.ts';
import { hashPassword, verifyPassword } from '../../rules/password-hash.ts';
import {
  type Account,
  auditSubjectOf,
  canSignIn,
  findAccount,
  findAccountById,
  mailTo,
  type Person,
  personOf,
  recordInEveryTenant,
  recordPublicEvent,
  type RequestOrigin,
  weaknessesFor,
} from '../accounts/index.ts';
import {
  accountKey,
  type AuthenticationDependencies,
  clearFailuresOf,
  confirmPassword,
  countFailure,
  resetThrottle,
  showLockedUntil,
  SignInLocation,
  Throttle,
} from '../login-throttle/index.ts';
import { endSessionsOfPerson, trustPassword } from '../sessions/index.ts';
import {
  findFormerPasswords,
  findReset,
  latestReset,
  lockReset,
  type PasswordReset,
  removeResets,
  replacePassword,
  replaceResets,
} from './store.ts';

async function assertStrong(person: Person, password: string): Promise<void> {
  const reasons = await weaknessesFor(person, password);
  if (reasons.length > 0) throw new Problem('weak_password', { reasons });
}

/**
 * Returns whether the password is one of the last five. Compares one hash after the other, so that one request takes
 * one permit of the semaphore at a time.
 */
async function isReused(
  { database }: AuthenticationDependencies,
  { user, passwordHash }: Person,
  password: string,
): Promise<boolean> {
  const former = await database.platform({ tenantId: null, readOnly: true }, (tx) => findFormerPasswords(tx, user.id));
  for (const hash of passwordHash === null ? former : [passwordHash, ...former])
    if (await verifyPassword(hash, password)) return true;
  return false;
}

/**
 * Replaces the password. Returns false if it was changed meanwhile. Reset links become invalid with the old password,
 * and the owner is informed by mail.
 */
async function setPassword(
  tx: Transaction,
  { mail }: AuthenticationDependencies,
  { person: { user, passwordHash, policies }, newHash }: { readonly person: Person; readonly newHash: string },
  now: RealTime,
): Promise<boolean> {
  if (!(await replacePassword(tx, user.id, { before: passwordHash, after: newHash }, now))) return false;
  await removeResets(tx, user.id);
  mail.queue(tx, { ...mailTo(user, policies), template: 'passwordChanged', values: { at: now } });
  return true;
}

/** Changes the password and ends all other sessions of the person. */
export async function changePassword(
  dependencies: AuthenticationDependencies,
  request: Pick<Context<'changePassword'>, 'body' | 'principal' | keyof RequestOrigin>,
): Promise<void> {
  const { principal, now } = request;
  const { currentPassword, newPassword } = request.body;
  const { tenantId, userId, sessionId } = principal;
  const person = await confirmPassword(dependencies, principal, currentPassword, request);
  await assertStrong(person, newPassword);
  if (await isReused(dependencies, person, newPassword)) throw new Problem('password_reused');
  const newHash = await hashPassword(newPassword);
  await dependencies.database.platform({ tenantId }, async (tx) => {
    if (!(await setPassword(tx, dependencies, { person, newHash }, now))) throw new Problem('invalid_current_password');
    await Promise.all([
      endSessionsOfPerson(tx, {
        userId,
        except: sessionId,
        reason: 'password_changed',
        now,
      }),
      trustPassword(tx, tenantId, sessionId),
      new SignInLocation(dependencies.throttle.key, normalEmail(person.user.email), request).trustOnlyThis(tx),
    ]);
    recordInEveryTenant<'changePassword'>(tx, person, request, 'auth.password.changed');
  });
  dependencies.credentials.forgetUser(userId);
}

export const LINK_VALID_MINUTES = 30;

/** Minimum time between two links, so that no link is replaced while its mail is on the way. */
const MINIMUM_INTERVAL = MINUTE_MILLISECONDS;
const MAILS_BEFORE_PAUSE = 5;
const LONGEST_PAUSE = HOUR_MILLISECONDS;
/** Duration after which every request is answered, several times what the work takes. */
const ANSWER_AFTER_MILLISECONDS = 100;

/**
 * Mails a reset link to the owner of the address. Nothing reveals whether there is an account: the same statements run
 * without one, and the remaining differences end before the answer is sent.
 */
export async function requestReset(
  dependencies: AuthenticationDependencies,
  request: Pick<Context<'requestPasswordReset'>, 'body' | keyof RequestOrigin>,
): Promise<void> {
  const due = setTimeout(ANSWER_AFTER_MILLISECONDS);
  await sendLink(dependencies, request);
  await due;
}

/**
 * Limits the mails to an address: five, then one after each pause of 15, 30 and then always 60 minutes until a link is
 * used, so that strangers cannot fill a mailbox. The pause never gets longer, and known locations are counted
 * separately, so that strangers cannot block the owner.
 */
function mailThrottle(
  { throttle: { key } }: AuthenticationDependencies,
  email: string,
  location: SignInLocation,
  now: RealTime,
): Throttle {
  const bucket = {
    name: location.isKnown ? `mail:${email}:${location.current}` : `mail:${email}`,
    limit: MAILS_BEFORE_PAUSE,
    againAfter: 1,
    longestLock: LONGEST_PAUSE,
  };
  return new Throttle(key, email, [bucket], now);
}

async function sendLink(
  dependencies: AuthenticationDependencies,
  request: Pick<Context<'requestPasswordReset'>, 'body' | keyof RequestOrigin>,
): Promise<void> {
  const { database, mail } = dependencies;
  const { now } = request;
  const email = normalEmail(request.body.email);
  const location = new SignInLocation(dependencies.throttle.key, email, {
    clientIp: request.clientIp,
    deviceToken: request.body.deviceToken,
    now,
  });
  const { token, hash } = generateToken('pr');
  const expiresAt = new Date(now.getTime() + LINK_VALID_MINUTES * MINUTE_MILLISECONDS);
  await database.platform({ tenantId: null }, async (tx) => {
    const [account] = await Promise.all([findAccount(tx, email), location.load(tx)]);
    const throttle = mailThrottle(dependencies, email, location, now);
    const last = await latestReset(tx, account?.user.id ?? randomUUID());
    const known = account !== null && canSignIn(account) ? account : null;
    const paused = (await throttle.enter(tx)) !== null;
    const tooSoon = paused || (last !== null && now.getTime() - last.getTime() < MINIMUM_INTERVAL);
    if (!tooSoon) await throttle.fail(tx);
    await replaceResets(tx, {
      userId: known === null || tooSoon ? randomUUID() : known.user.id,
      hash,
      now,
      expiresAt,
    });
    const outcome = outcomeOfRequest(known, tooSoon);
    for (const tenantId of known?.memberships.map(({ tenant }) => tenant.id) ?? [PLATFORM_TENANT_ID]) {
      const about =
        known !== null
          ? auditSubjectOf(known.user, tenantId)
          : ({
              actor: { type: 'user', id: null, display: 'unknown' },
              resource: { type: 'sign_in_address', id: accountKey(dependencies.throttle.key, email) },
              environment: 'live',
            } as const);
      recordPublicEvent<'requestPasswordReset'>(tx, tenantId, request, {
        ...about,
        ...outcome,
        action: 'auth.password.reset_requested',
      });
    }
    if (known === null || tooSoon) return;
    const { policies } = await personOf(tx, known);
    mail.queue(tx, { ...mailTo(known.user, policies), template: 'passwordReset', values: { token, expiresAt } });
  });
}

/** Returns the outcome of a request for a link, as the audit log names it. */
function outcomeOfRequest(account: Account | null, tooSoon: boolean) {
  if (account === null) return { outcome: 'failed', reason: 'unknown_address' } as const;
  if (tooSoon) return { outcome: 'denied', reason: 'too_soon' } as const;
  return { outcome: 'success' } as const;
}

type ResetRequest = Pick<Context<'resetPassword'>, 'body' | keyof RequestOrigin>;

/**
 * Resets the password. The link replaces the password, so a second factor is required as at sign-in. A reset also ends
 * every lock. Failures are counted separately from the sign-in, because otherwise a stranger who keeps an account
 * locked could prevent its owner from resetting the password.
 */
export async function resetPassword(dependencies: AuthenticationDependencies, request: ResetRequest): Promise<void> {
  const { database, credentials } = dependencies;
  const { now } = request;
  const { token, newPassword } = request.body;
  const hash = hashToken(token);
  const person = await database.platform({ tenantId: null }, async (tx) =>
    findPerson(tx, await findReset(tx, hash), now),
  );
  const email = normalEmail(person.user.email);
  const throttle = resetThrottle(dependencies.throttle, email, now);
  const refusal = await database.platform({ tenantId: null, readOnly: true }, (tx) => throttle.refusal(tx));
  if (refusal !== null) throw refusal;
  await assertStrong(person, newPassword);
  const reused = await isReused(dependencies, person, newPassword);
  const newHash = await hashPassword(newPassword);

  const failure = await database.platform({ tenantId: null }, async (tx) => {
    const locked = await throttle.enter(tx);
    if (locked !== null) return locked;
    // The link is read again under its lock, so that only one of several parallel uses succeeds.
    const { userId } = assertUsable(await lockReset(tx, hash), now);
    const factor = await verifySecondFactor(tx, dependencies.keys, userId, { proof: request.body, now });
    if (factor === 'missing') return new Problem('mfa_required');
    const tenantIds = person.memberships.map(({ tenant }) => tenant.id);
    if (factor === 'wrong') {
      await countFailure(tx, dependencies.mail, request, {
        throttle,
        user: person.user,
        tenantIds,
        reason: 'invalid_mfa_code',
      });
      return new Problem('invalid_mfa_code');
    }
    // Former passwords are revealed only after the second factor. The rollback makes its code usable again.
    if (reused) throw new Problem('password_reused');
    if (!(await setPassword(tx, dependencies, { person, newHash }, now))) throw new Problem('reset_token_invalid');
    await Promise.all([
      endSessionsOfPerson(tx, { userId, reason: 'password_reset', now }),
      clearFailuresOf(tx, throttle.account),
      showLockedUntil(tx, email, null),
      new SignInLocation(dependencies.throttle.key, email, request).trustOnlyThis(tx),
    ]);
    recordInEveryTenant<'resetPassword'>(tx, person, request, 'auth.password.reset');
    return null;
  });
  if (failure !== null) throw failure;
  credentials.forgetUser(person.user.id);
}

async function findPerson(tx: Transaction, reset: PasswordReset | null, now: RealTime): Promise<Person> {
  const account = await findAccountById(tx, assertUsable(reset, now).userId);
  if (account === null || !canSignIn(account)) throw new Problem('reset_token_invalid');
  return personOf(tx, account);
}

/** Returns one answer for a token that is unknown, used, replaced by a newer one, or too old. */
function assertUsable(reset: PasswordReset | null, now: RealTime): PasswordReset {
  if (reset === null || reset.expiresAt <= now) throw new Problem('reset_token_invalid');
  return reset;
}
