/**
 * Changes of members by administrators of the tenant: inviting, revoking, patching, unlocking, resetting a second
 * factor. Called by the handlers. Locks the seats of the tenant first, so that two changes cannot take the last seat or
 * remove the last owner. Ends sessions of deactivated people.
 */
import type { RealTime } from '../../base/time.ts';
import type { Secrets } from '../../base/secrets.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf, type AnyPrincipal, type UserPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { PLATFORM_TENANT_ID } from '../../database/roles.ts';
import { removeSecondFactors as resetMfa } from '../../identity/second-factor.ts';
import { localeOf, type Outbox } from '../../providers/mail/index.ts';
import { assertMatch } from '../../request/preconditions.ts';
import { normalEmail } from '../../rules/email-address.ts';
import { findMemberEmail, unlockMembership } from '../accounts/index.ts';
import { assertUnrestrictedCaller } from '../api-keys/index.ts';
import { invite, revokeInvitation, takeMailQuota } from '../invitations/index.ts';
import { accountKey, clearFailuresOf, showLockedUntil } from '../login-throttle/index.ts';
import { endSessions, endSessionsOfPerson } from '../sessions/index.ts';
import { publish } from '../subject-events/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { assertMayChangeRole, isSelf, statusChange, type StatusChange, type UserRecord } from './member.ts';
import { countSeatsTaken, hasOtherOwner, lockSeatTerms, type SeatTerms } from './seat-store.ts';
import { findInvitationOfMember, findMemberId, findUser, nameMember, otherTenantsOf, updateMember } from './store.ts';

/**
 * Ends both locks of a member: the one after wrong passwords and the one after long absence. Runs as the platform's
 * role in the tenant.
 */
export async function unlockAccount(
  tx: Transaction,
  secrets: Secrets,
  member: { tenantId: string; userId: string; now: RealTime },
): Promise<void> {
  const email = await findMemberEmail(tx, member.tenantId, member.userId);
  if (email === null) return;
  await Promise.all([
    clearFailuresOf(tx, accountKey(secrets.deriveKey('login-throttle'), normalEmail(email))),
    showLockedUntil(tx, normalEmail(email), null),
    unlockMembership(tx, member.tenantId, member.userId, member.now),
  ]);
}

/**
 * Rejects another member if all seats are taken. The caller must hold the lock on the tenant's terms. A quota may be
 * lowered below the number of members, who remain.
 */
async function assertSeat(
  tx: Transaction,
  { seats }: SeatTerms,
  { tenantId, userId }: { readonly tenantId: string; readonly userId: string | null },
  now: RealTime,
): Promise<void> {
  if (seats !== null && (await countSeatsTaken(tx, tenantId, userId, now)) >= seats) throw new Problem('seat_limit');
}

interface InviteRequest {
  readonly wanted: components['schemas']['UserInvite'];
  readonly now: RealTime;
}

interface Invited {
  readonly user: UserRecord;
  readonly outcome: 'created' | 'resent' | 'reactivated';
}

/** Invites a person, or sends their pending invitation again. The mail is sent if the transaction commits. */
export async function createInvitation(
  tx: Transaction,
  { mail, secrets }: { mail: Outbox; secrets: Secrets },
  caller: AnyPrincipal,
  { wanted: { email, role, name }, now }: InviteRequest,
): Promise<Invited> {
  const { tenantId } = caller;
  await assertUnrestrictedCaller(tx, caller);
  assertMayChangeRole(caller, role);
  const normalised = normalEmail(email);
  const [terms, settings, knownId] = await Promise.all([
    lockSeatTerms(tx, tenantId),
    readSettings(tx, tenantId),
    findMemberId(tx, tenantId, normalised),
  ]);
  assertDomain(normalised, settings.security.allowedEmailDomains);
  const before = knownId === null ? null : await findUser(tx, tenantId, knownId, now);
  if (before !== null && (before.status === 'active' || before.status === 'locked'))
    throw new Problem('user_exists', { existingId: before.id });
  assertMayChangeRole(caller, before?.role);
  await assertSeat(tx, terms, { tenantId, userId: before?.id ?? null }, now);
  await takeMailQuota(tx, secrets, {
    caller,
    email,
    pointer: '/email',
    seats: terms.seats,
    now,
  });
  const result = await invite(tx, {
    tenantId,
    email,
    name: name ?? '',
    role,
    invitedBy: actorOf(caller),
    now,
  });
  if (result.outcome === 'member') throw new Problem('user_exists', { existingId: result.user.id });
  const { token, outcome } = result;
  const { id, email: address } = result.user;
  const { expiresAt } = result.invitation;
  if (before === null || name !== undefined) await nameMember(tx, tenantId, id, name ?? '');
  mail.queue(tx, {
    to: { address, name: name ?? null },
    locale: localeOf(settings.branding.locale),
    template: 'invitation',
    values: {
      tenantName: terms.name,
      inviterName: caller.display,
      token,
      expiresAt,
    },
  });
  return {
    user: (await findUser(tx, tenantId, id, now)) as UserRecord,
    outcome: before?.joined === false && outcome === 'reactivated' ? 'created' : outcome,
  };
}

function assertDomain(email: string, allowed: readonly string[]): void {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (allowed.length > 0 && !allowed.includes(domain)) {
    throw new Problem('email_domain_not_allowed', {
      errors: [{ pointer: '/email', code: 'domain', message: 'must be at a domain that the settings allow' }],
    });
  }
}

/**
 * Revokes an invitation. Returns the id of the invited person; null if the invitation was revoked before, because
 * repeating a revocation changes nothing.
 */
