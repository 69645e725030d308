/**
 * Says whether an invitation can still be accepted, and throws why not. Called when an invitation is previewed and
 * accepted. Revoked, expired and unknown invitations give the same refusal, so a stranger learns nothing by trying
 * tokens.
 */
import type { RealTime } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { assertTenantOpen } from '../../identity/tenant.ts';
import { type Account, findAccountById, findInvited, type Member } from '../accounts/index.ts';
import type { Invitation } from './store.ts';

/** Data that are read for a token before the person has proved their identity. */
interface OpenInvitation {
  readonly invitation: Invitation;
  readonly member: Member;
  readonly account: Account;
}

/** Returns an invitation with its member and account, or throws why the invitation can no longer be accepted. */
export async function openInvitationOf(
  tx: Transaction,
  invitation: Invitation | null,
  now: RealTime,
): Promise<OpenInvitation> {
  if (invitation?.acceptedAt != null) throw new Problem('invitation_already_used');
  if (invitation === null || invitation.revokedAt !== null || invitation.expiresAt <= now)
    throw new Problem('invitation_invalid');
  const [member, account] = await Promise.all([
    findInvited(tx, invitation.tenantId, invitation.userId),
    findAccountById(tx, invitation.userId),
  ]);
  if (member === null || account === null) throw new Problem('invitation_invalid');
  assertTenantOpen(member.tenant.status);
  return { invitation, member, account };
}
