/**
 * Reads what is recorded of the owners and the powers of a business and of its registry, as far as requirements and
 * decisions depend on it, and which documents they name. The tables belong to the modules ownership, powers and
 * company-registry, which import this one, so this module reads them itself.
 */
import { sql, statement, type Transaction } from '../../database/index.ts';

/** The latest version of the graph of owners. A version never changes. */
export interface OwnershipEvidence {
  readonly id: string;
  readonly version: number;
  readonly digest: string;
  readonly isComplete: boolean;
  readonly beneficialOwners: number;
  readonly unidentifiedOwners: number;
}

/** A power that a second person has confirmed. It may have been revoked since. */
export interface PowerEvidence {
  readonly id: string;
  readonly version: number;
  readonly evidenceDigest: string;
  readonly confirmedAt: string;
  readonly revokedAt: string | null;
  readonly validFrom: string;
  readonly validUntil: string | null;
}

/** The latest answer of the registry, with the differences from what is declared. */
export interface RegistryEvidence {
  readonly id: string;
  readonly contentHash: string;
  readonly situation: string;
  readonly differences: readonly {
    readonly id: string;
    readonly field: string;
    readonly resolution: string | null;
  }[];
}

export interface StructureEvidence {
  /** Null if nobody has asked the registry. */
  readonly registry: RegistryEvidence | null;
  /** Null if no owners are recorded. */
  readonly ownership: OwnershipEvidence | null;
  readonly powers: readonly PowerEvidence[];
}

type Key = { tenantId: string; businessId: string };

const findOwnership = statement<Key, OwnershipEvidence>(
  'business.ownership',
  (p) => sql`
  SELECT id, version, digest, is_complete AS "isComplete", beneficial_owners AS "beneficialOwners",
    unidentified_owners AS "unidentifiedOwners"
  FROM ownership_version WHERE tenant_id = ${p.tenantId} AND business_id = ${p.businessId}
  ORDER BY version DESC LIMIT 1`,
);

const listConfirmed = statement<Key, PowerEvidence>(
  'business.powers',
  (p) => sql`
  SELECT id, version, evidence_digest AS "evidenceDigest", confirmed_at AS "confirmedAt", revoked_at AS "revokedAt",
    valid_from AS "validFrom", valid_until AS "validUntil"
  FROM power WHERE tenant_id = ${p.tenantId} AND business_id = ${p.businessId} AND confirmed_at IS NOT NULL
  ORDER BY id`,
);

const findRegistry = statement<Key, RegistryEvidence>(
  'business.registry',
  (p) => sql`
  SELECT a.id, a.content_hash AS "contentHash", a.situation, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'field', d.field, 'resolution', d.resolution)
      ORDER BY d.id), '[]')
    FROM registry_difference d
    WHERE d.tenant_id = ${p.tenantId} AND d.business_id = ${p.businessId} AND d.ended_at IS NULL) AS differences
  FROM registry_answer a WHERE a.tenant_id = ${p.tenantId} AND a.business_id = ${p.businessId}
  ORDER BY a.id DESC LIMIT 1`,
);

const isNamed = statement<Key & { documentId: string }, { named: boolean }>(
  'business.namesDocument',
  (p) => sql`
  SELECT EXISTS (
    SELECT FROM power WHERE tenant_id = ${p.tenantId} AND business_id = ${p.businessId}
      AND ${p.documentId}::uuid IN (document_id, revocation_document_id)
    UNION ALL
    SELECT FROM ownership_version WHERE tenant_id = ${p.tenantId} AND business_id = ${p.businessId}
      AND document_ids @> to_jsonb(${p.documentId}::text)) AS named`,
);

export async function readStructure(tx: Transaction, businessId: string): Promise<StructureEvidence> {
  const key = { tenantId: tx.tenantId!, businessId };
  const [[ownership = null], powers, [registry = null]] = await Promise.all([
    tx.run(findOwnership, key),
    tx.run(listConfirmed, key),
    tx.run(findRegistry, key),
  ]);
  return { ownership, powers, registry };
}

/** Returns whether a power or a version of the ownership names a document. */
export async function namesDocument(tx: Transaction, businessId: string, documentId: string): Promise<boolean> {
  const [row] = await tx.run(isNamed, { tenantId: tx.tenantId!, businessId, documentId });
  return row?.named === true;
}
