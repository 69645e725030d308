import type { AuditRow } from '../../audit/chain.ts';
import { checkpointColumns, checkpointOf, type CheckpointRow, type StoredCheckpoint } from '../../audit/store.ts';
import type { Environment } from '../../contract/operation.ts';
import { type Fragment, knex, sql, statement, type Transaction } from '../../database/index.ts';

const columns = [
  'tenant_id', 'sequence', 'id', 'environment', 'occurred_at', 'actor', 'action', 'resource_type', 'resource_id', 'outcome', 'reason',
  'request_id', 'ip', 'user_agent', 'changes', 'sealed_ref', 'prev_hash', 'hash',
];

const find = statement<{ tenantId: string; id: string; environments: readonly string[] }, AuditRow>('auditEvent.find', (p) =>
  knex('audit_event').select(columns).where({ tenant_id: p.tenantId, id: p.id }).where(sql`environment = ANY(${p.environments})`));

export async function findEvent(tx: Transaction, tenantId: string, id: string, visible: readonly Environment[]): Promise<AuditRow | null> {
  return (await tx.run(find, { tenantId, id, environments: visible }))[0] ?? null;
}

interface EventQuery {
  readonly tenantId: string;
  readonly environments: readonly Environment[];
  /** Names, or beginnings of names followed by `*`. */
  readonly actions: readonly string[];
  readonly actorId: string | undefined;
  readonly actorType: string | undefined;
  readonly resourceType: string | undefined;
  readonly resourceId: string | undefined;
  readonly outcome: string | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly fromSequence: number | undefined;
  readonly newestFirst: boolean;
  /** The sequence of the last event of the page before. */
  readonly after: number | null;
  readonly limit: number;
}

/** One row more than the page, so that the caller sees whether there is another. */
export function listEvents(tx: Transaction, query: EventQuery): Promise<AuditRow[]> {
  const events = knex('audit_event').select(columns).where({ tenant_id: query.tenantId }).where(sql`environment = ANY(${[...query.environments]})`);
  if (query.actions.length > 0) {
    events.where((any) => {
      for (const action of query.actions) any.orWhere(matching(action));
    });
  }
  if (query.actorId !== undefined) events.where('actor_id', query.actorId);
  if (query.actorType !== undefined) events.where('actor_type', query.actorType);
  // Said once more, literally, because only so does PostgreSQL use an index of some rows.
  if (query.actorType === 'system' || query.actorType === 'platform_user') events.where(sql`actor_type IN ('system', 'platform_user')`);
  if (query.resourceType !== undefined) events.where('resource_type', query.resourceType);
  if (query.resourceId !== undefined) events.where('resource_id', query.resourceId);
  if (query.outcome !== undefined) events.where('outcome', query.outcome);
  if (query.outcome !== undefined && query.outcome !== 'success') events.where(sql`outcome <> 'success'`);
  if (query.from !== undefined) events.where('occurred_at', '>=', query.from).where(notBefore(query.tenantId, query.from));
  if (query.to !== undefined) events.where('occurred_at', '<', query.to).where(notAfter(query.tenantId, query.to));
  if (query.fromSequence !== undefined) events.where('sequence', '>=', query.fromSequence);
  if (query.after !== null) events.where('sequence', query.newestFirst ? '<' : '>', query.after);
  return tx.query<AuditRow>(events.orderBy('sequence', query.newestFirst ? 'desc' : 'asc').limit(query.limit + 1));
}

/**
 * Where in the log to look for a time. Events are numbered in the order of their commits, which is that of their times but
 * for what requests and clocks differ by, which is far less than a day: so a few days of the log are read and not all of it.
 */
function notBefore(tenantId: string, from: Date): Fragment {
  return sql`sequence > coalesce((SELECT sequence FROM audit_event WHERE tenant_id = ${tenantId} AND occurred_at < ${from}::timestamptz - interval '1 day'
    ORDER BY occurred_at DESC LIMIT 1), 0)`;
}

function notAfter(tenantId: string, to: Date): Fragment {
  return sql`sequence < coalesce((SELECT sequence FROM audit_event WHERE tenant_id = ${tenantId} AND occurred_at >= ${to}::timestamptz + interval '1 day'
    ORDER BY occurred_at LIMIT 1), 9223372036854775807)`;
}

/** A beginning is a range of bytes; LIKE would not reach the index below row-level security. */
function matching(action: string): Fragment {
  if (!action.endsWith('*')) return sql`action = ${action}`;
  const beginning = action.slice(0, -1);
  // `/` is the character after the `.` on which the beginning ends.
  return sql`(action ~>=~ ${beginning} AND action ~<~ ${`${beginning.slice(0, -1)}/`})`;
}

interface CheckpointQuery {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  /** The size of the last checkpoint of the page before. */
  readonly below: number | null;
  readonly limit: number;
}

/** Newest first, one row more than the page. */
export async function listCheckpoints(tx: Transaction, tenantId: string, { from, to, below, limit }: CheckpointQuery): Promise<StoredCheckpoint[]> {
  const checkpoints = knex('audit_checkpoint').select(checkpointColumns).where({ tenant_id: tenantId });
  if (from !== undefined) checkpoints.where('signed_at', '>=', from);
  if (to !== undefined) checkpoints.where('signed_at', '<', to);
  if (below !== null) checkpoints.where('tree_size', '<', below);
  return (await tx.query<CheckpointRow>(checkpoints.orderBy('tree_size', 'desc').limit(limit + 1))).map(checkpointOf);
}
