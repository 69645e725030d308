import type { Knex } from 'knex';
import { letThrough } from './row-level-security.ts';

/** Persons are sealed in their place, also those of applications that take no other change. */
export async function sealedApplicants(knex: Knex): Promise<void> {
  await knex.raw(
    `CREATE INDEX application_unsealed ON application (tenant_id, id)
      WHERE NOT jsonb_exists(applicant, 'sealed') AND erased_at IS NULL`,
  );
  await letThrough(
    knex,
    'application',
    `NOT jsonb_exists(OLD.applicant, 'sealed') AND jsonb_exists(NEW.applicant, 'sealed')`,
    ['applicant'],
  );
}
