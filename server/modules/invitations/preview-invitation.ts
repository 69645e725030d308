/**
 * Shows who invites whom to which tenant, before a password is chosen. Called by the handler; the caller has only the
 * token. Must not reveal whether the address has an account. The view is audited.
 */
import type { components } from '../../contract/generated/types.ts';
import type { Context } from '../../request/handler.ts';
import { hashToken } from '../../rules/one-time-token.ts';
import { auditSubjectOf, recordPublicEvent, type RequestOrigin } from '../accounts/index.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { openInvitationOf } from './open-invitation.ts';
import { findInvitation } from './store.ts';

type Request = Pick<Context<'previewInvitation'>, 'body' | keyof RequestOrigin>;

/**
 * Returns what the page shows before a password is chosen. A bearer of the token may learn the content of the mail, but
 * not whether the address has an account, which only the owner of its password may learn. The audit event records from
 * where the link was opened.
 */
export function previewInvitation(
  { database }: AuthenticationDependencies,
  request: Request,
): Promise<components['schemas']['InvitationPreview']> {
  return database.platform({ tenantId: null }, async (tx) => {
    const found = await findInvitation(tx, hashToken(request.body.token), false);
    const { invitation, member } = await openInvitationOf(tx, found, request.now);
    const { tenant, user, role } = member;
    recordPublicEvent<'previewInvitation'>(tx, tenant.id, request, {
      ...auditSubjectOf(user, tenant.id),
      action: 'auth.invitation.viewed',
      outcome: 'success',
      changes: [{ op: 'add', path: '/invitationId', value: invitation.id }],
    });
    return {
      tenantName: tenant.name,
      inviterName: invitation.invitedBy.display,
      email: user.email,
      role,
      expiresAt: invitation.expiresAt.toISOString(),
    };
  });
}
