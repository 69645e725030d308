import { sql, statement, withinTenant, type Transaction } from '../../database/index.ts';
import { Problem } from '../../http/problem.ts';
import { readSettings } from '../settings/index.ts';

/**
 * Years count from the decision, or from the submission while there is none; drafts that were never submitted are held by
 * nothing. `make_interval` keeps to the calendar: ten years are ten years, leap days included.
 */
const findHeld = statement<{ tenantId: string; customerYears: number; rejectedYears: number; now: Date }, { held: boolean }>('tenant.held', (p) => sql`
  SELECT EXISTS (
    SELECT FROM application WHERE tenant_id = ${p.tenantId} AND environment = 'live' AND submitted_at IS NOT NULL
      AND coalesce(decided_at, submitted_at)
        + make_interval(years => CASE WHEN status IN ('rejected', 'withdrawn', 'expired') THEN ${p.rejectedYears}::integer ELSE ${p.customerYears}::integer END) > ${p.now}::timestamptz
  ) AS held`);

/** A tenant cannot be closed while the law makes it keep records (its own settings, which go no lower than the law). */
export async function assertNothingHeld(tx: Transaction, tenantId: string, now: Date): Promise<void> {
  const within = withinTenant(tx, tenantId);
  const { retention: { customerYears, rejectedYears } } = await readSettings(within, tenantId);
  const [row] = await within.run(findHeld, { tenantId, customerYears, rejectedYears, now });
  if (row?.held === true) throw new Problem('retention_hold');
}
