/**
 * This file handles the operations of the tag `admin`: it calls the rules of change-tenants.ts and records each change
 * in the audit chains of the platform and of the tenant.
 */
import type { Secrets } from '../../base/secrets.ts';
import { Problem } from '../../contract/problem.ts';
import type { CredentialCache } from '../../identity/credential-cache.ts';
import { quotasOf } from '../../identity/tenant.ts';
import type { Outbox } from '../../providers/mail/index.ts';
import type { Context, HandlersOf } from '../../request/handler.ts';
import { type Cursors, DEFAULT_LIMIT, filtersOf, type Page, pageOf } from '../../request/pagination.ts';
import { etagOf } from '../../request/preconditions.ts';
import { instantParameter } from '../../request/query.ts';
import type { listUploadHandlers } from '../list-uploads/index.ts';
import { changeStatus, createTenantWithOwner, patchTenant, sameQuotas } from './change-tenants.ts';
import { findTenant, listTenants, type TenantOrder } from './store.ts';
import { pathOfTenant, recordForTenant, tenantResource, tenantToWire, type Usage, type WireTenant } from './tenant.ts';
import { healthOf, usageOf } from './usage.ts';

type List = Pick<Context<'listTenants'>, 'tx' | 'principal' | 'query' | 'operationId' | 'now'>;

async function tenantPage(
  cursors: Cursors,
  { tx, principal: { tenantId }, query, operationId, now }: List,
): Promise<Page<WireTenant>> {
  const { limit = DEFAULT_LIMIT, sort = '-createdAt', status = [], q, plan } = query;
  const binding = { tenantId, operationId, filters: filtersOf(query) };
  const after = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
  const rows = await listTenants(
    tx,
    {
      statuses: status,
      q,
      plan,
      createdAfter: instantParameter('createdAfter', query.createdAfter),
      createdBefore: instantParameter('createdBefore', query.createdBefore),
      updatedAfter: instantParameter('updatedAfter', query.updatedAfter),
    },
    orderOf(sort),
    after,
    limit + 1,
  );
  const usages = new Map<string, Usage>(
    await Promise.all(
      rows.slice(0, limit).map(async ({ tenant: { id } }) => [id, await usageOf(tx, id, now)] as const),
    ),
  );
  return pageOf(rows, limit, ({ tenant }) => tenantToWire(tenant, usages.get(tenant.id) as Usage), {
    cursors,
    binding,
    positionOf: ({ position }) => position,
  });
}

function orderOf(sort: NonNullable<List['query']['sort']>): TenantOrder {
  return { by: sort.replace('-', '') as TenantOrder['by'], direction: sort.startsWith('-') ? 'desc' : 'asc' };
}

interface Dependencies {
  readonly secrets: Secrets;
  readonly cursors: Cursors;
  readonly credentials: CredentialCache;
  readonly mail: Outbox;
}

export const tenantHandlers = ({ secrets, cursors, credentials, mail }: Dependencies) =>
  ({
    listTenants: async (ctx) => ctx.reply(200, await tenantPage(cursors, ctx)),

    createTenant: async (ctx) => {
      const { tx, principal, body, now, audit, reply } = ctx;
      const { tenant, owner, invitationId } = await createTenantWithOwner(tx, { mail, secrets }, principal, body, now);
      const facts = {
        slug: tenant.slug,
        plan: tenant.plan,
        region: tenant.region,
        quotas: { ...quotasOf(tenant.quotas) },
      };
      audit('tenant.created', tenantResource(tenant.id), facts);
      recordForTenant(ctx, tenant.id, 'tenant.created', tenantResource(tenant.id), facts);
      recordForTenant(
        ctx,
        tenant.id,
        'user.invited',
        { type: 'user', id: owner.userId },
        { role: 'owner', invitationId },
      );
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
      if (after.name !== before.name || after.plan !== before.plan) {
        const facts = {
          oldName: before.name,
          newName: after.name,
          oldPlan: before.plan,
          newPlan: after.plan,
        };
        audit('tenant.updated', tenantResource(after.id), facts);
        recordForTenant(ctx, after.id, 'tenant.updated', tenantResource(after.id), facts);
      }
      if (!sameQuotas(before.quotas, after.quotas)) {
        const facts = { old: { ...quotasOf(before.quotas) }, new: { ...quotasOf(after.quotas) } };
        audit('tenant.quota_changed', tenantResource(after.id), facts);
        recordForTenant(ctx, after.id, 'tenant.quota_changed', tenantResource(after.id), facts);
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
      if (outcome === 'closure_requested') {
        audit('tenant.closure_requested', tenantResource(after.id), { reasonCode: wanted.reasonCode });
        recordForTenant(ctx, after.id, 'tenant.closure_requested', tenantResource(after.id), {
          reasonCode: wanted.reasonCode,
        });
      } else if (outcome !== 'unchanged') {
        audit('tenant.status_changed', tenantResource(after.id), facts);
        recordForTenant(ctx, after.id, 'tenant.status_changed', tenantResource(after.id), facts);
      }
      afterCommit(() => credentials.forgetTenant(after.id));
      return reply(200, tenantToWire(after, await usageOf(tx, tenantId, now)), { ETag: etagOf(after.version) });
    },
  }) satisfies Omit<HandlersOf<'admin'>, keyof typeof listUploadHandlers>;
