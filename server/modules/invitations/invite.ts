/**
 * Creates, renews and revokes invitations. Called, through the index, by members and tenants, which check who may
 * invite whom and mail the token. Runs as the platform's role. The token is returned once and only its hash is stored,
 * so it must not be logged.
 */
import { DAY_MILLISECONDS, type RealTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { Role } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { normalEmail } from '../../rules/email-address.ts';
import { generateToken } from '../../rules/one-time-token.ts';
import { addPerson, changeMembership, inviteMember, lockMembership, type User } from '../accounts/index.ts';
import { type Invitation, type InvitedBy, lockInvitation, markRevoked, sendInvitation } from './store.ts';

const LIFETIME = 7 * DAY_MILLISECONDS;

interface InvitationRequest {
  readonly tenantId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly invitedBy: InvitedBy;
  readonly now: RealTime;
}

export type InvitationResult =
  | {
      readonly outcome: 'created' | 'resent' | 'reactivated';
      readonly invitation: Invitation;
      readonly token: string;
      readonly user: User;
    }
  /** The person is already a member, so nothing is sent. */
  | { readonly outcome: 'member'; readonly user: User };

/** Outcome of inviting a person again, by the status of their membership before. */
const RENEWED = { invited: 'resent', deactivated: 'reactivated' } as const;

/**
 * Invites a person with or without an account, or renews a pending invitation with a new token. Runs as the platform's
 * role in a transaction of the tenant, because only that role sees accounts of other tenants. The caller mails the
 * token in the same transaction.
 */
export async function invite(
  tx: Transaction,
  { tenantId, email, name, role, invitedBy, now }: InvitationRequest,
): Promise<InvitationResult> {
  const user = await addPerson(tx, {
    email,
    emailNormalised: normalEmail(email),
    name,
    now,
  });
  const before = await lockMembership(tx, tenantId, user.id);
  if (before?.status === 'active' || before?.status === 'locked') return { outcome: 'member', user };
  await inviteMember(tx, { tenantId, userId: user.id }, role, now);
  const { token, hash } = generateToken('iv');
  const invitation = await sendInvitation(tx, {
    tenantId,
    id: uuidv7(),
    userId: user.id,
    hash,
    invitedBy,
    now,
    expiresAt: new Date(now.getTime() + LIFETIME),
  });
  return {
    outcome: before === null ? 'created' : RENEWED[before.status],
    invitation,
    token,
    user,
  };
}

type Revocation = 'revoked' | 'not_found' | 'already_used';

/**
 * Revokes an invitation. The invited person remains as a deactivated member, whom a later invitation reactivates. Runs
 * as the platform's role.
 */
export async function revokeInvitation(
  tx: Transaction,
  tenantId: string,
  invitationId: string,
  now: RealTime,
): Promise<Revocation> {
  const invitation = await lockInvitation(tx, tenantId, invitationId);
  if (invitation === null) return 'not_found';
  if (invitation.acceptedAt !== null) return 'already_used';
  if (invitation.revokedAt !== null) return 'not_found';
  await markRevoked(tx, invitation, now);
  await changeMembership(tx, { tenantId, userId: invitation.userId }, 'deactivated', now);
  return 'revoked';
}
