/**
 * Whether a tenant has applications that the law still retains. Used before a tenant is closed for good. Years count
 * from the 1 January that follows; a wrong answer destroys records that must be kept.
 */
import type { RealTime } from '../../base/time.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { SAO_PAULO_ZONE } from '../../rules/brazilian-calendar.ts';

/** Years for which applications are retained, by the settings of the tenant. */
type RetentionYears = { readonly customerYears: number; readonly rejectedYears: number };

/**
 * Finds live applications under retention. Years count from the 1 January, in São Paulo, that follows the end of the
 * relationship, else the decision, else the submission; drafts that were never submitted are not retained.
 */
const findHeld = statement<RetentionYears & { tenantId: string; now: RealTime }, { held: boolean }>(
  'tenant.held',
  (p) => sql`
  SELECT EXISTS (
    SELECT FROM application WHERE tenant_id = ${p.tenantId} AND environment = 'live' AND submitted_at IS NOT NULL
      AND erased_at IS NULL
      AND (date_trunc('year',
        coalesce(relationship_ended_at, decided_at, submitted_at) AT TIME ZONE ${SAO_PAULO_ZONE}::text)
        + make_interval(years => 1 + CASE WHEN status IN ('rejected', 'withdrawn', 'expired')
          THEN ${p.rejectedYears}::integer ELSE ${p.customerYears}::integer END))
        AT TIME ZONE ${SAO_PAULO_ZONE}::text > ${p.now}::timestamptz
  ) AS held`,
);

/** Returns whether the tenant has live applications whose retention period has not ended. */
export async function holdsApplications(
  tx: Transaction,
  tenantId: string,
  years: RetentionYears,
  now: RealTime,
): Promise<boolean> {
  const [row] = await tx.run(findHeld, { tenantId, ...years, now });
  return row?.held === true;
}
