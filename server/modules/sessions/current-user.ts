/**
 * The signed-in user with tenant, session and permitted operations. Called by the handler. The permissions follow from
 * the contract and are for display; each operation authorizes its caller itself. A session that has ended gives
 * `token_revoked`.
 */
import { DAY_MILLISECONDS, readInstant } from '../../base/time.ts';
import { operations } from '../../contract/generated/operations.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Operation, Role } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context } from '../../request/handler.ts';
import { absenceOf, findMember, identityOf, recordAbsence, securityPolicy } from '../accounts/index.ts';
import { slidingEnd } from './refresh-token.ts';
import { findSession, type Session } from './store.ts';

const known = new Map<Role, readonly string[]>();

/**
 * Returns the operations that a role may call according to the contract, including former operation ids, which clients
 * may still look for.
 */
export function permissionsOf(role: Role): readonly string[] {
  const cached = known.get(role);
  if (cached !== undefined) return cached;
  const all: readonly Operation[] = Object.values(operations);
  const permitted = all
    .filter(({ roles }) => roles.includes(role))
    .flatMap(({ operationId, formerIds }) => [operationId, ...formerIds])
    .sort();
  known.set(role, permitted);
  return permitted;
}

export async function readCurrentUser({
  tx,
  principal: { tenantId, userId, sessionId },
  environment,
  now,
}: Pick<Context<'getCurrentUser'>, 'tx' | 'principal' | 'environment' | 'now'>): Promise<
  components['schemas']['CurrentUser']
> {
  const [member, session, { mfaRequired }, absentUntil] = await Promise.all([
    findMember(tx, tenantId, userId),
    findSession(tx, tenantId, sessionId),
    securityPolicy(tx, tenantId),
    absenceOf(tx, tenantId, userId),
  ]);
  if (member === null || session === null) throw new Problem('token_revoked');
  return {
    user: identityOf(member),
    tenant: member.tenant,
    session: sessionView(session, sessionId),
    environment,
    permissions: [...permissionsOf(member.role)],
    mfaEnrolmentRequired: mfaRequired && !member.user.mfaEnabled,
    absentUntil: absentUntil !== null && Date.parse(absentUntil) > now.getTime() ? absentUntil : null,
  };
}

/** Longest absence that a member may announce. */
const LONGEST_ABSENCE = 366 * DAY_MILLISECONDS;

/** Records until when the caller is absent from work in the tenant. */
export async function changeAbsence({
  tx,
  principal: { tenantId, userId },
  body: { absentUntil = null },
  now,
}: Pick<Context<'updateCurrentUser'>, 'tx' | 'principal' | 'body' | 'now'>): Promise<void> {
  const until = absentUntil === null ? null : readInstant(absentUntil);
  if (until !== null && (until <= now || until.getTime() > now.getTime() + LONGEST_ABSENCE))
    throw new Problem('validation_failed', {
      errors: [{ pointer: '/absentUntil', code: 'range', message: 'must be in the future, at most 366 days ahead' }],
    });
  await recordAbsence(tx, tenantId, userId, until);
}

function sessionView(
  { id, createdAt, lastSeenAt, idleSeconds, absoluteExpiresAt, mfa, ip, userAgent }: Session,
  current: string,
): components['schemas']['Session'] {
  return {
    id,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: slidingEnd(lastSeenAt, idleSeconds, absoluteExpiresAt).toISOString(),
    mfa,
    ip,
    userAgent,
    current: id === current,
  };
}
