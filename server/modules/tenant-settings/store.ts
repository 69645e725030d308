/**
 * Statements on `tenant_settings`, merged with the defaults. Used by changes of settings and, through the index, by
 * nearly every module. The document holds only what the tenant has set, so a new default applies to everybody else.
 */
import type { RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { FieldError } from '../../contract/problem.ts';
import { sql, statement, type RowOf, type Transaction } from '../../database/index.ts';
import { tenant, tenantSettings } from '../../identity/tables.ts';
import { type JsonValue, mergePatchKeepingNull } from '../../rules/merge-patch.ts';
import { unfolded, withReplaced } from './replaced-members.ts';
import { defaultSettings, type TenantSettings, type VersionedSettings } from './settings.ts';

type Actor = components['schemas']['Actor'];

const stored = tenantSettings.except('tenantId', 'document');

interface Row extends RowOf<typeof stored> {
  readonly document: { readonly [member: string]: JsonValue };
}

const find = statement<{ tenantId: string }, Row>(
  'settings.find',
  (p) => sql`
  SELECT coalesce(s.document, '{}') AS document, coalesce(s.version, 1) AS version,
    coalesce(s.policy_version, 1) AS "policyVersion", coalesce(s.profile_version, 1) AS "profileVersion",
    s.updated_by AS "updatedBy", coalesce(s.updated_at, t.created_at) AS "updatedAt"
  FROM tenant t LEFT JOIN tenant_settings s ON s.tenant_id = t.id WHERE ${tenant.as('t').equal({ id: p.tenantId })}`,
);

const ensure = statement<{ tenantId: string }>(
  'settings.ensure',
  (p) => sql`
  ${tenantSettings.insert({ tenantId: p.tenantId })} ON CONFLICT (tenant_id) DO NOTHING`,
);

const lock = statement<{ tenantId: string }, Row>(
  'settings.lock',
  (p) => sql`
  SELECT document, ${stored} FROM tenant_settings WHERE ${tenantSettings.equal({ tenantId: p.tenantId })} FOR UPDATE`,
);

type Replacement = {
  document: JsonValue;
  updatedBy: Actor;
  /** 1 if the decision policy changes. */
  policyChanges: 0 | 1;
  /** 1 if the screening rules change. */
  profileChanges: 0 | 1;
  now: RealTime;
};

const replace = statement<Replacement & { tenantId: string }, Row>(
  'settings.replace',
  (p) => sql`
  UPDATE tenant_settings SET ${tenantSettings.revise(p.now, {
    document: p.document,
    updatedBy: p.updatedBy,
    policyVersion: sql`policy_version + ${p.policyChanges}::integer`,
    profileVersion: sql`profile_version + ${p.profileChanges}::integer`,
  })}
  WHERE ${tenantSettings.equal({ tenantId: p.tenantId })} RETURNING document, ${stored}`,
);

/** Returns the current settings of a tenant, or the defaults if the tenant does not exist. */
export async function readSettings(tx: Transaction, tenantId: string): Promise<TenantSettings> {
  const [row] = await tx.run(find, { tenantId });
  return row === undefined ? defaultSettings : merged(row.document);
}

/** Returns the screening rules, with the number of their version. */
export async function readScreeningRules(
  tx: Transaction,
  tenantId: string,
): Promise<{ readonly version: number; readonly rules: TenantSettings['screening'] }> {
  const [row] = await tx.run(find, { tenantId });
  return row === undefined
    ? { version: 1, rules: defaultSettings.screening }
    : { version: row.profileVersion, rules: merged(row.document).screening };
}

/** Rules for decisions, with the number of their version. */
export interface DecisionPolicy {
  readonly version: number;
  readonly rules: TenantSettings['decisionPolicy'];
  /** Whether a screening blocks an approval if it searched a mandatory list that was out of date. */
  readonly staleListsBlock: boolean;
  /** Lists against which every subject is screened. */
  readonly screenedLists: readonly string[];
}

export async function readDecisionPolicy(tx: Transaction, tenantId: string): Promise<DecisionPolicy> {
  const [row] = await tx.run(find, { tenantId });
  return row === undefined
    ? {
        version: 1,
        rules: defaultSettings.decisionPolicy,
        staleListsBlock: defaultSettings.screening.staleBlocksApproval,
        screenedLists: defaultSettings.screening.defaultLists,
      }
    : policyOf(tenantId, row);
}

const MOST_KNOWN = 1000;
/** Cache of the last known policies, because every read of an application uses the policy, and it rarely changes. */
const known = new Map<
  string,
  { readonly version: number; readonly updatedAt: string; readonly policy: DecisionPolicy }
>();

function policyOf(tenantId: string, { version, updatedAt, policyVersion, document }: Row): DecisionPolicy {
  const last = known.get(tenantId);
  if (last?.version === version && last.updatedAt === updatedAt) return last.policy;
  if (known.size >= MOST_KNOWN) known.clear();
  const { decisionPolicy: rules, screening } = merged(document);
  const policy = {
    version: policyVersion,
    rules,
    staleListsBlock: screening.staleBlocksApproval,
    screenedLists: screening.defaultLists,
  };
  known.set(tenantId, { version, updatedAt, policy });
  return policy;
}

export async function findSettings(tx: Transaction, tenantId: string): Promise<VersionedSettings> {
  return versioned((await tx.run(find, { tenantId }))[0] as Row);
}

/** The settings that the tenant has set itself, locked until the end of the transaction. */
interface OwnSettings {
  readonly own: { readonly [member: string]: JsonValue };
  readonly current: VersionedSettings;
}

export async function lockSettings(tx: Transaction, tenantId: string): Promise<OwnSettings> {
  // If two requests make the first change at once, one inserts the row and the other waits for it.
  void tx.run(ensure, { tenantId });
  const row = (await tx.run(lock, { tenantId }))[0] as Row;
  return { own: row.document, current: versioned(row) };
}

export async function replaceSettings(
  tx: Transaction,
  tenantId: string,
  replacement: Replacement,
): Promise<VersionedSettings> {
  return versioned((await tx.run(replace, { tenantId, ...replacement }))[0] as Row);
}

function versioned(row: Row): VersionedSettings {
  return {
    settings: merged(row.document),
    version: row.version,
    updatedAt: row.updatedAt,
    updatedBy: row.updatedBy,
  };
}

/** Merges the tenant's settings into the platform's defaults. */
export function merged(own: JsonValue): TenantSettings {
  return withReplaced(mergePatchKeepingNull(defaultSettings, unfolded(own)) as TenantSettings);
}

const findProcess = statement<{ tenantId: string; key: string }, { found: boolean }>(
  'settings.process',
  (p) => sql`
  SELECT true AS found FROM definition d JOIN tenant t ON t.id = d.tenant_id
  WHERE d.tenant_id = ${p.tenantId} AND d.kind = 'workflow' AND d.key = ${p.key} AND d.status = 'active'
    AND (d.environment = 'live' OR t.status = 'onboarding')
    AND EXISTS (SELECT FROM workflow_model m, jsonb_array_elements(m.program -> 'nodes') n
      WHERE m.tenant_id = d.tenant_id AND m.definition_id = d.id AND n ->> 'type' = 'start'
        AND n ->> 'scope' = d.key AND NOT n ? 'event') LIMIT 1`,
);

/**
 * Rejects a process for applications that has no active version that can be started. It must be active for live
 * records, or, as long as there can be none, in the sandbox.
 */
export async function processErrors(
  tx: Transaction,
  tenantId: string,
  key: string | null | undefined,
): Promise<FieldError[]> {
  if (key === null || key === undefined) return [];
  const [row] = await tx.run(findProcess, { tenantId, key });
  if (row !== undefined) return [];
  const message = 'must be the key of an active process that can be started';
  return [{ pointer: '/workflows/application', code: 'unknown_process', message }];
}

const findLogo = statement<{ tenantId: string; id: string }, { found: boolean }>(
  'settings.logo',
  (p) => sql`
  SELECT true AS found FROM document
  WHERE tenant_id = ${p.tenantId} AND id = ${p.id} AND type = 'other' AND mime_type LIKE 'image/%'
    AND status <> 'erased'`,
);

/**
 * Rejects a logo that is not a picture of the tenant's own of type `other`, so that it is never an identity document.
 */
export async function logoErrors(
  tx: Transaction,
  tenantId: string,
  documentId: string | null | undefined,
): Promise<FieldError[]> {
  if (documentId === null || documentId === undefined) return [];
  const [row] = await tx.run(findLogo, { tenantId, id: documentId });
  if (row !== undefined) return [];
  const message = 'must be a picture of this tenant, uploaded with the type other';
  return [{ pointer: '/branding/logoDocumentId', code: 'unknown_document', message }];
}
