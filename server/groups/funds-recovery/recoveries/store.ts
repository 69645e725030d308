import type { Environment } from '../../../contract/principal.ts';
import { knex, sql, statement, type Transaction } from '../../../database/index.ts';
import type { Position } from '../../../http/cursor.ts';
import type { Document, InfractionReportDocument, RefundDocument } from '../../../providers/directory/index.ts';
import type { NextDeadline, Role, Status } from '../ingestion/index.ts';
import type { StoredEventRow } from '../store.ts';

export interface RecordRow {
  readonly env: Environment;
  readonly funds_recovery_id: string;
  readonly ispb: string;
  readonly role: Role;
  readonly status: Status;
  readonly root_transaction_id: string;
  readonly revision: number;
  readonly created_at: string;
  readonly last_modified: string;
  readonly analysed_at: string | null;
  readonly next_deadline_at: string | null;
  readonly next_deadline_stage: NextDeadline['stage'] | null;
  readonly situation: string | null;
  /** Of the root transaction, as the graph tells it. */
  readonly root_amount: string | null;
  readonly reports: readonly InfractionReportDocument[];
  readonly refunds: readonly RefundDocument[];
}

/** Without the graph, which is large and which few ask for. */
const columns = [
  'env', 'funds_recovery_id', 'ispb', 'role', 'status', 'root_transaction_id', 'revision', 'created_at', 'last_modified', 'analysed_at',
  'next_deadline_at', 'next_deadline_stage',
  sql`snapshot #>> '{FundsRecovery,SituationType}' AS situation`,
  sql`jsonb_path_query_first(snapshot, '$.TrackingGraph.Transactions[*] ? (@.Id == $root).Amount', jsonb_build_object('root', root_transaction_id)) #>> '{}' AS root_amount`,
  sql`snapshot -> 'InfractionReports' AS reports`,
  sql`snapshot -> 'Refunds' AS refunds`,
];

type Recovery = { tenantId: string; id: string };

/** Of each environment that has it. */
export const findRecords = statement<Recovery, RecordRow>('recovery.find', (p) =>
  knex('fr_record').select(columns).where({ tenant_id: p.tenantId, funds_recovery_id: p.id }));

export const findGraph = statement<Recovery & { env: string }, { graph: Document | null }>('recovery.graph', (p) =>
  knex('fr_record').select(sql`nullif(snapshot -> 'TrackingGraph', 'null') AS graph`).where({ tenant_id: p.tenantId, env: p.env, funds_recovery_id: p.id }));

export const readTimeline = statement<Recovery & { env: string; seq: number; count: number }, StoredEventRow>('recovery.timeline', (p) => sql`
  SELECT seq, event_id, funds_recovery_id, event_type, status, occurred_at, raw_payload::text AS payload
  FROM fr_event WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND funds_recovery_id = ${p.id}::uuid AND seq > ${p.seq}::bigint ORDER BY seq LIMIT ${p.count}::integer`);

export interface Filter {
  readonly environment: Environment;
  readonly statuses: readonly string[];
  readonly role?: Role | undefined;
  readonly updatedAfter?: Date | undefined;
}

/** At most `count` records after the position, the last changed first. */
export function listRecords(tx: Transaction, tenantId: string, filter: Filter, after: Position | null, count: number): Promise<RecordRow[]> {
  return tx.query<RecordRow>(listQuery(tenantId, filter, after, count));
}

export function listQuery(tenantId: string, { environment, statuses, role, updatedAfter }: Filter, after: Position | null, count: number) {
  const query = knex('fr_record').select(columns).where({ tenant_id: tenantId, env: environment })
    .orderBy([{ column: 'last_modified', order: 'desc' }, { column: 'funds_recovery_id', order: 'desc' }]).limit(count);
  if (statuses.length > 0) query.whereIn('status', statuses);
  if (role !== undefined) query.where('role', role);
  if (updatedAfter !== undefined) query.where('last_modified', '>=', updatedAfter);
  if (after !== null) query.where(sql`(last_modified, funds_recovery_id) < (${after[0]!}::timestamptz, ${after[1]!}::uuid)`);
  return query;
}
