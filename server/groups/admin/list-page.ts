import type { Context } from '../../contract/handlers.ts';
import type { Cursors } from '../../http/cursor.ts';
import { instantParameter } from '../../http/instant.ts';
import { DEFAULT_LIMIT, filtersOf, pageOf, type Page } from '../../http/page.ts';
import { listTenants, type TenantOrder } from './store/list.ts';
import { toWire, type Usage, type WireTenant } from './tenant.ts';
import { usageOf } from './usage.ts';

type List = Pick<Context<'listTenants'>, 'tx' | 'principal' | 'query' | 'operationId' | 'now'>;

export async function listPage(cursors: Cursors, { tx, principal: { tenantId }, query, operationId, now }: List): Promise<Page<WireTenant>> {
  const { limit = DEFAULT_LIMIT, sort = '-createdAt', status = [], q, plan } = query;
  const binding = { tenantId, operationId, filters: filtersOf(query) };
  const after = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
  const rows = await listTenants(tx, {
    statuses: status, q, plan,
    createdAfter: instantParameter('createdAfter', query.createdAfter),
    createdBefore: instantParameter('createdBefore', query.createdBefore),
    updatedAfter: instantParameter('updatedAfter', query.updatedAfter),
  }, orderOf(sort), after, limit + 1);
  const usages = new Map<string, Usage>(await Promise.all(rows.slice(0, limit).map(async ({ tenant: { id } }) => [id, await usageOf(tx, id, now)] as const)));
  return pageOf(rows, limit, ({ tenant }) => toWire(tenant, usages.get(tenant.id) as Usage), { cursors, binding, positionOf: ({ position }) => position });
}

function orderOf(sort: NonNullable<List['query']['sort']>): TenantOrder {
  return { by: sort.replace('-', '') as TenantOrder['by'], direction: sort.startsWith('-') ? 'desc' : 'asc' };
}
