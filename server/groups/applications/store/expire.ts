import { knex, sql, statement } from '../../../database/index.ts';

export const EXPIRED_AT_ONCE = 100;

/**
 * Who holds a draft at this very moment is changing it, so it is left for the next round. Materialised: a plan that ran the
 * query again for each row would find others every time, and the bound would be none.
 */
export const expireDue = statement<{ tenantId: string; environment: string; now: Date; reason: string }, { id: string }>('application.expireDrafts', (p) =>
  knex('application')
    .withMaterialized('due', knex('application').select('id')
      .where({ tenant_id: p.tenantId, environment: p.environment, status: 'draft' }).where(sql`expires_at <= ${p.now}`)
      .orderBy('expires_at').limit(EXPIRED_AT_ONCE).forUpdate().skipLocked())
    .update({ status: 'expired', status_reason: p.reason, version: sql`version + 1`, updated_at: sql`greatest(${p.now}, updated_at + interval '1 millisecond')` })
    .where({ tenant_id: p.tenantId }).whereIn('id', knex('due').select('id'))
    .returning('id'));
