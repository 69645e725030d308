import type { Context } from '../../contract/handlers.ts';
import { withinTenant, type Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { isOpen } from '../../http/tenant-status.ts';
import { countFailure } from './count-failure.ts';
import { normalEmail } from './email.ts';
import { aboutUser, type Member } from './identity.ts';
import { openSession } from './open-session.ts';
import type { AuthParts } from './parts.ts';
import { weaknessesOf } from './password-policy.ts';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';
import { record, type Origin } from './record.ts';
import { unauthorized } from './refusals.ts';
import { judgeFactor, type Factor } from './second-factor.ts';
import { securityPolicy } from './security-policy.ts';
import { SignInThrottle } from './sign-in-throttle.ts';
import { findAccount, recordSignIn, replacePasswordHash, type Account, type Membership } from './store/accounts.ts';
import { recordMemberSignIn } from './store/memberships.ts';
import { countRecoveryCodes } from './store/recovery-codes.ts';
import type { TokenPair } from './token-pair.ts';

export type SignInRequest = Pick<Context<'login'>, 'body' | keyof Origin>;

/**
 * An unknown user, a wrong password and a deactivated user take the same path to the same answer, also while strangers are
 * barred: then only who is right and comes from a known place gets in. No connection is held while the password is hashed.
 */
export async function signIn(parts: AuthParts, request: SignInRequest): Promise<TokenPair> {
  const { database } = parts;
  const { body: { password, tenantSlug, deviceToken }, clientIp, now } = request;
  const email = normalEmail(request.body.email);
  const throttle = new SignInThrottle(parts.throttle, email, { clientIp, deviceToken, now });
  const [refusal, account] = await database.platform({ tenantId: null, readOnly: true }, (tx) =>
    Promise.all([throttle.refusal(tx), findAccount(tx, email)]));
  if (refusal !== null) throw refusal;

  const right = await verifyPassword(account?.passwordHash ?? null, password);
  const memberships = eligible(account, tenantSlug);
  const [membership] = memberships;
  if (!right || account === null || membership === undefined) {
    throw await database.platform({ tenantId: null }, (tx) => refuse(tx, parts, throttle, account, request));
  }
  const newHash = account.passwordHash !== null && isOutdated(account.passwordHash) ? await hashPassword(password) : null;
  const outcome = await database.platform({ tenantId: null }, async (tx) => {
    const settled = await secondHalf(tx, parts, throttle, account, memberships, { user: account.user, ...membership }, request);
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

/** The password was right. A second factor is asked for last: its code works once, and must not be used up in vain. */
async function secondHalf(
  tx: Transaction, parts: AuthParts, throttle: SignInThrottle, { passwordHash }: Account, memberships: readonly Membership[], member: Member, request: SignInRequest,
): Promise<TokenPair | Problem> {
  const locked = await throttle.enter(tx) ?? (throttle.places.isKnown ? null : throttle.bar);
  if (locked !== null) return locked;
  if (memberships.length > 1) return new Problem('tenant_selection_required', { tenants: memberships.map(({ tenant: { slug, name } }) => ({ slug, name })) });
  if (!isOpen(member.tenant.status)) return new Problem('tenant_suspended');
  const factor = await judgeFactor(tx, parts.keys, member.user.id, request.body, request.now);
  if (factor === 'missing') return unauthorized('mfa_required');
  if (factor === 'wrong') {
    await countFailure(tx, parts.mail, { throttle, user: member.user, tenantIds: [member.tenant.id], reason: 'invalid_mfa_code' }, request);
    return unauthorized('invalid_mfa_code');
  }
  await throttle.succeed(tx);
  // Everything is rolled back: neither the code is used up nor the failures are forgotten.
  if (!await recordSignIn(tx, member.user.id, passwordHash ?? '', request.now)) throw unauthorized('invalid_credentials');
  const deviceToken = await throttle.places.remember(tx);
  return { ...await welcome(withinTenant(tx, member.tenant.id), parts, member, factor, request), deviceToken };
}

/** The refusal, once its trace is committed: in the chains of the tenants that the account belongs to, or else in the platform's. */
async function refuse(tx: Transaction, { mail }: AuthParts, throttle: SignInThrottle, account: Account | null, request: SignInRequest): Promise<Problem> {
  const locked = await throttle.enter(tx);
  if (locked !== null) return locked;
  const tenantIds = (account?.memberships ?? []).map(({ tenant }) => tenant.id);
  await countFailure(tx, mail, { throttle, user: account?.user ?? null, tenantIds, reason: 'invalid_credentials' }, request);
  return throttle.bar ?? unauthorized('invalid_credentials');
}

async function welcome(tx: Transaction, { tokens, mail }: AuthParts, member: Member, factor: Factor, request: SignInRequest): Promise<TokenPair> {
  const { user, tenant } = member;
  const { now, clientIp } = request;
  const policy = await securityPolicy(tx, tenant.id);
  const reasons = await weaknessesOf(request.body.password, { policies: [policy], mfaEnrolled: user.mfaEnabled, email: user.email, tenantNames: [tenant.name] });
  await recordMemberSignIn(tx, tenant.id, user.id, now);
  if (factor === 'recovery_code') {
    const remaining = await countRecoveryCodes(tx, user.id);
    mail.queue(tx, { to: { address: user.email, name: user.name }, locale: policy.locale, template: 'recoveryCodeUsed', values: { at: now, ip: clientIp, remaining } });
  }
  record<'login'>(tx, tenant.id, request, {
    ...aboutUser(user, tenant.id), action: 'auth.login.succeeded', outcome: 'success',
    changes: [{ op: 'add', path: '/secondFactor', value: factor }],
  });
  return openSession(tx, tokens, member, policy, { factor, passwordOutdated: reasons.length > 0 }, request);
}
