/**
 * Accepts an invitation, by a new person or one with an account, and opens a session. Called by the handlers. Failures
 * count against a throttle and are audited. The mailed link alone never gives access to an existing account, and only
 * one of several parallel acceptances succeeds.
 */
import { Problem } from '../../contract/problem.ts';
import { type Transaction, withinTenant } from '../../database/index.ts';
import { type SecondFactorResult, verifySecondFactor } from '../../identity/second-factor.ts';
import type { Context } from '../../request/handler.ts';
import { normalEmail } from '../../rules/email-address.ts';
import { hashToken } from '../../rules/one-time-token.ts';
import { hashPassword, verifyPassword } from '../../rules/password-hash.ts';
import { weaknessesOf } from '../../rules/password-policy.ts';
import {
  activateAccount,
  auditSubjectOf,
  joinTenant,
  type Member,
  recordMemberSignIn,
  recordPublicEvent,
  recordSignIn,
  type RequestOrigin,
  securityPolicy,
} from '../accounts/index.ts';
import {
  type AuthenticationDependencies,
  countFailure,
  invitationThrottle,
  SignInLocation,
  type Throttle,
} from '../login-throttle/index.ts';
import { type ClientKind, openSession, type OpenedSession } from '../sessions/index.ts';
import { openInvitationOf } from './open-invitation.ts';
import { findInvitation, type Invitation, markAccepted } from './store.ts';

type Acceptance = Context<'acceptInvitation'>['body'];

/** One attempt: the client that will store the refresh token, the body, the invited member, and the origin. */
interface Attempt extends RequestOrigin {
  readonly clientKind: ClientKind;
  readonly body: Acceptance;
  readonly member: Member;
  /** Counter of the failed attempts. */
  readonly throttle: Throttle;
}

/** What the person proved: the hash of a newly chosen password, the previous hash, and the second factor. */
interface Proof {
  readonly newHash: string | null;
  readonly passwordHash: string | null;
  readonly factor: SecondFactorResult;
}

/**
 * Accepts an invitation and opens a session. A new person chooses name and password. A person who has an account proves
 * that it is theirs, because others may have read the mailed link, which alone must not give access to the account.
 */
