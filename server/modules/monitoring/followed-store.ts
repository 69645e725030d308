import type { Environment } from '../../contract/operation.ts';
import { type InsertOf, integer, sql, statement, table, text, timestamp, type Transaction } from '../../database/index.ts';
import { macOf, screeningHit } from '../screenings/index.ts';
import type { WatchListId } from '../watch-lists/index.ts';

/** Up to which version of each list everybody who is monitored was looked at again. */
const followed = table('monitored_list', {
  environment: text<Environment>().fixed(),
  listId: text<WatchListId>().fixed(),
  sequence: integer(),
  doneAt: timestamp(),
});

const list = statement<{ environment: Environment }, { listId: WatchListId; sequence: number }>('monitoring.followed', (p) => sql`
  SELECT ${followed.select('listId', 'sequence')} FROM monitored_list WHERE ${followed.equal({ environment: p.environment })}`);

const upsert = statement<InsertOf<typeof followed>>('monitoring.markFollowed', (p) => sql`
  ${followed.insert(p)} ON CONFLICT (environment, list_id) DO UPDATE SET ${followed.assignExcluded('sequence', 'doneAt')}`);

const findHits = statement<{ tenantId: string; environment: Environment; listId: WatchListId; macs: readonly Buffer[] }, { id: string }>('monitoring.hitsOf', (p) => sql`
  SELECT DISTINCT s.id FROM screening_hit h JOIN monitoring_subscription s ON s.tenant_id = h.tenant_id AND s.application_id = h.subject_id AND s.status = 'active'
  WHERE ${screeningHit.as('h').equal({ tenantId: p.tenantId, environment: p.environment, listId: p.listId })} AND h.entity_mac = ANY (${p.macs}::bytea[])`);

export async function listsFollowed(tx: Transaction, environment: Environment): Promise<Map<string, number>> {
  return new Map((await tx.run(list, { environment })).map(({ listId, sequence }) => [listId, sequence]));
}

export function markFollowed(tx: Transaction, row: InsertOf<typeof followed>): void {
  void tx.run(upsert, row);
}

/** The subscriptions of the tenant of whose applicants one of these entities was a hit, by list. */
export async function hitsOf(tx: Transaction, environment: Environment, keys: ReadonlyMap<WatchListId, readonly string[]>): Promise<string[]> {
  const found = await Promise.all([...keys].map(([listId, of]) => tx.run(findHits, { tenantId: tx.tenantId!, environment, listId, macs: of.map((key) => macOf(tx, 'entity', key)) })));
  return found.flat().map(({ id }) => id);
}
