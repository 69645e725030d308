/**
 * Statements that read recoveries for handlers, lists and the schedule. They only read; the writing statements are in
 * store.ts. Columns leave out the large documents that a list does not show.
 */
import type { Uuid } from '../../base/uuid.ts';
import type {
  DocumentValue,
  Document,
  InfractionReportDocument,
  RefundDocument,
} from '../../providers/directory/index.ts';
import { type RowOf, sql, statement } from '../../database/index.ts';
import { event, storedEvent, type StoredEventRow } from '../recovery-feed/index.ts';
import type { DeadlineStage } from './recovery.ts';
import { type Feed, record, type RecoveryKey } from './store.ts';

/** Columns of a listed record. Of the graph only the payments, from which amounts follow. */
const shown = record.select(
  'environment',
  'id',
  'ispb',
  'role',
  'status',
  'rootTransactionId',
  'revision',
  'createdAt',
  'updatedAt',
  'analysedAt',
  'nextDeadlineAt',
  'nextDeadlineStage',
);

export const listed = sql`${shown}, snapshot #>> '{FundsRecovery,SituationType}' AS situation,
  snapshot #> '{TrackingGraph,Transactions}' AS payments,
  snapshot -> 'InfractionReports' AS reports, snapshot -> 'Refunds' AS refunds`;

export interface RecordRow extends RowOf<typeof shown> {
  readonly situation: string | null;
  /** Payments of the tracking graph, as the directory sent them, or null without a graph. */
  readonly payments: DocumentValue | null;
  readonly reports: readonly InfractionReportDocument[];
  readonly refunds: readonly RefundDocument[];
}

/** Finds the recovery in each environment that has it. */
export const findRecords = statement<RecoveryKey, RecordRow>(
  'recovery.find',
  (p) => sql`
  SELECT ${listed} FROM fr_record WHERE ${record.equal({ tenantId: p.tenantId, id: p.id })}`,
);

export const findGraph = statement<Feed & RecoveryKey, { graph: Document | null }>(
  'recovery.graph',
  (p) => sql`
  SELECT nullif(snapshot -> 'TrackingGraph', 'null') AS graph FROM fr_record
  WHERE ${record.equal({ tenantId: p.tenantId, environment: p.environment, id: p.id })}`,
);

export const readTimeline = statement<Feed & RecoveryKey & { seq: number; count: number }, StoredEventRow>(
  'recovery.timeline',
  (p) => sql`
  SELECT ${storedEvent} FROM fr_event
  WHERE ${event.equal({ tenantId: p.tenantId, environment: p.environment, fundsRecoveryId: p.id })}
    AND seq > ${p.seq}::bigint ORDER BY seq LIMIT ${p.count}::integer`,
);

const MAX_DEADLINES = 100;

interface DeadlineRow {
  readonly fundsRecoveryId: Uuid;
  readonly stage: DeadlineStage;
  readonly dueAt: string;
}

/**
 * Lists the next deadlines. A deadline that has passed stays until a read of the directory shows whether it was missed.
 */
export const findDeadlines = statement<Feed, DeadlineRow>(
  'record.deadlines',
  (p) => sql`
  SELECT funds_recovery_id AS "fundsRecoveryId", next_deadline_stage AS stage, next_deadline_at AS "dueAt"
    FROM fr_record
  WHERE ${record.equal({ tenantId: p.tenantId, environment: p.environment })} AND next_deadline_at IS NOT NULL
    ORDER BY next_deadline_at LIMIT ${MAX_DEADLINES}`,
);