export async function revokeMemberInvitation(
  tx: Transaction,
  caller: AnyPrincipal,
  id: string,
  now: RealTime,
): Promise<string | null> {
  await assertUnrestrictedCaller(tx, caller);
  const { tenantId } = caller;
  await lockSeatTerms(tx, tenantId);
  const invitation = await findInvitationOfMember(tx, tenantId, id);
  if (invitation === null) throw new Problem('not_found');
  if (invitation.isRevoked) return null;
  assertMayChangeRole(caller, invitation.role);
  if ((await revokeInvitation(tx, tenantId, id, now)) === 'already_used') throw new Problem('invitation_already_used');
  return invitation.userId;
}

interface PatchRequest {
  readonly userId: string;
  readonly ifMatch: string | undefined;
  readonly patch: components['schemas']['UserUpdate'];
  readonly now: RealTime;
}

interface Updated {
  readonly before: UserRecord;
  readonly after: UserRecord;
  readonly change: StatusChange;
}

/** Merges a patch (RFC 7396) into the members of a user that the tenant controls. */
export async function patchUser(
  tx: Transaction,
  secrets: Secrets,
  caller: AnyPrincipal,
  { userId, ifMatch, patch, now }: PatchRequest,
): Promise<Updated> {
  await assertUnrestrictedCaller(tx, caller);
  const { tenantId } = caller;
  const terms = await lockSeatTerms(tx, tenantId);
  const before = await findUser(tx, tenantId, userId, now);
  if (before === null) throw new Problem('not_found');
  assertMatch(ifMatch, before.version);
  const change = statusChange(before, patch);
  const role = patch.role ?? before.role;
  if (isSelf(caller, before.id) && (change !== null || role !== before.role))
    throw new Problem('cannot_change_own_role');
  assertMayChangeRole(caller, before.role, role);
  await assertOwnerStays(tx, tenantId, before, { role, change });
  await changeStatus(tx, secrets, {
    tenantId,
    user: before,
    change,
    terms,
    now,
  });
  const name = patch.name === undefined || patch.name === before.name ? null : patch.name;
  if (change === null && role === before.role && name === null) return { before, after: before, change };
  await updateMember(tx, { tenantId, userId, now }, { name, role, status: statusAfter(change) });
  if (change === 'deactivate') await publish(tx, { type: 'member.deactivated', userId, now });
  return { before, after: (await findUser(tx, tenantId, userId, now)) as UserRecord, change };
}

async function assertOwnerStays(
  tx: Transaction,
  tenantId: string,
  { id, role: was, status }: UserRecord,
  { role, change }: { role: UserRecord['role']; change: StatusChange },
): Promise<void> {
  const leaves =
    was === 'owner' && (status === 'active' || status === 'locked') && (role !== 'owner' || change === 'deactivate');
  if (leaves && !(await hasOtherOwner(tx, tenantId, id))) throw new Problem('last_owner');
}

interface StatusChangeRequest {
  readonly tenantId: string;
  readonly user: UserRecord;
  readonly change: StatusChange;
  readonly terms: SeatTerms;
  readonly now: RealTime;
}

async function changeStatus(
  tx: Transaction,
  secrets: Secrets,
  { tenantId, user, change, terms, now }: StatusChangeRequest,
): Promise<void> {
  const { id: userId, invitation } = user;
  if (change === 'reactivate') await assertSeat(tx, terms, { tenantId, userId }, now);
  if (change === 'unlock') await unlockAccount(tx, secrets, { tenantId, userId, now });
  if (change === 'deactivate') {
    await endSessions(tx, {
      tenantId,
      userId,
      reason: 'deactivated',
      now,
    });
    if (invitation !== null) await revokeInvitation(tx, tenantId, invitation.id, now);
  }
}

/** Returns the status to store; null without a change, because a lock that ends by itself is not a stored status. */
function statusAfter(change: StatusChange): 'active' | 'deactivated' | null {
  if (change === null) return null;
  return change === 'deactivate' ? 'deactivated' : 'active';
}

interface MfaReset {
  readonly user: UserRecord;
  /** Whether a second factor was removed. The factor belongs to the person, so it is removed for all their tenants. */
  readonly removed: boolean;
  readonly otherTenants: readonly string[];
}

/**
 * Resets the second factor of a member who has joined. An invitation gives a tenant no power over a person's account.
 */
export async function resetUserMfa(
  tx: Transaction,
  mail: Outbox,
  caller: UserPrincipal,
  { userId, now }: { readonly userId: string; readonly now: RealTime },
): Promise<MfaReset> {
  const { tenantId } = caller;
  await lockSeatTerms(tx, tenantId);
  const before = await findUser(tx, tenantId, userId, now);
  if (before === null) throw new Problem('not_found');
  if (isSelf(caller, before.id)) throw new Problem('cannot_reset_own_mfa');
  assertMayChangeRole(caller, before.role);
  if (!before.mfaEnabled) return { user: before, removed: false, otherTenants: [] };
  const otherTenants = await otherTenantsOf(tx, tenantId, userId);
  // An administrator of the platform, who administers all tenants, must not depend on the administrators of one tenant.
  if (otherTenants.includes(PLATFORM_TENANT_ID))
    throw new Problem('role_above_own', {
      detail: 'They administer the platform, which alone resets the second factors of its staff.',
    });
  const [settings] = await Promise.all([
    readSettings(tx, tenantId),
    resetMfa(tx, userId),
    endSessionsOfPerson(tx, { userId, reason: 'mfa_changed', now }),
  ]);
  mail.queue(tx, {
    to: { address: before.email, name: before.name === '' ? null : before.name },
    locale: localeOf(settings.branding.locale),
    template: 'mfaReset',
    values: { at: now, administratorName: caller.display },
  });
  return { user: (await findUser(tx, tenantId, userId, now)) as UserRecord, removed: true, otherTenants };
}
