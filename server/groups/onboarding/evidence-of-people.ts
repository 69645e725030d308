import { sql, statement, type Fragment, type ParametersOf } from '../../database/index.ts';
import type { Evidence, StepContext } from './step.ts';

type Tenant = { tenantId: string };

const MOST = 20;

const active = (p: ParametersOf<Tenant>): Fragment => sql`
  SELECT m.user_id, m.role FROM membership m JOIN user_account u ON u.id = m.user_id
  WHERE m.tenant_id = ${p.tenantId}::uuid AND m.status = 'active' AND u.status = 'active'`;

const ownersWithFactor = statement<Tenant, Evidence>('onboarding.ownersWithFactor', (p) => sql`
  SELECT 'user' AS type, a.user_id::text AS id FROM (${active(p)}) a JOIN user_totp f ON f.user_id = a.user_id AND f.confirmed_at IS NOT NULL
  WHERE a.role = 'owner' ORDER BY 2 LIMIT ${MOST}`);

const officersBesideOthers = statement<Tenant, Evidence>('onboarding.officersBesideOthers', (p) => sql`
  WITH active AS (${active(p)})
  SELECT 'user' AS type, officer.user_id::text AS id FROM active officer
  WHERE officer.role = 'compliance_officer' AND EXISTS (SELECT FROM active other WHERE other.user_id <> officer.user_id)
  ORDER BY 2 LIMIT ${MOST}`);

/** An owner whose password alone does not open the account. */
export function ownerMfa({ tx, tenantId }: StepContext): Promise<Evidence[]> {
  return tx.run(ownersWithFactor, { tenantId });
}

/** Two people of whom one is a compliance officer: with fewer, nobody could confirm what somebody else has decided. */
export function secondPerson({ tx, tenantId }: StepContext): Promise<Evidence[]> {
  return tx.run(officersBesideOthers, { tenantId });
}
