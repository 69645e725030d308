import type { Environment } from '../../../contract/principal.ts';
import { sql, statement } from '../../../database/index.ts';
import { application } from './application-row.ts';

export const EXPIRED_AT_ONCE = 100;

/**
 * Who holds a draft at this very moment is changing it, so it is left for the next round. Materialised: a plan that ran the
 * query again for each row would find others every time, and the bound would be none.
 */
export const expireDue = statement<{ tenantId: string; environment: Environment; now: Date; reason: string }, { id: string }>('application.expireDrafts', (p) => sql`
  WITH due AS MATERIALIZED (
    SELECT id FROM application
    WHERE ${application.equal({ tenantId: p.tenantId, environment: p.environment, status: 'draft' })} AND expires_at <= ${p.now}
    ORDER BY expires_at LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED)
  UPDATE application SET ${application.revise(sql`greatest(${p.now}::timestamptz, updated_at + interval '1 millisecond')`, { status: 'expired', statusReason: p.reason })}
  WHERE ${application.equal({ tenantId: p.tenantId })} AND id IN (SELECT id FROM due)
  RETURNING id`);
