/**
 * Reads what is recorded of the owners and the powers of a business and of its registry, as far as requirements and
 * decisions depend on it, and which documents they name. The tables belong to the modules ownership, powers and
 * company-registry, which import this one, so this module reads them itself.
 */
import { type Fragment, type Parameter, sql, statement, type Transaction } from '../../database/index.ts';

/** The latest version of the graph of owners. A version never changes. */
export interface OwnershipEvidence {
  readonly id: string;
  readonly version: number;
  readonly digest: string;
  readonly isComplete: boolean;
  readonly beneficialOwners: number;
  readonly unidentifiedOwners: number;
  /** Beneficial owners and representatives, each with all keys of the person. */
  readonly ownerKeys: readonly (readonly string[])[];
  readonly representativeKeys: readonly (readonly string[])[];
}

/** The application of a person of the ownership, with its newest screening. */
export interface PartyEvidence {
  readonly partyKey: string;
  readonly applicationId: string;
  readonly status: string;
  /** Null if the person was never screened. */
  readonly screeningId: string | null;
  /** Whether the newest screening has no open hit and shows all of its hits. */
  readonly isScreened: boolean;
  /** Whether a hit on a sanctions list is confirmed. */
  readonly isSanctioned: boolean;
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
  readonly parties: readonly PartyEvidence[];
}

type Key = { tenantId: string; businessId: string };

const findOwnership = statement<Key, OwnershipEvidence>(
  'business.ownership',
  (p) => sql`
  SELECT id, version, digest, is_complete AS "isComplete", beneficial_owners AS "beneficialOwners",
    unidentified_owners AS "unidentifiedOwners", owner_keys AS "ownerKeys",
    representative_keys AS "representativeKeys"
  FROM ownership_version WHERE tenant_id = ${p.tenantId} AND business_id = ${p.businessId}
  ORDER BY version DESC LIMIT 1`,
);

/**
 * Selects the head office of a branch: the CNPJ with the same root and the order 0001. The range lets the index of
 * registrations find it, because the check digits are not computed here.
 */
const headOfficeIds = (p: { readonly [Name in keyof Key]: Parameter<string> }): Fragment => sql`
  SELECT h.id FROM business b
    JOIN business h ON h.tenant_id = b.tenant_id AND h.environment = b.environment AND h.erased_at IS NULL
      AND h.registration_number BETWEEN left(b.registration_number, 8) || '000100'
        AND left(b.registration_number, 8) || '000199'
      AND left(h.registration_number, 12) = left(b.registration_number, 8) || '0001'
      AND h.registration->>'type' = 'cnpj'
    WHERE b.tenant_id = ${p.tenantId} AND b.id = ${p.businessId} AND b.registration->>'type' = 'cnpj'
      AND h.id <> b.id`;

/**
 * Lists the powers of a business, and for a branch the articles and bylaws of its head office. The array of both ids
 * lets the index of powers find them; with an OR, all powers of the tenant would be read.
 */
const listConfirmed = statement<Key, PowerEvidence>(
  'business.powers',
  (p) => sql`
  SELECT id, version, evidence_digest AS "evidenceDigest", confirmed_at AS "confirmedAt", revoked_at AS "revokedAt",
    valid_from AS "validFrom", valid_until AS "validUntil"
  FROM power WHERE tenant_id = ${p.tenantId} AND confirmed_at IS NOT NULL
    AND business_id = ANY (array_append(ARRAY(${headOfficeIds(p)}), ${p.businessId}::uuid))
    AND (business_id = ${p.businessId} OR type IN ('articles', 'bylaws'))
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

/** A later dismissal does not undo a confirmation here: the company waits until a person has looked. */
const listParties = statement<Key, PartyEvidence>(
  'business.parties',
  (p) => sql`
  SELECT b.party_key AS "partyKey", a.id AS "applicationId", a.status, s.id AS "screeningId",
    coalesce(s.open_hit_count = 0 AND NOT s.truncated, false) AS "isScreened",
    EXISTS (SELECT FROM screening_hit h WHERE h.tenant_id = a.tenant_id AND h.subject_id = a.id
      AND h.status = 'true_positive' AND h.category = 'sanction') AS "isSanctioned"
  FROM business_party b
  JOIN application a ON a.tenant_id = b.tenant_id AND a.id = b.linked_application_id AND a.erased_at IS NULL
  LEFT JOIN LATERAL (
    SELECT id, open_hit_count, truncated FROM screening
    WHERE tenant_id = a.tenant_id AND subject_id = a.id ORDER BY sequence DESC LIMIT 1) s ON true
  WHERE b.tenant_id = ${p.tenantId} AND b.business_id = ${p.businessId} ORDER BY b.party_key`,
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
  const [[ownership = null], powers, [registry = null], parties] = await Promise.all([
    tx.run(findOwnership, key),
    tx.run(listConfirmed, key),
    tx.run(findRegistry, key),
    tx.run(listParties, key),
  ]);
  return {
    ownership,
    powers,
    registry,
    parties,
  };
}

/** Lists the applications of the people of a business. */
export function listPartyEvidence(tx: Transaction, businessId: string): Promise<PartyEvidence[]> {
  return tx.run(listParties, { tenantId: tx.tenantId!, businessId });
}

/** Returns whether a power or a version of the ownership names a document. */
export async function namesDocument(tx: Transaction, businessId: string, documentId: string): Promise<boolean> {
  const [row] = await tx.run(isNamed, { tenantId: tx.tenantId!, businessId, documentId });
  return row?.named === true;
}
