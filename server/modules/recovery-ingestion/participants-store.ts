/**
 * Statements that find the tenants and sandboxes to poll, and the clock of each. Used by participants.ts and
 * ingestion.ts. Suspended tenants are not polled.
 */
import { businessTime, type BusinessTime, type RealTime } from '../../base/time.ts';
import { type Database, sql, statement } from '../../database/index.ts';
import { timeIn } from '../../tasks/business-time-store.ts';
import type { StreamKey } from './store.ts';

/** Returns the time by which a participant's deadlines run, because the clock of a sandbox can be ahead. */
export async function timeOf(
  database: Database,
  { environment, tenantId }: StreamKey,
  now: RealTime,
): Promise<BusinessTime> {
  if (environment === 'live') return businessTime(now, 0);
  return database.transaction({ tenantId, readOnly: true }, (tx) => timeIn(tx, environment, now));
}

export const findSandboxes = statement<Record<never, never>, { id: string; open: boolean }>(
  'ingestion.sandboxes',
  () => sql`
  SELECT t.id, EXISTS (
    SELECT FROM fr_record r WHERE r.tenant_id = t.id AND r.env = 'sandbox'
      AND (r.status NOT IN ('COMPLETED', 'CANCELLED') OR r.wake_at IS NOT NULL)
  ) AS open
  FROM tenant t WHERE t.status IN ('onboarding', 'active') AND EXISTS (SELECT FROM dict_sim_command c
    WHERE c.tenant_id = t.id AND c.env = 'sandbox')
  ORDER BY t.id`,
);

export const findTenants = statement<{ slugs: string }, { id: string; slug: string }>(
  'ingestion.tenants',
  (p) => sql`
  SELECT id, slug FROM tenant WHERE status IN ('onboarding', 'active')
    AND slug IN (SELECT jsonb_array_elements_text(${p.slugs}::jsonb))`,
);
