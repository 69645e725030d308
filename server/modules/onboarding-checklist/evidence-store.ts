/**
 * One query for the evidence of each step. Used by the list of steps in observe.ts. Queries read the audit log where
 * the evidence must survive a reset of the sandbox; a wrong query lets a tenant go live unprepared or keeps it from
 * going live.
 */
import type { RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { type Fragment, type ParametersOf, sql, statement } from '../../database/index.ts';
import { screeningLists } from '../screenings/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import type { Evidence, StepContext } from './checklist.ts';

type Schemas = components['schemas'];

const settingsUpdated = statement<{ tenantId: string; section: string; byOfficer: boolean }, Evidence>(
  'onboarding.settingsUpdated',
  (p) => sql`
  SELECT 'audit_event' AS type, e.id::text AS id FROM audit_event e
  WHERE e.tenant_id = ${p.tenantId}::uuid AND e.action = 'settings.updated' AND e.outcome = 'success'
    AND e.changes @> ${p.section}::jsonb
    AND (NOT ${p.byOfficer}::boolean OR e.actor_type = 'user' AND EXISTS (
      SELECT FROM membership m WHERE m.tenant_id = e.tenant_id AND m.user_id::text = e.actor_id
        AND m.role = 'compliance_officer'))
  ORDER BY e.sequence DESC LIMIT 1`,
);

const submittedInSandbox = statement<{ tenantId: string }, Evidence>(
  'onboarding.submittedInSandbox',
  (p) => sql`
  SELECT 'application' AS type, resource_id AS id FROM audit_event
  WHERE tenant_id = ${p.tenantId}::uuid AND action = 'application.submitted' AND environment = 'sandbox'
    AND outcome = 'success'
  ORDER BY sequence DESC LIMIT 1`,
);

const becameInSandbox = statement<{ tenantId: string; status: string }, Evidence>(
  'onboarding.becameInSandbox',
  (p) => sql`
  SELECT 'application' AS type, resource_id AS id FROM audit_event
  WHERE tenant_id = ${p.tenantId}::uuid AND action = 'application.status_changed' AND environment = 'sandbox'
    AND outcome = 'success' AND changes @> ${p.status}::jsonb
  ORDER BY sequence DESC LIMIT 1`,
);

const lastVerification = statement<{ tenantId: string }, { id: string; action: string }>(
  'onboarding.lastVerification',
  (p) => sql`
  SELECT id, action FROM audit_event
  WHERE tenant_id = ${p.tenantId}::uuid AND action IN ('audit.verified', 'audit.verification_failed')
    ORDER BY sequence DESC LIMIT 1`,
);

/**
 * Returns the last update of the section. An update that changes nothing counts too, because it shows that the section
 * was reviewed.
 */
export function sectionReviewed(section: string, by: 'anybody' | 'compliance officer') {
  return ({ tx, tenantId }: StepContext): Promise<Evidence[]> =>
    tx.run(settingsUpdated, {
      tenantId,
      section: JSON.stringify([{ path: '/sections', value: [section] }]),
      byOfficer: by === 'compliance officer',
    });
}

/**
 * Reads the audit log, which survives a reset of the sandbox, so that emptying the sandbox before going live does not
 * undo the step.
 */
export function sandboxApplication({ tx, tenantId }: StepContext): Promise<Evidence[]> {
  return tx.run(submittedInSandbox, { tenantId });
}

const provedPowers = statement<{ tenantId: string }, Evidence>(
  'onboarding.provedPowers',
  (p) => sql`
  SELECT DISTINCT ON (e.action) e.resource_type AS type, e.resource_id AS id FROM audit_event e
  WHERE e.tenant_id = ${p.tenantId}::uuid AND e.environment = 'sandbox' AND e.outcome = 'success'
    AND e.action IN ('power.confirmed', 'signing.evaluated')
  ORDER BY e.action, e.sequence DESC`,
);

/** Returns the newest power that was confirmed in the sandbox, and the newest evaluation; nothing if one is missing. */
export async function sandboxPowers({ tx, tenantId }: StepContext): Promise<Evidence[]> {
  const found = await tx.run(provedPowers, { tenantId });
  return found.length === 2 ? found : [];
}

/**
 * Returns the newest sandbox application that reached each of these statuses, from the audit log; nothing if one of the
 * statuses was never reached.
 */
export function sandboxOutcomes(...statuses: readonly Schemas['ApplicationStatus'][]) {
  return async ({ tx, tenantId }: StepContext): Promise<Evidence[]> => {
    const found = await Promise.all(
      statuses.map((value) =>
        tx.run(becameInSandbox, { tenantId, status: JSON.stringify([{ path: '/status', value }]) }),
      ),
    );
    return found.every(({ length }) => length > 0) ? found.flat() : [];
  };
}

/** Returns the mandatory lists if all of the live ones were checked in time. */
export async function mandatoryListsFresh({ tx, now }: StepContext): Promise<Evidence[]> {
  const mandatory = (await screeningLists(tx, 'live', now)).filter((list) => list.mandatory);
  return mandatory.every(({ isStale }) => !isStale) ? mandatory.map(({ id }) => ({ type: 'watch_list', id })) : [];
}

/** Returns the last verification if it succeeded, because a failed one voids those before it. */
export async function auditLogVerified({ tx, tenantId }: StepContext): Promise<Evidence[]> {
  const rows = await tx.run(lastVerification, { tenantId });
  return rows.filter(({ action }) => action === 'audit.verified').map(({ id }) => ({ type: 'audit_event', id }));
}

export async function brandingSet({ tx, tenantId }: StepContext): Promise<Evidence[]> {
  const { branding } = await readSettings(tx, tenantId);
  return branding.displayName === null ? [] : [{ type: 'settings', id: tenantId }];
}

interface KeyRow {
  readonly prefix: string;
  readonly restricted: boolean;
}

const MOST_KEYS = 20;

/** Finds usable live keys, those without a restriction first. */
const usableKeys = statement<{ tenantId: string; now: RealTime }, KeyRow>(
  'onboarding.usableKeys',
  (p) => sql`
  SELECT prefix, (cardinality(ip_allowlist) > 0 OR ends_at IS NOT NULL) AS restricted FROM api_key
  WHERE tenant_id = ${p.tenantId}::uuid AND environment = 'live' AND status <> 'revoked'
    AND (ends_at IS NULL OR ends_at > ${p.now}::timestamptz)
  ORDER BY 2, created_at LIMIT ${MOST_KEYS}`,
);

export async function apiKeyCreated({ tx, tenantId, now }: StepContext): Promise<Evidence[]> {
  return (await tx.run(usableKeys, { tenantId, now })).map(evidence);
}

/** Returns the keys if all of them are restricted, because a single unrestricted key is enough for a thief. */
export async function apiKeysRestricted({ tx, tenantId, now }: StepContext): Promise<Evidence[]> {
  const keys = await tx.run(usableKeys, { tenantId, now });
  return keys.every(({ restricted }) => restricted) ? keys.map(evidence) : [];
}

function evidence({ prefix }: KeyRow): Evidence {
  return { type: 'api_key', id: prefix };
}

type Tenant = { tenantId: string };

const MOST_PEOPLE = 20;

const active = (p: ParametersOf<Tenant>): Fragment => sql`
  SELECT m.user_id, m.role FROM membership m JOIN user_account u ON u.id = m.user_id
  WHERE m.tenant_id = ${p.tenantId}::uuid AND m.status = 'active' AND u.status = 'active'`;

const ownersWithFactor = statement<Tenant, Evidence>(
  'onboarding.ownersWithFactor',
  (p) => sql`
  SELECT 'user' AS type, a.user_id::text AS id FROM (${active(p)}) a
    JOIN user_totp f ON f.user_id = a.user_id AND f.confirmed_at IS NOT NULL
  WHERE a.role = 'owner' ORDER BY 2 LIMIT ${MOST_PEOPLE}`,
);

const officersBesideOthers = statement<Tenant, Evidence>(
  'onboarding.officersBesideOthers',
  (p) => sql`
  WITH active AS (${active(p)})
  SELECT 'user' AS type, officer.user_id::text AS id FROM active officer
  WHERE officer.role = 'compliance_officer' AND EXISTS (SELECT FROM active other WHERE other.user_id <> officer.user_id)
  ORDER BY 2 LIMIT ${MOST_PEOPLE}`,
);

/** Returns the owners with a second factor, whose password alone does not open the account. */
export function ownerMfa({ tx, tenantId }: StepContext): Promise<Evidence[]> {
  return tx.run(ownersWithFactor, { tenantId });
}

/**
 * Returns the compliance officers if there is at least one other person, because a decision needs a second person to
 * confirm it.
 */
export function secondPerson({ tx, tenantId }: StepContext): Promise<Evidence[]> {
  return tx.run(officersBesideOthers, { tenantId });
}
