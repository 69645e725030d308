/**
 * Statements that list subscriptions and alerts, page by page. Used by the handlers; the condition of an overdue
 * subscription also by the coverage. Sorting follows an index, so a new filter or order needs one.
 */
import type { BusinessTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import { every, type Fragment, keyset, sql, type Transaction } from '../../database/index.ts';
import type { Position } from '../../request/pagination.ts';
import {
  type Alert,
  alert,
  alertColumns,
  type AlertKind,
  type AlertRow,
  type AlertStatus,
  type Check,
  openedAlert,
  type Severity,
  type Subscription,
  subscription,
  subscriptionColumns,
} from '../subscriptions/index.ts';

type Direction = 'asc' | 'desc';

export interface SubscriptionFilter {
  readonly environment: Environment;
  readonly statuses: readonly Subscription['status'][];
  readonly check?: Check | undefined;
  readonly applicationId?: string | undefined;
  readonly businessId?: string | undefined;
  readonly overdue?: boolean | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** Delay after which a run counts as overdue. A run takes moments, so after an hour it cannot be in progress. */
const LATE = sql`interval '1 hour'`;

/** Whether an active subscription is not effective at the moment. */
export const isOverdue = (
  at: BusinessTime,
): Fragment => sql`(monitoring_subscription.status = 'active' AND (monitoring_subscription.last_result = 'failed'
  OR next_run_at < ${at}::timestamptz - ${LATE}
  OR (last_run_at IS NULL AND monitoring_subscription.created_at < ${at}::timestamptz - ${LATE})))`;

interface ListPage {
  readonly direction: Direction;
  readonly after: Position | null;
  readonly count: number;
}

export function listSubscriptions(
  tx: Transaction,
  { environment, statuses, check, applicationId, businessId, overdue, createdAfter, createdBefore }: SubscriptionFilter,
  at: BusinessTime,
  { direction, after, count }: ListPage,
): Promise<Subscription[]> {
  const page = keyset(
    {
      key: subscription.column('createdAt'),
      type: sql`timestamptz`,
      id: sql`id`,
      direction,
    },
    after,
  );
  return tx.query<Subscription>(sql`
    SELECT ${subscriptionColumns} FROM monitoring_subscription WHERE ${every([
      subscription.equal({ tenantId: tx.tenantId!, environment }),
      statuses.length > 0 && sql`status = ANY (${statuses})`,
      check !== undefined && sql`${check} = ANY (checks)`,
      applicationId !== undefined && subscription.equal({ applicationId }),
      businessId !== undefined && subscription.equal({ businessId }),
      overdue !== undefined && sql`coalesce(${isOverdue(at)}, false) = ${overdue}`,
      createdAfter !== undefined && sql`created_at >= ${createdAfter}`,
      createdBefore !== undefined && sql`created_at < ${createdBefore}`,
      page.after,
    ])} ORDER BY ${page.order} LIMIT ${count}`);
}

export interface AlertFilter {
  readonly environment: Environment;
  readonly statuses: readonly AlertStatus[];
  readonly severities: readonly Severity[];
  readonly kinds: readonly AlertKind[];
  readonly applicationId?: string | undefined;
  readonly businessId?: string | undefined;
  readonly slaBreached?: boolean | undefined;
}

interface AlertPage extends ListPage {
  readonly by: 'firstSeenAt' | 'lastSeenAt';
}

export async function listAlerts(
  tx: Transaction,
  { environment, statuses, severities, kinds, applicationId, businessId, slaBreached }: AlertFilter,
  at: BusinessTime,
  { by, direction, after, count }: AlertPage,
): Promise<Alert[]> {
  const page = keyset(
    {
      key: alert.column(by),
      type: sql`timestamptz`,
      id: sql`id`,
      direction,
    },
    after,
  );
  const rows = await tx.query<AlertRow>(sql`
    SELECT ${alertColumns} FROM monitoring_alert WHERE ${every([
      alert.equal({ tenantId: tx.tenantId!, environment }),
      statuses.length > 0 && sql`status = ANY (${statuses})`,
      severities.length > 0 && sql`severity = ANY (${severities})`,
      kinds.length > 0 && sql`kind = ANY (${kinds})`,
      applicationId !== undefined && alert.equal({ applicationId }),
      businessId !== undefined && alert.equal({ businessId }),
      slaBreached !== undefined && sql`(status = 'open' AND sla_due_at < ${at}) = ${slaBreached}`,
      page.after,
    ])} ORDER BY ${page.order} LIMIT ${count}`);
  return rows.map((row) => openedAlert(tx, row));
}
