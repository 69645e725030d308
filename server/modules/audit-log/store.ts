import { auditCheckpoint, auditEvent, auditHead, type AuditRow, type StoredCheckpoint, wholeCheckpoint, wholeEvent } from '../../audit/store.ts';
import { lowerCaseUuid } from '../../base/uuid.ts';
import type { Environment } from '../../contract/operation.ts';
import { every, type Fragment, joined, sql, statement, type Transaction } from '../../database/index.ts';

const find = statement<{ tenantId: string; id: string; environments: readonly string[] }, AuditRow>('auditEvent.find', (p) => sql`
  SELECT ${wholeEvent} FROM audit_event WHERE ${auditEvent.equal({ tenantId: p.tenantId, id: p.id })} AND environment = ANY (${p.environments})`);

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
  /** Events about any of these. */
  readonly resourceIds?: readonly string[];
  readonly outcome: string | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly fromSequence: number | undefined;
  readonly toSequence?: number;
  readonly newestFirst: boolean;
  /** The sequence of the last event of the page before. */
  readonly after: number | null;
  readonly limit: number;
}

/** One row more than the page, so that the caller sees whether there is another. */
export function listEvents(tx: Transaction, query: EventQuery): Promise<AuditRow[]> {
  const { tenantId, environments, actions, actorId, actorType, resourceType, resourceId, resourceIds, outcome, from, to, fromSequence, toSequence, newestFirst, after, limit } = query;
  const conditions = every([
    sql`${auditEvent.equal({ tenantId })} AND environment = ANY (${environments})`,
    actions.length > 0 && sql`(${joined(actions.map(matching), ' OR ')})`,
    actorId !== undefined && auditEvent.equal({ actorId: lowerCaseUuid(actorId) }),
    actorType !== undefined && auditEvent.equal({ actorType }),
    // Said once more, literally, because only so does PostgreSQL use an index of some rows.
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
  return tx.query<AuditRow>(sql`SELECT ${wholeEvent} FROM audit_event WHERE ${conditions} ORDER BY sequence ${newestFirst ? sql`DESC` : sql`ASC`} LIMIT ${limit + 1}`);
}

/**
 * Where in the log to look for a time. Events are numbered in the order of their commits, which is that of their times but
 * for what requests and clocks differ by, which is far less than a day: so a few days of the log are read and not all of it.
 */
function lastBefore(tenantId: string, from: Date): Fragment {
  return sql`coalesce((SELECT sequence FROM audit_event WHERE tenant_id = ${tenantId} AND occurred_at < ${from}::timestamptz - interval '1 day'
    ORDER BY occurred_at DESC LIMIT 1), 0)`;
}

function firstAfter(tenantId: string, to: Date): Fragment {
  return sql`coalesce((SELECT sequence FROM audit_event WHERE tenant_id = ${tenantId} AND occurred_at >= ${to}::timestamptz + interval '1 day'
    ORDER BY occurred_at LIMIT 1), 9223372036854775807)`;
}

type Range = { readonly [M in 'from' | 'to']: Date | undefined } & { readonly [M in 'fromSequence' | 'toSequence']: number | undefined };

/** The places of the log, as it is now, between which all events of a range are. */
export async function placesBetween(tx: Transaction, tenantId: string, { from, to, fromSequence = 1, toSequence = Number.MAX_SAFE_INTEGER }: Range): Promise<{ first: number; last: number }> {
  const [found] = await tx.query<{ first: number; last: number }>(sql`
    SELECT greatest(${fromSequence}::bigint, ${from === undefined ? 1 : sql`${lastBefore(tenantId, from)} + 1`}) AS first,
      least(${toSequence}::bigint, sequence, ${to === undefined ? sql`sequence` : sql`${firstAfter(tenantId, to)} - 1`}) AS last
    FROM audit_head WHERE ${auditHead.equal({ tenantId })}`);
  return found!;
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
export function listCheckpoints(tx: Transaction, tenantId: string, { from, to, below, limit }: CheckpointQuery): Promise<StoredCheckpoint[]> {
  const conditions = every([
    auditCheckpoint.equal({ tenantId }),
    from !== undefined && sql`signed_at >= ${from}`,
    to !== undefined && sql`signed_at < ${to}`,
    below !== null && sql`tree_size < ${below}`,
  ]);
  return tx.query<StoredCheckpoint>(sql`SELECT ${wholeCheckpoint} FROM audit_checkpoint WHERE ${conditions} ORDER BY tree_size DESC LIMIT ${limit + 1}`);
}
