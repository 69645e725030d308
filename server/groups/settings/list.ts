import type { Context } from '../../contract/handlers.ts';
import type { Cursors } from '../../http/cursor.ts';
import { instantParameter } from '../../http/instant.ts';
import { filtersOf, pageOf, type Page } from '../../http/page.ts';
import { toWire, type WireApiKey } from './api-key.ts';
import { listKeys } from './key-list-store.ts';
import { onlyVisible } from './reach.ts';

export async function listPage(
  cursors: Cursors, { tx, principal, query, operationId, now }: Pick<Context<'listApiKeys'>, 'tx' | 'principal' | 'query' | 'operationId' | 'now'>,
): Promise<Page<WireApiKey>> {
  const { tenantId } = principal;
  const binding = { tenantId, operationId, filters: filtersOf(query) };
  const position = query.cursor === undefined ? null : cursors.decode(binding, query.cursor);
  const limit = query.limit ?? 25;
  const visible = onlyVisible(principal);
  // A test key that asks for live keys asks for something that does not exist for it.
  if (visible !== null && query.environment !== undefined && query.environment !== visible) return { items: [], cursor: null, hasMore: false };
  const rows = await listKeys(tx, {
    tenantId, limit, now,
    status: query.status ?? [],
    environment: query.environment ?? visible ?? undefined,
    unusedSince: instantParameter('unusedSince', query.unusedSince),
    createdAfter: instantParameter('createdAfter', query.createdAfter),
    createdBefore: instantParameter('createdBefore', query.createdBefore),
    after: position as [string, string] | null,
  });
  return pageOf(rows, limit, (key) => toWire(key, now), { cursors, binding, positionOf: ({ createdAt, id }) => [createdAt, id] });
}
