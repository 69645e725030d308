/**
 * Signs a user in by password and second factor. Called by the handlers. Unknown users, wrong passwords and deactivated
 * users must take the same time and get the same answer. The second factor is verified last, because its code works
 * once.
 */
import { Problem } from '../../contract/problem.ts';
import { type Transaction, withinTenant } from '../../database/index.ts';
import { countRecoveryCodes } from '../../identity/second-factor-store.ts';
import { type SecondFactorResult, verifySecondFactor } from '../../identity/second-factor.ts';
import { isOpen } from '../../identity/tenant.ts';
import type { Context } from '../../request/handler.ts';
import { normalEmail } from '../../rules/email-address.ts';
import { hashPassword, isOutdated, verifyPassword } from '../../rules/password-hash.ts';
import { weaknessesOf } from '../../rules/password-policy.ts';
import {
  type Account,
  auditSubjectOf,
  findAccount,
  type Member,
  type Membership,
  recordMemberSignIn,
  recordPublicEvent,
  recordSignIn,
  replacePasswordHash,
  type RequestOrigin,
  securityPolicy,
} from '../accounts/index.ts';
import { type AuthenticationDependencies, countFailure, SignInThrottle } from '../login-throttle/index.ts';
import { type ClientKind, openSession, type OpenedSession } from '../sessions/index.ts';

type Credentials = Context<'login'>['body'];

/** One attempt: the client that will store the refresh token, the credentials, and the origin. */
interface SignInRequest extends RequestOrigin {
  readonly clientKind: ClientKind;
  readonly body: Credentials;
  /** Counter of the failed attempts. */
  readonly throttle: SignInThrottle;
}

/** Account whose password was verified, and the memberships among which the person may choose. */
interface VerifiedAccount {
  readonly account: Account;
  readonly memberships: readonly Membership[];
  readonly member: Member;
}

/**
 * Signs a user in. An unknown user, a wrong password and a deactivated user take the same path to the same answer.
 * While unknown locations are refused, only the right password from a known location is accepted. No connection is in
 * use while the password is hashed.
 */
