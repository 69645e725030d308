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
import { type Keeper, openSession, type OpenedSession } from '../sessions/index.ts';
import { openInvitationOf } from './open-invitation.ts';
import { findInvitation, type Invitation, markAccepted } from './store.ts';

type Acceptance = Context<'acceptInvitation'>['body'];

interface Request extends RequestOrigin {
  readonly keeper: Keeper;
  readonly body: Acceptance;
}

/** Hash of a newly chosen password, and the previous hash of the account. */
interface Hashes {
  readonly newHash: string | null;
  readonly passwordHash: string | null;
}

/**
 * Accepts an invitation and opens a session. A new person chooses name and password. A person who has an account proves
 * that it is theirs, because others may have read the mailed link, which alone must not give access to the account.
 */
export async function acceptInvitation(
  dependencies: AuthenticationDependencies,
  keeper: Keeper,
  body: Acceptance,
  { requestId, clientIp, userAgent, now }: RequestOrigin,
): Promise<OpenedSession> {
  const { database } = dependencies;
  const request = {
    keeper,
    body,
    requestId,
    clientIp,
    userAgent,
    now,
  };
  const { token, password } = body;
  const hash = hashToken(token);
  const { member, account } = await database.platform({ tenantId: null }, async (tx) =>
    openInvitationOf(tx, await findInvitation(tx, hash, false), now),
  );
  const throttle = invitationThrottle(dependencies.throttle, normalEmail(member.user.email), now);
  const newHash =
    account.passwordHash === null
      ? await hashChosen(dependencies, member, password)
      : await proveOwner(dependencies, throttle, member, account.passwordHash, request);

  const outcome = await database.platform({ tenantId: null }, async (tx) => {
    const invitation = await findInvitation(tx, hash, true);
    await openInvitationOf(tx, invitation, now);
    const factor =
      account.passwordHash === null ? 'none' : await requireSecondFactor(tx, dependencies, throttle, member, request);
    if (factor instanceof Problem) return factor;
    return join(
      withinTenant(tx, member.tenant.id),
      dependencies,
      invitation as Invitation,
      member,
      { newHash, passwordHash: account.passwordHash },
      factor,
      request,
    );
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
  throttle: Throttle,
  { user, tenant }: Member,
  passwordHash: string,
  request: Request,
): Promise<null> {
  const refusal = await database.platform({ tenantId: null, readOnly: true }, (tx) => throttle.refusal(tx));
  if (refusal !== null) throw refusal;
  if (await verifyPassword(passwordHash, request.body.password)) return null;
  throw await database.platform({ tenantId: null }, async (tx) => {
    const locked = await throttle.enter(tx);
    if (locked !== null) return locked;
    await countFailure(
      tx,
      mail,
      {
        throttle,
        user,
        tenantIds: [tenant.id],
        reason: 'invalid_credentials',
      },
      request,
    );
    return new Problem('invalid_credentials');
  });
}

async function requireSecondFactor(
  tx: Transaction,
  { keys, mail }: AuthenticationDependencies,
  throttle: Throttle,
  { user, tenant }: Member,
  request: Request,
): Promise<SecondFactorResult | Problem> {
  const locked = await throttle.enter(tx);
  if (locked !== null) return locked;
  const factor = await verifySecondFactor(tx, keys, user.id, { proof: request.body, now: request.now });
  if (factor === 'missing') return new Problem('mfa_required');
  if (factor === 'wrong') {
    await countFailure(
      tx,
      mail,
      {
        throttle,
        user,
        tenantIds: [tenant.id],
        reason: 'invalid_mfa_code',
      },
      request,
    );
    return new Problem('invalid_mfa_code');
  }
  await throttle.succeed(tx);
  return factor;
}

async function join(
  tx: Transaction,
  { tokens, throttle: { key } }: AuthenticationDependencies,
  invitation: Invitation,
  invited: Member,
  { newHash, passwordHash }: Hashes,
  factor: SecondFactorResult,
  request: Request,
): Promise<OpenedSession> {
  const {
    keeper,
    body: { name },
    now,
  } = request;
  const {
    tenant,
    user: { id },
  } = invited;
  const member = newHash === null ? invited : { ...invited, user: { ...invited.user, name } };
  // If two invitations are accepted at the same time, the second finds an account with a password.
  if (newHash !== null && !(await activateAccount(tx, id, name, newHash, now)))
    throw new Problem('invalid_credentials');
  if (!(await recordSignIn(tx, id, newHash ?? passwordHash ?? '', now))) throw new Problem('invalid_credentials');
  await Promise.all([
    markAccepted(tx, invitation, now),
    joinTenant(tx, tenant.id, id, now),
    recordMemberSignIn(tx, tenant.id, id, now),
  ]);
  recordPublicEvent<'acceptInvitation'>(tx, tenant.id, request, {
    ...auditSubjectOf(member.user, tenant.id),
    action: 'auth.invitation.accepted',
    outcome: 'success',
    changes: [
      { op: 'add', path: '/invitationId', value: invitation.id },
      { op: 'add', path: '/role', value: member.role },
    ],
  });
  const deviceToken = await new SignInLocation(key, normalEmail(member.user.email), request).remember(tx);
  const { id: sessionId, pair } = await openSession(
    tx,
    tokens,
    member,
    await securityPolicy(tx, tenant.id),
    { keeper, factor, passwordOutdated: false },
    request,
  );
  return { id: sessionId, pair: { ...pair, deviceToken } };
}
