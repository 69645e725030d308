/**
 * Reading statements on `audit_event` and `audit_checkpoint`. Used by the other files of this module; events are
 * written only by the layer audit. Every statement is limited to the environments that the reader sees. A search by
 * time needs the margin of one day below, because events are numbered by their commits, not by their times.
 */
import { auditCheckpoint, type StoredCheckpoint, wholeCheckpoint } from '../../audit/checkpoint-store.ts';
import { auditEvent, auditHead, type AuditRow, wholeEvent } from '../../audit/store.ts';
import { lowerCaseUuid } from '../../base/uuid.ts';
import type { Environment } from '../../contract/operation.ts';
import { every, type Fragment, joined, sql, statement, type Transaction } from '../../database/index.ts';

const find = statement<{ tenantId: string; id: string; environments: readonly string[] }, AuditRow>(
  'auditEvent.find',
  (p) => sql`
  SELECT ${wholeEvent} FROM audit_event WHERE ${auditEvent.equal({ tenantId: p.tenantId, id: p.id })}
    AND environment = ANY (${p.environments})`,
);

export async function findEvent(
  tx: Transaction,
  tenantId: string,
  id: string,
  visible: readonly Environment[],
): Promise<AuditRow | null> {
  return (await tx.run(find, { tenantId, id, environments: visible }))[0] ?? null;
}

interface EventQuery {
  readonly tenantId: string;
  readonly environments: readonly Environment[];
  /** Names of actions, or beginnings of names followed by `*`. */
  readonly actions: readonly string[];
  readonly actorId: string | undefined;
  readonly actorType: string | undefined;
  readonly resourceType: string | undefined;
  readonly resourceId: string | undefined;
  /** Ids of resources; events about any of these match. */
  readonly resourceIds?: readonly string[];
  readonly outcome: string | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly fromSequence: number | undefined;
  readonly toSequence?: number;
  readonly newestFirst: boolean;
  /** Sequence of the last event of the previous page. */
  readonly after: number | null;
  readonly count: number;
}

/** Lists events, at most `count`. */
export function listEvents(tx: Transaction, query: EventQuery): Promise<AuditRow[]> {
  const {
    tenantId,
    environments,
    actions,
    actorId,
    actorType,
    resourceType,
    resourceId,
    resourceIds,
    outcome,
    from,
    to,
    fromSequence,
    toSequence,
    newestFirst,
    after,
    count,
  } = query;
  const conditions = every([
    sql`${auditEvent.equal({ tenantId })} AND environment = ANY (${environments})`,
    actions.length > 0 && sql`(${joined(actions.map(matching), ' OR ')})`,
    actorId !== undefined && auditEvent.equal({ actorId: lowerCaseUuid(actorId) }),
    actorType !== undefined && auditEvent.equal({ actorType }),
    // Repeats the condition with literals, because PostgreSQL uses a partial index only then.
    (actorType === 'system' || actorType === 'platform_user') && sql`actor_type IN ('system', 'platform_user')`,
    resourceType !== undefined && auditEvent.equal({ resourceType }),
    resourceId !== undefined && auditEvent.equal({ resourceId: lowerCaseUuid(resourceId) }),
    resourceIds !== undefined && sql`resource_id = ANY (${resourceIds})`,
    outcome !== undefined && sql`outcome = ${outcome}`,
    outcome !== undefined && outcome !== 'success' && sql`outcome <> 'success'`,
    from !== undefined && sql`occurred_at >= ${from} AND sequence > ${lastBefore(tenantId, from)}`,
    to !== undefined && sql`occurred_at < ${to} AND sequence < ${firstAfter(tenantId, to)}`,
    fromSequence !== undefined && sql`sequence >= ${fromSequence}`,
    toSequence !== undefined && sql`sequence <= ${toSequence}`,
    after !== null && (newestFirst ? sql`sequence < ${after}` : sql`sequence > ${after}`),
  ]);
  return tx.query<AuditRow>(
    sql`SELECT ${wholeEvent} FROM audit_event WHERE ${conditions}
      ORDER BY sequence ${newestFirst ? sql`DESC` : sql`ASC`} LIMIT ${count}`,
  );
}

/**
 * Returns the last sequence before a time, with a margin of one day. Events are numbered in the order of their commits,
 * which differs from the order of their times by far less than a day, because of the duration of requests and different
 * clocks. So a search by time reads a few days of the log and not the whole log.
 */
function lastBefore(tenantId: string, from: Date): Fragment {
  return sql`coalesce((SELECT sequence FROM audit_event WHERE tenant_id = ${tenantId}
    AND occurred_at < ${from}::timestamptz - interval '1 day'
    ORDER BY occurred_at DESC LIMIT 1), 0)`;
}

function firstAfter(tenantId: string, to: Date): Fragment {
  return sql`coalesce((SELECT sequence FROM audit_event WHERE tenant_id = ${tenantId}
    AND occurred_at >= ${to}::timestamptz + interval '1 day'
    ORDER BY occurred_at LIMIT 1), 9223372036854775807)`;
}

type Range = { readonly [M in 'from' | 'to']: Date | undefined } & {
  readonly [M in 'fromSequence' | 'toSequence']: number | undefined;
};

/** Returns the first and last sequence in the current log between which all events of a range are. */
export async function placesBetween(
  tx: Transaction,
  tenantId: string,
  { from, to, fromSequence = 1, toSequence = Number.MAX_SAFE_INTEGER }: Range,
): Promise<{ first: number; last: number }> {
  const earliest = from === undefined ? 1 : sql`${lastBefore(tenantId, from)} + 1`;
  const latest = to === undefined ? sql`sequence` : sql`${firstAfter(tenantId, to)} - 1`;
  const [found] = await tx.query<{ first: number; last: number }>(sql`
    SELECT greatest(${fromSequence}::bigint, ${earliest}) AS first,
      least(${toSequence}::bigint, sequence, ${latest}) AS last
    FROM audit_head WHERE ${auditHead.equal({ tenantId })}`);
  return found!;
}

/** Returns the condition for an action or a beginning. Uses a range of bytes, because LIKE uses no index under RLS. */
function matching(action: string): Fragment {
  if (!action.endsWith('*')) return sql`action = ${action}`;
  const beginning = action.slice(0, -1);
  // The upper bound ends with `/`, the character after the `.` with which the beginning ends.
  return sql`(action ~>=~ ${beginning} AND action ~<~ ${`${beginning.slice(0, -1)}/`})`;
}

interface CheckpointQuery {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  /** Tree size of the last checkpoint of the previous page. */
  readonly below: number | null;
  readonly count: number;
}

/** Lists checkpoints, newest first. */
export function listCheckpoints(
  tx: Transaction,
  tenantId: string,
  { from, to, below, count }: CheckpointQuery,
): Promise<StoredCheckpoint[]> {
  const conditions = every([
    auditCheckpoint.equal({ tenantId }),
    from !== undefined && sql`signed_at >= ${from}`,
    to !== undefined && sql`signed_at < ${to}`,
    below !== null && sql`tree_size < ${below}`,
  ]);
  return tx.query<StoredCheckpoint>(
    sql`SELECT ${wholeCheckpoint} FROM audit_checkpoint WHERE ${conditions} ORDER BY tree_size DESC LIMIT ${count}`,
  );
}
