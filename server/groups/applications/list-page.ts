import type { Context } from '../../contract/handlers.ts';
import type { Cursors } from '../../http/cursor.ts';
import { instantParameter } from '../../http/instant.ts';
import { DEFAULT_LIMIT, filtersOf, pageOf, type Page } from '../../http/page.ts';
import type { Application } from './application.ts';
import type { BlindIndex } from './blind-index.ts';
import { presentInList } from './present.ts';
import { listApplications, type Filter, type Listed, type Order } from './store/list-applications.ts';
import { settledUntil } from './store/writing-time.ts';
import { normaliseTaxNumber } from './tax-id.ts';
import { later } from './time-of-change.ts';

type List = Pick<Context<'listApplications'>, 'tx' | 'principal' | 'query' | 'environment' | 'visible' | 'touched' | 'now' | 'timeIn' | 'operationId'>;

/** One page of one environment: the one that is asked for, else the effective one. */
export async function listPage(ctx: List, index: BlindIndex, cursors: Cursors): Promise<Page<Application>> {
  const { tx, principal: { tenantId }, query, operationId } = ctx;
  const { limit = DEFAULT_LIMIT, environment = ctx.environment } = query;
  if (!ctx.visible.includes(environment)) return { items: [], cursor: null, hasMore: false };
  ctx.touched(environment);
  const order = orderOf(query.sort ?? '-createdAt');
  const binding = { tenantId, operationId, filters: { ...filtersOf(query), environment } };
  const after = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
  const rows = await listApplications(tx, tenantId, { ...filterOf(ctx, environment, index), updatedBefore: await endOf(ctx, environment, order) }, order, after, limit + 1);
  const positionOf = ({ record }: Listed) => [order.by === 'createdAt' ? record.createdAt : record.updatedAt, record.id];
  return pageOf(rows, limit, ({ record, evidence }) => presentInList(record, evidence, ctx), { cursors, binding, positionOf });
}

/**
 * Whoever follows changes goes on behind the last one that they saw, so none may come before it later: a page ends before the
 * changes of those who have begun to write and have not committed yet.
 */
async function endOf({ tx, now, timeIn }: List, environment: Filter['environment'], { by, direction }: Order): Promise<Date | undefined> {
  if (by !== 'updatedAt' || direction !== 'asc') return undefined;
  return later(await settledUntil(tx, now), timeIn(environment).getTime() - now.getTime());
}

function filterOf({ query, principal }: List, environment: Filter['environment'], index: BlindIndex): Filter {
  const { status = [], level, externalId, taxId, createdAfter, createdBefore, updatedAfter } = query;
  return {
    environment, statuses: status, level, externalId,
    taxIdMac: taxId === undefined ? undefined : index.mac(principal.tenantId, 'tax_id', normaliseTaxNumber(taxId)),
    createdAfter: instantParameter('createdAfter', createdAfter), createdBefore: instantParameter('createdBefore', createdBefore),
    updatedAfter: instantParameter('updatedAfter', updatedAfter),
  };
}

function orderOf(sort: NonNullable<List['query']['sort']>): Order {
  return { by: sort.endsWith('createdAt') ? 'createdAt' : 'updatedAt', direction: sort.startsWith('-') ? 'desc' : 'asc' };
}
