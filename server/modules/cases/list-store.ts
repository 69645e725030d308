import type { Knex } from 'knex';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { keyset, knex, sql, type Transaction } from '../../database/index.ts';
import type { Position } from '../../request/pagination.ts';
import { caseColumns, type CaseRecord, type CaseStatus, type CaseType, reviewCase } from './store.ts';

export type CaseSort = components['schemas']['CaseSort'];

export interface CaseFilter {
  readonly environment: Environment;
  readonly statuses: readonly CaseStatus[];
  readonly types: readonly CaseType[];
  readonly queues: readonly string[];
  /** Id of a member; null means cases of nobody. */
  readonly assigneeId?: string | null | undefined;
  readonly applicationId?: string | undefined;
  readonly businessId?: string | undefined;
  readonly tag?: string | undefined;
  readonly slaBreached?: boolean | undefined;
  readonly dueBefore?: Date | undefined;
}

interface CaseOrder {
  readonly sort: CaseSort;
  /** Keys of the queues in the order of the settings. */
  readonly queues: readonly string[];
  readonly after: Position | null;
  readonly count: number;
}

/** Due date by which cases are sorted: those whose clock is stopped come last. */
const DUE = sql`coalesce(due_at, 'infinity')`;

const KEYS = {
  dueAt: DUE,
  createdAt: sql`created_at`,
  updatedAt: sql`updated_at`,
};

/** Case of a list with the key that it was sorted by. */
export type Listed = CaseRecord & { readonly sortKey: string };

export function listCases(tx: Transaction, filter: CaseFilter, order: CaseOrder): Promise<Listed[]> {
  return tx.query<Listed>(listQuery(tx.tenantId!, filter, order));
}

/** Builds the query of a list of cases. */
export function listQuery(
  tenantId: string,
  filter: CaseFilter,
  { sort, queues, after, count }: CaseOrder,
): Knex.QueryBuilder {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const by = sort.replace('-', '') as keyof typeof KEYS | 'queue';
  const [key, type] =
    by === 'queue'
      ? [
          sql`(lpad(coalesce(array_position(${[...queues]}::text[], queue), 999)::text, 3, '0') || ' '
          || coalesce(to_char(due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'), '~'))`,
          sql`text`,
        ]
      : [KEYS[by], sql`timestamptz`];
  const page = keyset(
    {
      key,
      type,
      id: sql`id`,
      direction,
    },
    after,
  );
  const query = knex('review_case')
    .select(sql`${caseColumns}, ${key}::text AS "sortKey"`)
    .where(reviewCase.equal({ tenantId, environment: filter.environment, erasedAt: null }))
    .orderByRaw(page.order)
    .limit(count);
  if (filter.statuses.length > 0) query.whereIn('status', [...filter.statuses]);
  if (filter.types.length > 0) query.whereIn('type', [...filter.types]);
  if (filter.queues.length > 0) query.whereIn('queue', [...filter.queues]);
  if (filter.assigneeId !== undefined) query.where(reviewCase.equal({ assigneeId: filter.assigneeId }));
  if (filter.applicationId !== undefined) query.where(reviewCase.equal({ applicationId: filter.applicationId }));
  if (filter.businessId !== undefined) query.where(reviewCase.equal({ businessId: filter.businessId }));
  if (filter.tag !== undefined) query.where(sql`${filter.tag} = ANY (tags)`);
  if (filter.slaBreached !== undefined) query.where(reviewCase.equal({ slaBreached: filter.slaBreached }));
  if (filter.dueBefore !== undefined) query.where('due_at', '<', filter.dueBefore);
  if (page.after !== false) query.where(page.after);
  return query;
}
