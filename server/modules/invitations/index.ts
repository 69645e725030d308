/**
 * Invitations: how people become members of a tenant.
 *
 * An invitation is a mailed token that works once and for seven days; only its hash is stored. Inviting is limited by
 * recipient, by caller and by tenant (`takeMailQuota`), because callers choose the recipients. The modules members and
 * tenants, which use this module, decide who may invite whom. It may use accounts, login-throttle, sessions, identity
 * and rules.
 *
 * `POST /v1/auth/invitations/accept`: `acceptInvitation` looks up the hash of the token; a new person chooses name and
 * password, and a person who has an account proves it with password and second factor, counted by the login throttle.
 * Then, in one transaction, the invitation is marked as accepted, the membership becomes active, and a session is
 * opened. Before that, `previewInvitation` returns who invites whom to which tenant.
 */
import type { Module } from '../../tasks/module.ts';
import type { AuthenticationDependencies } from '../login-throttle/index.ts';
import { invitationHandlers } from './handlers.ts';

export { invite, revokeInvitation } from './invite.ts';
export { forgetMailQuota, takeMailQuota } from './mail-quota-store.ts';

export const invitationsModule = {
  name: 'invitations',
  handlers: ({ authentication }: { readonly authentication: AuthenticationDependencies }) =>
    invitationHandlers(authentication),
} satisfies Module<never>;
