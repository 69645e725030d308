import type { Knex } from 'knex';
import { anyChanges, refuseUpdate } from '../row-level-security.ts';

/** Decisions name the risk assessment that they rest on, and applications are found by their level of risk. */
export async function riskOfApplications(knex: Knex): Promise<void> {
  // The id has no foreign key: a decision outlives the assessment when a sandbox reset removes both in any order.
  await knex.raw(`
    ALTER TABLE decision ADD COLUMN risk_assessment_id uuid;
    CREATE INDEX risk_assessment_by_level ON risk_assessment (tenant_id, environment, effective_level, application_id)
      WHERE superseded_by_id IS NULL`);
  await refuseUpdate(knex, 'decision', 'risk_stays', anyChanges(['risk_assessment_id']));
}
