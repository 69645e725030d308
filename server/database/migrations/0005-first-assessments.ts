import type { Knex } from 'knex';

/**
 * Queues the first assessment of existing live applications, for each tenant that has any. Backtests score the facts
 * that assessments have stored, so without them no model of a tenant could be compared.
 */
export async function firstAssessments(knex: Knex): Promise<void> {
  await knex.raw(`
    INSERT INTO risk_reassessment (tenant_id, id, environment, total, started_at)
      SELECT tenant_id, gen_random_uuid(), 'live', count(*)::integer, now() FROM application
        WHERE environment = 'live' AND erased_at IS NULL
          AND status IN ('submitted', 'in_review', 'pending_approval', 'needs_information', 'approved')
        GROUP BY tenant_id`);
  await knex.raw(`
    INSERT INTO task (tenant_id, id, kind, subject_id, is_bulk, due_at, created_at)
      SELECT tenant_id, gen_random_uuid(), 'risk.reassess', id, true, now(), now() FROM risk_reassessment`);
}