export async function acceptInvitation(
  dependencies: AuthenticationDependencies,
  clientKind: ClientKind,
  body: Acceptance,
  { requestId, clientIp, userAgent, now }: RequestOrigin,
): Promise<OpenedSession> {
  const { database } = dependencies;
  const { token, password } = body;
  const hash = hashToken(token);
  const { member, account } = await database.platform({ tenantId: null }, async (tx) =>
    openInvitationOf(tx, await findInvitation(tx, hash, false), now),
  );
  const attempt = {
    clientKind,
    body,
    member,
    throttle: invitationThrottle(dependencies.throttle, normalEmail(member.user.email), now),
    requestId,
    clientIp,
    userAgent,
    now,
  };
  const { passwordHash } = account;
  const newHash =
    passwordHash === null
      ? await hashChosen(dependencies, member, password)
      : await proveOwner(dependencies, passwordHash, attempt);

  const outcome = await database.platform({ tenantId: null }, async (tx) => {
    const invitation = await findInvitation(tx, hash, true);
    await openInvitationOf(tx, invitation, now);
    const factor = passwordHash === null ? 'none' : await requireSecondFactor(tx, dependencies, attempt);
    if (factor instanceof Problem) return factor;
    const proof = { newHash, passwordHash, factor };
    return join(withinTenant(tx, member.tenant.id), dependencies, attempt, {
      invitation: invitation as Invitation,
      proof,
    });
  });
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

async function hashChosen(
  { database }: AuthenticationDependencies,
  { user, tenant }: Member,
  password: string,
): Promise<string> {
  const policy = await database.platform({ tenantId: tenant.id, readOnly: true }, (tx) =>
    securityPolicy(tx, tenant.id),
  );
  const reasons = await weaknessesOf(password, {
    policies: [policy],
    mfaEnrolled: false,
    email: user.email,
    tenantNames: [tenant.name],
  });
  if (reasons.length > 0) throw new Problem('weak_password', { reasons });
  return hashPassword(password);
}

/** Verifies the password of an existing account. Returns null as the new hash, because the password does not change. */
async function proveOwner(
  { database, mail }: AuthenticationDependencies,
  passwordHash: string,
  attempt: Attempt,
): Promise<null> {
  const { throttle } = attempt;
  const refusal = await database.platform({ tenantId: null, readOnly: true }, (tx) => throttle.refusal(tx));
  if (refusal !== null) throw refusal;
  if (await verifyPassword(passwordHash, attempt.body.password)) return null;
  throw await database.platform({ tenantId: null }, async (tx) => {
    const locked = await throttle.enter(tx);
    if (locked !== null) return locked;
    await countFailure(tx, mail, attempt, failureOf(attempt, 'invalid_credentials'));
    return new Problem('invalid_credentials');
  });
}

/** Describes a failed attempt for its counter and for the audit log. */
function failureOf<R extends string>({ throttle, member: { user, tenant } }: Attempt, reason: R) {
  return {
    throttle,
    user,
    tenantIds: [tenant.id],
    reason,
  };
}

async function requireSecondFactor(
  tx: Transaction,
  { keys, mail }: AuthenticationDependencies,
  attempt: Attempt,
): Promise<SecondFactorResult | Problem> {
  const { throttle, member } = attempt;
  const locked = await throttle.enter(tx);
  if (locked !== null) return locked;
  const factor = await verifySecondFactor(tx, keys, member.user.id, { proof: attempt.body, now: attempt.now });
  if (factor === 'missing') return new Problem('mfa_required');
  if (factor === 'wrong') {
    await countFailure(tx, mail, attempt, failureOf(attempt, 'invalid_mfa_code'));
    return new Problem('invalid_mfa_code');
  }
  await throttle.succeed(tx);
  return factor;
}

async function join(
  tx: Transaction,
  { tokens, throttle: { key } }: AuthenticationDependencies,
  attempt: Attempt,
  { invitation, proof }: { readonly invitation: Invitation; readonly proof: Proof },
): Promise<OpenedSession> {
  const { clientKind, member: invited, now } = attempt;
  const { name } = attempt.body;
  const { tenant } = invited;
  const { id } = invited.user;
  const { newHash, passwordHash, factor } = proof;
  const member = newHash === null ? invited : { ...invited, user: { ...invited.user, name } };
  // If two invitations are accepted at the same time, the second finds an account with a password.
  if (newHash !== null && !(await activateAccount(tx, id, { name, passwordHash: newHash }, now)))
    throw new Problem('invalid_credentials');
  if (!(await recordSignIn(tx, id, newHash ?? passwordHash ?? '', now))) throw new Problem('invalid_credentials');
  await Promise.all([
    markAccepted(tx, invitation, now),
    joinTenant(tx, tenant.id, id, now),
    recordMemberSignIn(tx, tenant.id, id, now),
  ]);
  recordPublicEvent<'acceptInvitation'>(tx, tenant.id, attempt, {
    ...auditSubjectOf(member.user, tenant.id),
    action: 'auth.invitation.accepted',
    outcome: 'success',
    changes: [
      { op: 'add', path: '/invitationId', value: invitation.id },
      { op: 'add', path: '/role', value: member.role },
    ],
  });
  const deviceToken = await new SignInLocation(key, normalEmail(member.user.email), attempt).remember(tx);
  const opening = {
    member,
    lifetime: await securityPolicy(tx, tenant.id),
    clientKind,
    factor,
    passwordOutdated: false,
  };
  const { id: sessionId, pair } = await openSession(tx, tokens, opening, attempt);
  return { id: sessionId, pair: { ...pair, deviceToken } };
}