export async function signIn(
  dependencies: AuthenticationDependencies,
  clientKind: ClientKind,
  body: Credentials,
  { requestId, clientIp, userAgent, now }: RequestOrigin,
): Promise<OpenedSession> {
  const { database } = dependencies;
  const { password, tenantSlug, deviceToken } = body;
  const email = normalEmail(body.email);
  const throttle = new SignInThrottle(dependencies.throttle, email, { clientIp, deviceToken, now });
  const request = {
    clientKind,
    body,
    throttle,
    requestId,
    clientIp,
    userAgent,
    now,
  };
  const [refusal, account] = await database.platform({ tenantId: null, readOnly: true }, (tx) =>
    Promise.all([throttle.refusal(tx), findAccount(tx, email)]),
  );
  if (refusal !== null) throw refusal;

  const isRightPassword = await verifyPassword(account?.passwordHash ?? null, password);
  const memberships = eligible(account, tenantSlug);
  const [membership] = memberships;
  if (!isRightPassword || account === null || membership === undefined) {
    throw await database.platform({ tenantId: null }, (tx) => recordRefusal(tx, dependencies, account, request));
  }
  const newHash =
    account.passwordHash !== null && isOutdated(account.passwordHash) ? await hashPassword(password) : null;
  const outcome = await database.platform({ tenantId: null }, async (tx) => {
    const verified = { account, memberships, member: { user: account.user, ...membership } };
    const settled = await finishSignIn(tx, dependencies, verified, request);
    if (newHash !== null && !(settled instanceof Problem)) await replacePasswordHash(tx, account.user.id, newHash);
    return settled;
  });
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

function eligible(account: Account | null, slug: string | undefined): readonly Membership[] {
  if (account === null || account.status !== 'active') return [];
  return slug === undefined ? account.memberships : account.memberships.filter(({ tenant }) => tenant.slug === slug);
}

/**
 * Completes a sign-in after the password was verified. The second factor is verified last, because its code works once
 * and must not be used up in vain.
 */
async function finishSignIn(
  tx: Transaction,
  dependencies: AuthenticationDependencies,
  { account: { passwordHash }, memberships, member }: VerifiedAccount,
  request: SignInRequest,
): Promise<OpenedSession | Problem> {
  const { throttle } = request;
  const locked = (await throttle.enter(tx)) ?? (throttle.location.isKnown ? null : throttle.refusalElsewhere);
  if (locked !== null) return locked;
  if (memberships.length > 1)
    return new Problem('tenant_selection_required', {
      tenants: memberships.map(({ tenant: { slug, name } }) => ({ slug, name })),
    });
  if (!isOpen(member.tenant.status)) return new Problem('tenant_suspended');
  const factor = await verifySecondFactor(tx, dependencies.keys, member.user.id, {
    proof: request.body,
    now: request.now,
  });
  if (factor === 'missing') return new Problem('mfa_required');
  if (factor === 'wrong') {
    await countFailure(tx, dependencies.mail, request, {
      throttle,
      user: member.user,
      tenantIds: [member.tenant.id],
      reason: 'invalid_mfa_code',
    });
    return new Problem('invalid_mfa_code');
  }
  await throttle.succeed(tx);
  // The rollback leaves the code unused and the failures counted.
  if (!(await recordSignIn(tx, member.user.id, passwordHash ?? '', request.now)))
    throw new Problem('invalid_credentials');
  const deviceToken = await throttle.location.remember(tx);
  const within = withinTenant(tx, member.tenant.id);
  const { id, pair } = await openMemberSession(within, dependencies, { member, factor }, request);
  return { id, pair: { ...pair, deviceToken } };
}

/** Records a refusal and returns it: in the audit chains of the account's tenants, or else in the platform's. */
async function recordRefusal(
  tx: Transaction,
  { mail }: AuthenticationDependencies,
  account: Account | null,
  request: SignInRequest,
): Promise<Problem> {
  const { throttle } = request;
  const locked = await throttle.enter(tx);
  if (locked !== null) return locked;
  await countFailure(tx, mail, request, {
    throttle,
    user: account?.user ?? null,
    tenantIds: (account?.memberships ?? []).map(({ tenant }) => tenant.id),
    reason: 'invalid_credentials',
  });
  return throttle.refusalElsewhere ?? new Problem('invalid_credentials');
}

async function openMemberSession(
  tx: Transaction,
  { tokens, mail }: AuthenticationDependencies,
  { member, factor }: { readonly member: Member; readonly factor: SecondFactorResult },
  request: SignInRequest,
): Promise<OpenedSession> {
  const { user, tenant } = member;
  const { now, clientIp } = request;
  const policy = await securityPolicy(tx, tenant.id);
  const reasons = await weaknessesOf(request.body.password, {
    policies: [policy],
    mfaEnrolled: user.mfaEnabled,
    email: user.email,
    tenantNames: [tenant.name],
  });
  await recordMemberSignIn(tx, tenant.id, user.id, now);
  if (factor === 'recovery_code') {
    const remaining = await countRecoveryCodes(tx, user.id);
    mail.queue(tx, {
      to: { address: user.email, name: user.name },
      locale: policy.locale,
      template: 'recoveryCodeUsed',
      values: { at: now, ip: clientIp, remaining },
    });
  }
  recordPublicEvent<'login'>(tx, tenant.id, request, {
    ...auditSubjectOf(user, tenant.id),
    action: 'auth.login.succeeded',
    outcome: 'success',
    changes: [{ op: 'add', path: '/secondFactor', value: factor }],
  });
  const opening = {
    member,
    lifetime: policy,
    clientKind: request.clientKind,
    factor,
    passwordOutdated: reasons.length > 0,
  };
  return openSession(tx, tokens, opening, request);
}
