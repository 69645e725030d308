import { statement } from '../../database/index.ts';
import type { Evidence, StepContext } from './step.ts';

type Tenant = { tenantId: string };

const MOST = 20;

const ACTIVE = `
  SELECT m.user_id, m.role FROM membership m JOIN user_account u ON u.id = m.user_id
  WHERE m.tenant_id = ?::uuid AND m.status = 'active' AND u.status = 'active'`;

const ownersWithFactor = statement<Tenant, Evidence>('onboarding.ownersWithFactor', (knex, p) => knex.raw(`
  SELECT 'user' AS type, a.user_id::text AS id FROM (${ACTIVE}) a JOIN user_totp f ON f.user_id = a.user_id AND f.confirmed_at IS NOT NULL
  WHERE a.role = 'owner' ORDER BY 2 LIMIT ${MOST}`, [p.tenantId as never]));

const officersBesideOthers = statement<Tenant, Evidence>('onboarding.officersBesideOthers', (knex, p) => knex.raw(`
  WITH active AS (${ACTIVE})
  SELECT 'user' AS type, officer.user_id::text AS id FROM active officer
  WHERE officer.role = 'compliance_officer' AND EXISTS (SELECT FROM active other WHERE other.user_id <> officer.user_id)
  ORDER BY 2 LIMIT ${MOST}`, [p.tenantId as never]));

/** An owner whose password alone does not open the account. */
export function ownerMfa({ tx, tenantId }: StepContext): Promise<Evidence[]> {
  return tx.run(ownersWithFactor, { tenantId });
}

/** Two people of whom one is a compliance officer: with fewer, nobody could confirm what somebody else has decided. */
export function secondPerson({ tx, tenantId }: StepContext): Promise<Evidence[]> {
  return tx.run(officersBesideOthers, { tenantId });
}
