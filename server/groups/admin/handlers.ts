import type { HandlersOf } from '../../contract/handlers.ts';
import { quotasOf } from '../../database/index.ts';
import { etagOf } from '../../http/etag.ts';
import { Problem } from '../../http/problem.ts';
import type { Services } from '../../services.ts';
import { openTenant } from './create.ts';
import { healthOf } from './health.ts';
import { listPage } from './list-page.ts';
import { changeStatus } from './status.ts';
import { findTenant } from './store/tenants.ts';
import { pathOf, toWire } from './tenant.ts';
import { about, tellTenant } from './told.ts';
import { patchTenant, sameQuotas } from './update.ts';
import { usageOf } from './usage.ts';

export const admin = ({ cursors, credentials, mail, secrets }: Pick<Services, 'cursors' | 'credentials' | 'mail' | 'secrets'>) => ({
  listTenants: async (ctx) => ctx.reply(200, await listPage(cursors, ctx)),

  createTenant: async (ctx) => {
    const { tx, principal, body, now, audit, reply } = ctx;
    const { tenant, owner, invitationId } = await openTenant(tx, { mail, secrets }, principal, body, now);
    const facts = { slug: tenant.slug, plan: tenant.plan, region: tenant.region, quotas: { ...quotasOf(tenant.quotas) } };
    audit('tenant.created', about(tenant.id), facts);
    tellTenant(ctx, tenant.id, 'tenant.created', facts);
    tellTenant(ctx, tenant.id, 'user.invited', { role: 'owner', invitationId }, { type: 'user', id: owner.userId });
    return reply(201, { tenant: toWire(tenant, await usageOf(tx, tenant.id, now)), ownerInvitation: owner }, { Location: pathOf(tenant.id) });
  },

  getTenant: async ({ tx, params: { tenantId }, now, reply }) => {
    const tenant = await findTenant(tx, tenantId);
    if (tenant === null) throw new Problem('not_found');
    const [usage, health] = await Promise.all([usageOf(tx, tenantId, now), healthOf(tx, tenantId, now)]);
    return reply(200, { ...toWire(tenant, usage), ...health }, { ETag: etagOf(tenant.version) });
  },

  updateTenant: async (ctx) => {
    const { tx, params: { tenantId }, headers, body: patch, now, audit, afterCommit, reply } = ctx;
    const { before, after, usage } = await patchTenant(tx, { tenantId, ifMatch: headers['if-match'], patch, now });
    if (after.name !== before.name || after.plan !== before.plan) {
      const facts = { oldName: before.name, newName: after.name, oldPlan: before.plan, newPlan: after.plan };
      audit('tenant.updated', about(after.id), facts);
      tellTenant(ctx, after.id, 'tenant.updated', facts);
    }
    if (!sameQuotas(before.quotas, after.quotas)) {
      const facts = { old: { ...quotasOf(before.quotas) }, new: { ...quotasOf(after.quotas) } };
      audit('tenant.quota_changed', about(after.id), facts);
      tellTenant(ctx, after.id, 'tenant.quota_changed', facts);
    }
    afterCommit(() => credentials.forgetTenant(after.id));
    return reply(200, toWire(after, usage), { ETag: etagOf(after.version) });
  },

  replaceTenantStatus: async (ctx) => {
    const { tx, principal, params: { tenantId }, headers, body: wanted, now, audit, afterCommit, reply } = ctx;
    const { before, after, outcome } = await changeStatus(tx, principal, { tenantId, ifMatch: headers['if-match'], wanted, now });
    const facts = { old: before.status, new: after.status, reasonCode: wanted.reasonCode, ...(outcome === 'closure_cancelled' && { closure: 'cancelled' }) };
    if (outcome === 'closure_requested') {
      audit('tenant.closure_requested', about(after.id), { reasonCode: wanted.reasonCode });
      tellTenant(ctx, after.id, 'tenant.closure_requested', { reasonCode: wanted.reasonCode });
    } else if (outcome !== 'unchanged') {
      audit('tenant.status_changed', about(after.id), facts);
      tellTenant(ctx, after.id, 'tenant.status_changed', facts);
    }
    afterCommit(() => credentials.forgetTenant(after.id));
    return reply(200, toWire(after, await usageOf(tx, tenantId, now)), { ETag: etagOf(after.version) });
  },
} satisfies HandlersOf<'admin'>);
