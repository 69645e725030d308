import { sql, statement } from '../../database/index.ts';
import { readSettings } from '../settings/index.ts';
import type { Evidence, StepContext } from './step.ts';

const settingsUpdated = statement<{ tenantId: string; section: string; byOfficer: boolean }, Evidence>('onboarding.settingsUpdated', (p) => sql`
  SELECT 'audit_event' AS type, e.id::text AS id FROM audit_event e
  WHERE e.tenant_id = ${p.tenantId}::uuid AND e.action = 'settings.updated' AND e.outcome = 'success' AND e.changes @> ${p.section}::jsonb
    AND (NOT ${p.byOfficer}::boolean OR e.actor_type = 'user' AND EXISTS (
      SELECT FROM membership m WHERE m.tenant_id = e.tenant_id AND m.user_id::text = e.actor_id AND m.role = 'compliance_officer'))
  ORDER BY e.sequence DESC LIMIT 1`);

const submittedInSandbox = statement<{ tenantId: string }, Evidence>('onboarding.submittedInSandbox', (p) => sql`
  SELECT 'application' AS type, resource_id AS id FROM audit_event
  WHERE tenant_id = ${p.tenantId}::uuid AND action = 'application.submitted' AND environment = 'sandbox' AND outcome = 'success'
  ORDER BY sequence DESC LIMIT 1`);

const lastVerification = statement<{ tenantId: string }, { id: string; action: string }>('onboarding.lastVerification', (p) => sql`
  SELECT id, action FROM audit_event
  WHERE tenant_id = ${p.tenantId}::uuid AND action IN ('audit.verified', 'audit.verification_failed') ORDER BY sequence DESC LIMIT 1`);

/** Somebody has set the section, be it to what it was: then it was looked at. */
export function sectionReviewed(section: string, by: 'anybody' | 'compliance officer') {
  return ({ tx, tenantId }: StepContext): Promise<Evidence[]> => tx.run(settingsUpdated, {
    tenantId, section: JSON.stringify([{ path: '/sections', value: [section] }]), byOfficer: by === 'compliance officer',
  });
}

/** The log remembers what a reset of the sandbox removes, so that tidying up before going live costs nothing. */
export function sandboxApplication({ tx, tenantId }: StepContext): Promise<Evidence[]> {
  return tx.run(submittedInSandbox, { tenantId });
}

/** The last verification counts: one that failed undoes those before it. */
export async function auditLogVerified({ tx, tenantId }: StepContext): Promise<Evidence[]> {
  const rows = await tx.run(lastVerification, { tenantId });
  return rows.filter(({ action }) => action === 'audit.verified').map(({ id }) => ({ type: 'audit_event', id }));
}

export async function brandingSet({ tx, tenantId }: StepContext): Promise<Evidence[]> {
  const { branding } = await readSettings(tx, tenantId);
  return branding.displayName === null ? [] : [{ type: 'settings', id: tenantId }];
}
