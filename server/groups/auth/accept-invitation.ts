import type { Context } from '../../contract/handlers.ts';
import { withinTenant, type Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { assertTenantOpen } from '../../http/tenant-status.ts';
import { countFailure } from './count-failure.ts';
import { normalEmail } from './email.ts';
import { aboutUser, type Member } from './identity.ts';
import { hashToken } from './one-time-token.ts';
import { openSession } from './open-session.ts';
import type { AuthParts } from './parts.ts';
import { weaknessesOf } from './password-policy.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { Places } from './places.ts';
import { record, type Origin } from './record.ts';
import { unauthorized } from './refusals.ts';
import { judgeFactor, type Factor } from './second-factor.ts';
import { securityPolicy } from './security-policy.ts';
import { activateAccount, findAccountById, findInvited, recordSignIn, type Account } from './store/accounts.ts';
import { findInvitation, markAccepted, type Invitation } from './store/invitations.ts';
import { joinTenant, recordMemberSignIn } from './store/memberships.ts';
import { invitationThrottle, type Throttle } from './throttle.ts';
import type { TokenPair } from './token-pair.ts';

type Request = Pick<Context<'acceptInvitation'>, 'body' | keyof Origin>;

/** What a token opens, before its bearer has proved anything. */
interface Offer {
  readonly member: Member;
  readonly account: Account;
}

/** Of a password that was just chosen, or of the one that was shown. */
interface Hashes {
  readonly newHash: string | null;
  readonly passwordHash: string | null;
}

/**
 * A new person chooses name and password. Whoever has an account proves that it is theirs: a link alone, which others
 * may have read, must not give it away.
 */
export async function acceptInvitation(parts: AuthParts, request: Request): Promise<TokenPair> {
  const { database } = parts;
  const { body: { token, password }, now } = request;
  const hash = hashToken(token);
  const { member, account } = await database.platform({ tenantId: null }, async (tx) => offerOf(tx, await findInvitation(tx, hash, false), now));
  const throttle = invitationThrottle(parts.throttle, normalEmail(member.user.email), now);
  const newHash = account.passwordHash === null
    ? await hashChosen(parts, member, password)
    : await proveOwner(parts, throttle, member, account.passwordHash, request);

  const outcome = await database.platform({ tenantId: null }, async (tx) => {
    const invitation = await findInvitation(tx, hash, true);
    await offerOf(tx, invitation, now);
    const factor = account.passwordHash === null ? 'none' : await showFactor(tx, parts, throttle, member, request);
    if (factor instanceof Problem) return factor;
    return join(withinTenant(tx, member.tenant.id), parts, invitation as Invitation, member, { newHash, passwordHash: account.passwordHash }, factor, request);
  });
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}

async function offerOf(tx: Transaction, invitation: Invitation | null, now: Date): Promise<Offer> {
  if (invitation?.acceptedAt != null) throw new Problem('invitation_already_used');
  if (invitation === null || invitation.revokedAt !== null || invitation.expiresAt <= now) throw new Problem('invitation_invalid');
  const [member, account] = await Promise.all([findInvited(tx, invitation.tenantId, invitation.userId), findAccountById(tx, invitation.userId)]);
  if (member === null || account === null) throw new Problem('invitation_invalid');
  assertTenantOpen(member.tenant.status);
  return { member, account };
}

async function hashChosen({ database }: AuthParts, { user, tenant }: Member, password: string): Promise<string> {
  const policy = await database.platform({ tenantId: tenant.id, readOnly: true }, (tx) => securityPolicy(tx, tenant.id));
  const reasons = await weaknessesOf(password, { policies: [policy], mfaEnrolled: false, email: user.email, tenantNames: [tenant.name] });
  if (reasons.length > 0) throw new Problem('weak_password', { reasons });
  return hashPassword(password);
}

/** Nothing is hashed anew: the password stays. */
async function proveOwner({ database, mail }: AuthParts, throttle: Throttle, { user, tenant }: Member, passwordHash: string, request: Request): Promise<null> {
  const refusal = await database.platform({ tenantId: null, readOnly: true }, (tx) => throttle.refusal(tx));
  if (refusal !== null) throw refusal;
  if (await verifyPassword(passwordHash, request.body.password)) return null;
  throw await database.platform({ tenantId: null }, async (tx) => {
    const locked = await throttle.enter(tx);
    if (locked !== null) return locked;
    await countFailure(tx, mail, { throttle, user, tenantIds: [tenant.id], reason: 'invalid_credentials' }, request);
    return unauthorized('invalid_credentials');
  });
}

async function showFactor(tx: Transaction, { keys, mail }: AuthParts, throttle: Throttle, { user, tenant }: Member, request: Request): Promise<Factor | Problem> {
  const locked = await throttle.enter(tx);
  if (locked !== null) return locked;
  const factor = await judgeFactor(tx, keys, user.id, request.body, request.now);
  if (factor === 'missing') return unauthorized('mfa_required');
  if (factor === 'wrong') {
    await countFailure(tx, mail, { throttle, user, tenantIds: [tenant.id], reason: 'invalid_mfa_code' }, request);
    return unauthorized('invalid_mfa_code');
  }
  await throttle.succeed(tx);
  return factor;
}

async function join(
  tx: Transaction, { tokens, throttle: { key } }: AuthParts, invitation: Invitation, invited: Member, { newHash, passwordHash }: Hashes, factor: Factor, request: Request,
): Promise<TokenPair> {
  const { body: { name }, now } = request;
  const { tenant, user: { id } } = invited;
  const member = newHash === null ? invited : { ...invited, user: { ...invited.user, name } };
  // Of two invitations that are accepted at once the second one finds an account with a password.
  if (newHash !== null && !await activateAccount(tx, id, name, newHash, now)) throw unauthorized('invalid_credentials');
  if (!await recordSignIn(tx, id, newHash ?? passwordHash ?? '', now)) throw unauthorized('invalid_credentials');
  await Promise.all([markAccepted(tx, invitation, now), joinTenant(tx, tenant.id, id, now), recordMemberSignIn(tx, tenant.id, id, now)]);
  record<'acceptInvitation'>(tx, tenant.id, request, {
    ...aboutUser(member.user, tenant.id), action: 'auth.invitation.accepted', outcome: 'success',
    changes: [{ op: 'add', path: '/invitationId', value: invitation.id }, { op: 'add', path: '/role', value: member.role }],
  });
  const deviceToken = await new Places(key, normalEmail(member.user.email), request).remember(tx);
  return { ...await openSession(tx, tokens, member, await securityPolicy(tx, tenant.id), { factor, passwordOutdated: false }, request), deviceToken };
}
