import type { Context } from '../../contract/handlers.ts';
import type { Cursors } from '../../http/cursor.ts';
import { instantParameter } from '../../http/instant.ts';
import { DEFAULT_LIMIT, filtersOf, pageOf, type Page } from '../../http/page.ts';
import { listUsers, type UserOrder } from './store/list.ts';
import { toWire, type WireUser } from './user.ts';

type List = Pick<Context<'listUsers'>, 'tx' | 'principal' | 'query' | 'operationId' | 'now'>;

export async function listPage(cursors: Cursors, { tx, principal: { tenantId }, query, operationId, now }: List): Promise<Page<WireUser>> {
  const { limit = DEFAULT_LIMIT, sort = '-createdAt', role = [], status = [], q, mfaEnabled } = query;
  const binding = { tenantId, operationId, filters: filtersOf(query) };
  const after = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
  const rows = await listUsers(tx, tenantId, {
    roles: role, statuses: status, q, mfaEnabled,
    createdAfter: instantParameter('createdAfter', query.createdAfter),
    createdBefore: instantParameter('createdBefore', query.createdBefore),
    updatedAfter: instantParameter('updatedAfter', query.updatedAfter),
  }, orderOf(sort), after, limit + 1, now);
  return pageOf(rows, limit, ({ user }) => toWire(user), { cursors, binding, positionOf: ({ position }) => position });
}

function orderOf(sort: NonNullable<List['query']['sort']>): UserOrder {
  return { by: sort.replace('-', '') as UserOrder['by'], direction: sort.startsWith('-') ? 'desc' : 'asc' };
}
