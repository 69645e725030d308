/**
 * This file finds recoveries by the filters of a request: pages of the list, batches of an export, and counts with
 * sums. The values that the documents contain are indexed in `fr_reference`, which triggers maintain
 * (schema/recoveries.ts), so no filter reads a document. Used by find-recoveries.ts and export.ts.
 */
import type { Environment } from '../../contract/operation.ts';
import { code, every, type Fragment, keyset, sql, table, text, type Transaction, uuid } from '../../database/index.ts';
import type { Position } from '../../request/pagination.ts';
import { SAO_PAULO_ZONE } from '../../rules/brazilian-calendar.ts';
import { listed, type RecordRow } from './read-store.ts';
import type { Role, Status } from './recovery.ts';
import { record } from './store.ts';

const reference = table(
  'fr_reference',
  {
    tenantId: uuid(),
    environment: code<Environment>().named('env'),
    id: uuid().named('funds_recovery_id'),
    kind: code<'transaction' | 'participant' | 'tax_number'>(),
    value: text(),
  },
  {
    owner: 'recovery',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { kind: 'participant', value: '90400888' },
  },
);

export interface RecordFilter {
  readonly environment: Environment;
  readonly statuses: readonly string[];
  readonly role?: Role | undefined;
  /** Payment that a document mentions: the root, a reported or traced payment, or a return. */
  readonly endToEndId?: string | undefined;
  /** Participant on another side than the tenant's own. */
  readonly counterparty?: string | undefined;
  /** Tax number of the person whose account is refunded. */
  readonly taxNumber?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
}

function conditionsOf(tenantId: string, filter: RecordFilter): (Fragment | false)[] {
  const {
    environment,
    statuses,
    role,
    endToEndId,
    counterparty,
    taxNumber,
    createdAfter,
    createdBefore,
    updatedAfter,
  } = filter;
  const names = (kind: 'transaction' | 'participant' | 'tax_number', value: string | undefined): Fragment | false => {
    if (value === undefined) return false;
    const isWanted = reference.as('r').equal({
      tenantId,
      environment,
      kind,
      value,
    });
    return sql`
    EXISTS (SELECT FROM fr_reference r WHERE ${isWanted} AND r.funds_recovery_id = fr_record.funds_recovery_id)`;
  };
  return [
    record.equal({ tenantId, environment }),
    statuses.length > 0 && sql`status = ANY (${statuses})`,
    role !== undefined && record.equal({ role }),
    names('transaction', endToEndId),
    names('participant', counterparty),
    names('tax_number', taxNumber),
    createdAfter !== undefined && sql`created_at >= ${createdAfter}`,
    createdBefore !== undefined && sql`created_at < ${createdBefore}`,
    updatedAfter !== undefined && sql`last_modified >= ${updatedAfter}`,
  ];
}

/** Returns at most `count` records after the position, the last changed first. */
export function listRecords(
  tx: Transaction,
  tenantId: string,
  filter: RecordFilter,
  { after, count }: { readonly after: Position | null; readonly count: number },
): Promise<RecordRow[]> {
  return tx.query<RecordRow>(listQuery(tenantId, filter, after, count));
}

const LAST_CHANGED_FIRST = {
  key: sql`last_modified`,
  type: sql`timestamptz`,
  id: sql`funds_recovery_id`,
  direction: 'desc',
} as const;

export function listQuery(tenantId: string, filter: RecordFilter, after: Position | null, count: number): Fragment {
  const page = keyset(LAST_CHANGED_FIRST, after);
  return sql`SELECT ${listed} FROM fr_record WHERE ${every([...conditionsOf(tenantId, filter), page.after])}
    ORDER BY ${page.order} LIMIT ${count}`;
}

/**
 * Returns at most `count` records in the order of their ids. Ids never change, so batches neither miss nor repeat a
 * record while records change.
 */
export function batchAfter(
  tx: Transaction,
  tenantId: string,
  filter: RecordFilter,
  { after: id, count }: { readonly after: string | null; readonly count: number },
): Promise<RecordRow[]> {
  const isAsked = every([...conditionsOf(tenantId, filter), id !== null && sql`funds_recovery_id > ${id}::uuid`]);
  return tx.query<RecordRow>(
    sql`SELECT ${listed} FROM fr_record WHERE ${isAsked} ORDER BY funds_recovery_id LIMIT ${count}`,
  );
}

export interface CountRow {
  readonly month: string;
  readonly role: Role;
  readonly status: Status;
  readonly count: number;
  readonly rootAmount: number;
  readonly requestedAmount: number;
  readonly refundedAmount: number;
}

/** Limit of groups, the newest months first. A service that runs for years has some hundred groups. */
const MAX_GROUPS = 1000;
/** Largest integer that a JSON number carries without loss. */
const MOST = sql`${Number.MAX_SAFE_INTEGER}::bigint`;

export function countRecords(tx: Transaction, tenantId: string, filter: RecordFilter): Promise<CountRow[]> {
  return tx.query<CountRow>(countQuery(tenantId, filter));
}

/** Builds the query of the statistics: one pass over an index that contains all columns, unless a filter needs more. */
export function countQuery(tenantId: string, filter: RecordFilter): Fragment {
  return sql`
    SELECT to_char(created_at AT TIME ZONE ${SAO_PAULO_ZONE}::text, 'YYYY-MM') AS month, role, status,
      count(*)::integer AS count,
      least(coalesce(sum(root_amount), 0), ${MOST})::bigint AS "rootAmount",
      least(sum(requested_amount), ${MOST})::bigint AS "requestedAmount",
      least(sum(refunded_amount), ${MOST})::bigint AS "refundedAmount"
    FROM fr_record WHERE ${every(conditionsOf(tenantId, filter))}
    GROUP BY 1, role, status ORDER BY 1 DESC, role, status LIMIT ${MAX_GROUPS}`;
}
