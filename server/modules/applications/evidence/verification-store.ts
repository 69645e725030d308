/**
 * Reads the verifications of applications as evidence. Used by requirements, decisions and the list of applications.
 */
import type { BusinessTimestamp } from '../../../base/time.ts';
import type { components } from '../../../contract/generated/types.ts';
import { type Fragment, sql, statement, type Transaction } from '../../../database/index.ts';
import type { Proven } from '../../../providers/verification/index.ts';
import { openText, unwrapped, wrappedKey } from '../../subject-keys/index.ts';

type Schemas = components['schemas'];
type Verification = Schemas['Verification'];

/**
 * A verification of an applicant, as far as requirements and decisions depend on it. The table belongs to the module
 * verifications. That module imports applications, so this module reads the table itself.
 */
export interface VerificationEvidence {
  readonly id: string;
  readonly type: Verification['type'];
  readonly registrySource: Verification['registrySource'];
  /** What its documents prove. */
  readonly proves: Proven;
  readonly documentIds: readonly string[];
  readonly selfieDocumentId: string | null;
  readonly status: Verification['status'];
  /** Result of a person, which counts in place of the status. */
  readonly overriddenTo: 'passed' | 'failed' | null;
  /** Identifying data of the applicant when the verification was started. */
  readonly subject: string;
  readonly createdAt: string;
  readonly finishedAt: BusinessTimestamp | null;
  /** From when on the result no longer counts. */
  readonly expiresAt: string | null;
}

/** Reads the verifications of an application as a JSON value, newest first. */
export const verificationsOf = (tenantId: Fragment, applicationId: Fragment): Fragment => sql`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'type', v.type, 'registrySource', v.registry_source,
    'proves', v.proves, 'documentIds', v.document_ids, 'selfieDocumentId', v.selfie_document_id, 'status', v.status,
    'overriddenTo', v.overridden_to, 'subject', v.subject, 'createdAt', v.created_at,
    'finishedAt', v.finished_at, 'expiresAt', v.expires_at) ORDER BY v.sequence DESC), '[]')
  FROM verification v WHERE v.tenant_id = ${tenantId} AND v.application_id = ${applicationId})`;

type Key = { tenantId: string; applicationId: string };
type Row = { verifications: readonly VerificationEvidence[]; wrapped: Buffer | null };

const list = statement<Key, Row>(
  'application.verifications',
  (p) => sql`
  SELECT ${verificationsOf(sql`${p.tenantId}::uuid`, sql`${p.applicationId}::uuid`)} AS verifications,
    ${wrappedKey('application', sql`${p.tenantId}::uuid`, sql`${p.applicationId}::uuid`)} AS wrapped`,
);

/** Lists the verifications of an application, newest first. No limit is needed, because attempts are limited. */
export async function listVerificationEvidence(tx: Transaction, key: Key): Promise<VerificationEvidence[]> {
  const [row] = await tx.run(list, key);
  return row === undefined ? [] : openedVerifications(tx, key.applicationId, row.verifications, row.wrapped);
}

/** Unseals the subjects of verifications. Returns none if the application is erased. */
export function openedVerifications(
  tx: Transaction,
  applicationId: string,
  stored: readonly VerificationEvidence[],
  wrapped: Buffer | null,
): VerificationEvidence[] {
  if (stored.length === 0 || wrapped === null) return [];
  const key = unwrapped(tx, { type: 'application', id: applicationId }, wrapped);
  return stored.map((one) => ({
    ...one,
    subject: openText(key, `verification subject ${one.id}`, one.subject),
    ...timesOf(one),
  }));
}

/** Times inside a JSON value have the form of the database; members of records have the form of the API. */
function timesOf({ createdAt, finishedAt, expiresAt }: VerificationEvidence) {
  const inForm = (time: string): BusinessTimestamp => new Date(time).toISOString() as BusinessTimestamp;
  return {
    createdAt: inForm(createdAt),
    finishedAt: finishedAt === null ? null : inForm(finishedAt),
    expiresAt: expiresAt === null ? null : inForm(expiresAt),
  };
}
