/**
 * Handlers of the operations on users, registered by the index of the module. They write the audit events and, after
 * the commit, make the credential cache forget the changed person; without that a deactivated person could continue
 * until the entry expires.
 */
import { appendAudit } from '../../audit/chain.ts';
import type { Secrets } from '../../base/secrets.ts';
import { Problem } from '../../contract/problem.ts';
import { withinTenant } from '../../database/index.ts';
import type { CredentialCache } from '../../identity/credential-cache.ts';
import type { Outbox } from '../../providers/mail/index.ts';
import type { Context, Handlers } from '../../request/handler.ts';
import { listPage, orderOf, type Page } from '../../request/pagination.ts';
import { etagOf } from '../../request/preconditions.ts';
import { instantParameter } from '../../request/query.ts';
import { createInvitation, patchUser, resetUserMfa, revokeMemberInvitation } from './change-members.ts';
import { memberToWire, pathOfMember, type WireUser } from './member.ts';
import { findUser, listUsers } from './store.ts';

async function memberPage(ctx: Context<'listUsers'>): Promise<Page<WireUser>> {
  const { tx, query, now } = ctx;
  const { sort = '-createdAt', role = [], status = [], q, mfaEnabled } = query;
  return listPage(ctx, {
    rows: ({ after, count }) => {
      const filter = {
        roles: role,
        statuses: status,
        q,
        mfaEnabled,
        createdAfter: instantParameter('createdAfter', query.createdAfter),
        createdBefore: instantParameter('createdBefore', query.createdBefore),
        updatedAfter: instantParameter('updatedAfter', query.updatedAfter),
      };
      return listUsers(
        tx,
        ctx.principal.tenantId,
        {
          filter,
          order: orderOf(sort),
          after,
          count,
        },
        now,
      );
    },
    position: ({ position }) => position,
    item: ({ user }) => memberToWire(user),
  });
}

const about = (id: string) => ({ type: 'user', id }) as const;

const STATUS_EVENTS = {
  deactivate: 'user.deactivated',
  reactivate: 'user.reactivated',
  unlock: 'user.unlocked',
} as const;

interface Dependencies {
  readonly secrets: Secrets;
  readonly credentials: CredentialCache;
  readonly mail: Outbox;
}

export const memberHandlers = ({ secrets, credentials, mail }: Dependencies) =>
  ({
    listUsers: async (ctx) => ctx.reply(200, await memberPage(ctx)),

    getUser: async ({ tx, principal: { tenantId }, params: { userId }, now, reply }) => {
      const user = await findUser(tx, tenantId, userId, now);
      if (user === null) throw new Problem('not_found');
      return reply(200, memberToWire(user), { ETag: etagOf(user.version) });
    },

    createInvitation: async ({ tx, principal, body, now, audit, afterCommit, reply }) => {
      const { user, outcome } = await createInvitation(tx, { mail, secrets }, principal, { wanted: body, now });
      if (outcome === 'reactivated') audit('user.reactivated', about(user.id), { role: user.role });
      audit('user.invited', about(user.id), { role: user.role, invitationId: user.invitation?.id });
      // A reactivated person may have another role, which limits the keys that they granted.
      afterCommit(() => credentials.forgetUser(user.id));
      return reply(outcome === 'resent' ? 200 : 201, memberToWire(user), { Location: pathOfMember(user.id) });
    },

    revokeInvitation: async ({ tx, principal, params: { invitationId }, now, audit, reply }) => {
      const userId = await revokeMemberInvitation(tx, principal, invitationId, now);
      if (userId !== null) audit('user.invitation_revoked', about(userId), { invitationId });
      return reply(204);
    },

    updateUser: async ({ tx, principal, params: { userId }, headers, body: patch, now, audit, afterCommit, reply }) => {
      const { before, after, change } = await patchUser(tx, secrets, principal, {
        userId,
        ifMatch: headers['if-match'],
        patch,
        now,
      });
      // Names are personal data, so the log records only that the name changed.
      if (after.name !== before.name) audit('user.updated', about(after.id), { members: ['name'] });
      if (after.role !== before.role)
        audit('user.role_changed', about(after.id), { old: before.role, new: after.role });
      if (change !== null) audit(STATUS_EVENTS[change], about(after.id), { old: before.status, new: after.status });
      afterCommit(() => credentials.forgetUser(after.id));
      return reply(200, memberToWire(after), { ETag: etagOf(after.version) });
    },

    resetUserMfa: async ({
      tx,
      principal,
      params: { userId },
      body: { reason },
      now,
      audit,
      afterCommit,
      requestId,
      reply,
    }) => {
      const { user, removed, otherTenants } = await resetUserMfa(tx, mail, principal, { userId, now });
      audit('user.mfa_reset', about(user.id), { reason, removed });
      for (const tenantId of otherTenants) {
        // The other tenants learn that it happened, but not which tenant did it.
        appendAudit(withinTenant(tx, tenantId), {
          occurredAt: now.toISOString(),
          environment: 'live',
          actor: {
            type: 'system',
            id: 'other_tenant',
            display: 'Another tenant',
            impersonatorId: null,
          },
          action: 'user.mfa_reset',
          resource: about(user.id),
          outcome: 'success',
          requestId,
        });
      }
      afterCommit(() => credentials.forgetUser(user.id));
      return reply(200, memberToWire(user), { ETag: etagOf(user.version) });
    },
  }) satisfies Pick<
    Handlers,
    'listUsers' | 'getUser' | 'createInvitation' | 'revokeInvitation' | 'updateUser' | 'resetUserMfa'
  >;
