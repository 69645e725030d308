import type { components } from '../../../contract/generated/types.ts';
import type { Context } from '../../../contract/handlers.ts';
import type { Cursors } from '../../../http/cursor.ts';
import { instantParameter } from '../../../http/instant.ts';
import { DEFAULT_LIMIT, filtersOf, pageOf, type Page } from '../../../http/page.ts';
import { presentRecord } from './present.ts';
import { listRecords } from './store.ts';

type List = Pick<Context<'listFundsRecoveries'>, 'tx' | 'principal' | 'query' | 'environment' | 'visible' | 'touched' | 'operationId'>;

/** One page of one environment: the one that is asked for, else the effective one. */
export async function listPage(ctx: List, cursors: Cursors): Promise<Page<components['schemas']['FundsRecoveryRecord']>> {
  const { tx, principal: { tenantId }, query, operationId } = ctx;
  const { limit = DEFAULT_LIMIT, environment = ctx.environment, status = [], role, updatedAfter } = query;
  if (!ctx.visible.includes(environment)) return { items: [], cursor: null, hasMore: false };
  ctx.touched(environment);
  const binding = { tenantId, operationId, filters: { ...filtersOf(query), environment } };
  const after = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
  const filter = { environment, statuses: status, role, updatedAfter: instantParameter('updatedAfter', updatedAfter) };
  const rows = await listRecords(tx, tenantId, filter, after, limit + 1);
  return pageOf(rows, limit, presentRecord, { cursors, binding, positionOf: ({ last_modified, funds_recovery_id }) => [last_modified, funds_recovery_id] });
}
