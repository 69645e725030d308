/**
 * This file handles the operations of the tag `admin`: it calls the rules of change-tenants.ts and records each change
 * in the audit chains of the platform and of the tenant. Registered by the index.
 */
import type { Secrets } from '../../base/secrets.ts';
import { Problem } from '../../contract/problem.ts';
import type { CredentialCache } from '../../identity/credential-cache.ts';
import { quotasOf } from '../../identity/tenant.ts';
import type { Outbox } from '../../providers/mail/index.ts';
import type { Context, HandlersOf } from '../../request/handler.ts';
import { listPage, orderOf, type Page } from '../../request/pagination.ts';
import { etagOf } from '../../request/preconditions.ts';
import { instantParameter } from '../../request/query.ts';
import type { listUploadHandlers } from '../list-uploads/index.ts';
import { changeStatus, createTenantWithOwner, patchTenant, sameQuotas } from './change-tenants.ts';
import { findTenant, listTenants } from './store.ts';
import { pathOfTenant, recordForTenant, tenantResource, tenantToWire, type WireTenant } from './tenant.ts';
import { healthOf, usageOf } from './usage.ts';

async function tenantPage(ctx: Context<'listTenants'>): Promise<Page<WireTenant>> {
  const { tx, query, now } = ctx;
  const { sort = '-createdAt', status = [], q, plan } = query;
  return listPage(ctx, {
    rows: ({ after, count }) => {
      const filter = {
        statuses: status,
        q,
        plan,
        createdAfter: instantParameter('createdAfter', query.createdAfter),
        createdBefore: instantParameter('createdBefore', query.createdBefore),
        updatedAfter: instantParameter('updatedAfter', query.updatedAfter),
      };
      return listTenants(tx, {
        filter,
        order: orderOf(sort),
        after,
        count,
      });
    },
    position: ({ position }) => position,
    item: async ({ tenant }) => tenantToWire(tenant, await usageOf(tx, tenant.id, now)),
  });
}

interface Dependencies {
  readonly secrets: Secrets;
  readonly credentials: CredentialCache;
  readonly mail: Outbox;
}

export const tenantHandlers = ({ secrets, credentials, mail }: Dependencies) =>
  ({
    listTenants: async (ctx) => ctx.reply(200, await tenantPage(ctx)),

    createTenant: async (ctx) => {
      const { tx, principal, body, now, audit, reply } = ctx;
      const { tenant, owner, invitationId } = await createTenantWithOwner(tx, { mail, secrets }, principal, {
        wanted: body,
        now,
      });
      const facts = {
        slug: tenant.slug,
        plan: tenant.plan,
        region: tenant.region,
        quotas: { ...quotasOf(tenant.quotas) },
      };
      const resource = tenantResource(tenant.id);
      audit('tenant.created', resource, facts);
      recordForTenant(ctx, tenant.id, { action: 'tenant.created', resource, values: facts });
      recordForTenant(ctx, tenant.id, {
        action: 'user.invited',
        resource: { type: 'user', id: owner.userId },
        values: { role: 'owner', invitationId },
      });
      return reply(
        201,
        { tenant: tenantToWire(tenant, await usageOf(tx, tenant.id, now)), ownerInvitation: owner },
        { Location: pathOfTenant(tenant.id) },
      );
    },

    getTenant: async ({ tx, params: { tenantId }, now, reply }) => {
      const tenant = await findTenant(tx, tenantId);
      if (tenant === null) throw new Problem('not_found');
      const [usage, health] = await Promise.all([usageOf(tx, tenantId, now), healthOf(tx, tenantId, now)]);
      return reply(200, { ...tenantToWire(tenant, usage), ...health }, { ETag: etagOf(tenant.version) });
    },

    updateTenant: async (ctx) => {
      const {
        tx,
        params: { tenantId },
        headers,
        body: patch,
        now,
        audit,
        afterCommit,
        reply,
      } = ctx;
      const { before, after, usage } = await patchTenant(tx, {
        tenantId,
        ifMatch: headers['if-match'],
        patch,
        now,
      });
      const resource = tenantResource(after.id);
      if (after.name !== before.name || after.plan !== before.plan) {
        const facts = {
          oldName: before.name,
          newName: after.name,
          oldPlan: before.plan,
          newPlan: after.plan,
        };
        audit('tenant.updated', resource, facts);
        recordForTenant(ctx, after.id, { action: 'tenant.updated', resource, values: facts });
      }
      if (!sameQuotas(before.quotas, after.quotas)) {
        const facts = { old: { ...quotasOf(before.quotas) }, new: { ...quotasOf(after.quotas) } };
        audit('tenant.quota_changed', resource, facts);
        recordForTenant(ctx, after.id, { action: 'tenant.quota_changed', resource, values: facts });
      }
      afterCommit(() => credentials.forgetTenant(after.id));
      return reply(200, tenantToWire(after, usage), { ETag: etagOf(after.version) });
    },

    replaceTenantStatus: async (ctx) => {
      const {
        tx,
        principal,
        params: { tenantId },
        headers,
        body: wanted,
        now,
        audit,
        afterCommit,
        reply,
      } = ctx;
      const { before, after, outcome } = await changeStatus(tx, principal, {
        tenantId,
        ifMatch: headers['if-match'],
        wanted,
        now,
      });
      const facts = {
        old: before.status,
        new: after.status,
        reasonCode: wanted.reasonCode,
        ...(outcome === 'closure_cancelled' && { closure: 'cancelled' }),
      };
      const resource = tenantResource(after.id);
      if (outcome === 'closure_requested') {
        const values = { reasonCode: wanted.reasonCode };
        audit('tenant.closure_requested', resource, values);
        recordForTenant(ctx, after.id, { action: 'tenant.closure_requested', resource, values });
      } else if (outcome !== 'unchanged') {
        audit('tenant.status_changed', resource, facts);
        recordForTenant(ctx, after.id, { action: 'tenant.status_changed', resource, values: facts });
      }
      afterCommit(() => credentials.forgetTenant(after.id));
      return reply(200, tenantToWire(after, await usageOf(tx, tenantId, now)), { ETag: etagOf(after.version) });
    },
  }) satisfies Omit<HandlersOf<'admin'>, keyof typeof listUploadHandlers>;
