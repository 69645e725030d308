/**
 * Reads the newest screening of an applicant, which requirements and decisions depend on. Used throughout this module.
 * The table belongs to the module screenings, so a change there must be followed here. An erased application has no
 * readable subject.
 */
import type { components } from '../../../contract/generated/types.ts';
import type { Fragment } from '../../../database/index.ts';
import { sql, statement, type Transaction } from '../../../database/index.ts';
import { openValue, type Sealed, unwrapped, wrappedKey } from '../../subject-keys/index.ts';
import type { Applicant } from '../record/application.ts';

type Schemas = components['schemas'];
type ScreenedSubject = Schemas['ScreenedSubject'];

/**
 * Result of the newest screening of an applicant, as far as requirements and decisions depend on it. The table belongs
 * to the module screenings. That module imports applications, so this module reads the table itself.
 */
export interface ScreeningEvidence {
  readonly id: string;
  readonly result: Schemas['ScreeningResult'];
  readonly subject: ScreenedSubject;
  readonly hitCount: number;
  readonly openHitCount: number;
  /** Whether the screening shows only some of its hits, so that people could not decide about all of them. */
  readonly truncated: boolean;
  /** Lists with hits of this screening that are undecided or inconclusive. */
  readonly openLists: readonly string[];
  /** Lists with undecided or inconclusive hits of any screening of the applicant. */
  readonly everOpenLists: readonly string[];
  /** Categories of the lists on which the applicant is a confirmed match. */
  readonly confirmed: readonly Schemas['HitCategory'][];
  readonly lists: readonly { readonly listId: string; readonly version: string }[];
  readonly staleLists: readonly string[];
  /** Whether the tenant has an own list, which must be searched along with the lists of the settings. */
  readonly hasOwnList: boolean;
  /** Criteria, with a threshold if the request had one. */
  readonly criteria: Pick<Schemas['ScreeningCriteria'], 'includeRca' | 'includeFormerPep'> &
    Partial<Pick<Schemas['ScreeningCriteria'], 'threshold'>>;
  /** Scores at and above which the settings at that time report hits; null for screenings from before such settings. */
  readonly lines: Schemas['ScreeningLinesByList'] | null;
}

export type StoredScreening = Omit<ScreeningEvidence, 'subject'> & { readonly subject: Sealed };

/**
 * Returns the categories of all confirmed hits of the applicant, from any screening: a later screening of fewer lists
 * or with a higher threshold does not revoke a confirmation. A later dismissal of the same entity does, unless the
 * score of the hit is above the range for which the dismissal holds.
 */
const confirmedOf = (tenantId: Fragment, applicationId: Fragment): Fragment => sql`(
  SELECT coalesce(jsonb_agg(h.category), '[]') FROM screening_hit h
    WHERE h.tenant_id = ${tenantId} AND h.subject_id = ${applicationId} AND h.status = 'true_positive' AND NOT EXISTS (
    SELECT FROM hit_decision d WHERE d.tenant_id = h.tenant_id AND d.subject_id = h.subject_id AND d.list_id = h.list_id
      AND d.entity_mac = h.entity_mac AND d.state = 'effective' AND d.status = 'false_positive'
      AND (d.entity_hash <> h.entity_hash OR d.subject_hash <> h.subject_hash
        OR coalesce(h.score < d.holds_below, true))
      AND d.sequence > (SELECT made.sequence FROM hit_decision made
        WHERE made.tenant_id = h.tenant_id AND made.id = h.decision_id)))`;

const openLists = (hits: Fragment): Fragment =>
  sql`(SELECT coalesce(jsonb_agg(DISTINCT h.list_id), '[]') FROM screening_hit h
    WHERE ${hits} AND h.status IN ('open', 'inconclusive'))`;

/** Reads the newest screening of an application as a JSON value; null without one. `subject_id` is the application. */
export const newestScreeningOf = (tenantId: Fragment, applicationId: Fragment): Fragment => sql`(
  SELECT jsonb_build_object('id', s.id, 'result', s.result, 'subject', s.subject, 'hitCount', s.hit_count,
    'openHitCount', s.open_hit_count, 'truncated', s.truncated,
    'openLists', ${openLists(sql`h.tenant_id = s.tenant_id AND h.screening_id = s.id`)}, 'everOpenLists',
      ${openLists(sql`h.tenant_id = s.tenant_id AND h.subject_id = s.subject_id`)}, 'confirmed',
      ${confirmedOf(tenantId, applicationId)}, 'lists', s.lists, 'criteria', s.criteria, 'lines', s.lines, 'staleLists',
      to_jsonb(s.stale_lists),
    'hasOwnList', EXISTS (SELECT FROM own_list_version o
      WHERE o.tenant_id = s.tenant_id AND o.environment = s.environment AND o.ended_at IS NULL))
  FROM screening s WHERE s.tenant_id = ${tenantId} AND s.subject_id = ${applicationId} ORDER BY s.sequence DESC
    LIMIT 1)`;

type Key = { tenantId: string; applicationId: string };

const find = statement<Key, { screening: StoredScreening | null; wrapped: Buffer | null }>(
  'application.newestScreening',
  (p) => sql`
  SELECT ${newestScreeningOf(sql`${p.tenantId}::uuid`, sql`${p.applicationId}::uuid`)}
    AS screening, ${wrappedKey('application', sql`${p.tenantId}::uuid`, sql`${p.applicationId}::uuid`)} AS wrapped`,
);

export async function newestScreening(tx: Transaction, key: Key): Promise<ScreeningEvidence | null> {
  const [row] = await tx.run(find, key);
  return row === undefined ? null : openedScreening(tx, key.applicationId, row.screening, row.wrapped);
}

/** Unseals the subject of a screening. Returns null if the application is erased. */
export function openedScreening(
  tx: Transaction,
  applicationId: string,
  stored: StoredScreening | null,
  wrapped: Buffer | null,
): ScreeningEvidence | null {
  if (stored === null || wrapped === null) return null;
  const key = unwrapped(tx, { type: 'application', id: applicationId }, wrapped);
  return {
    ...stored,
    confirmed: [...new Set(stored.confirmed)].sort(),
    subject: screenedSubject(openValue(key, sealContextOfSubject(stored.id), stored.subject)),
  };
}

/** Completes an unsealed subject: subjects stored before algorithm `m6` have no `identifiers`. */
export const screenedSubject = (unsealed: unknown): ScreenedSubject => ({
  identifiers: [],
  ...(unsealed as Omit<ScreenedSubject, 'identifiers'> & Partial<ScreenedSubject>),
});

/** Returns the hashed form of a subject. Omits empty `identifiers`, so that hashes from before `m6` stay valid. */
export const hashedSubject = ({ identifiers, ...known }: ScreenedSubject): Partial<ScreenedSubject> => ({
  ...known,
  ...(identifiers.length > 0 && { identifiers }),
});

/** Returns the sealing context of the subject of a screening. */
export const sealContextOfSubject = (screeningId: string): string => `screening subject ${screeningId}`;

/** Returns the sealing context of the entity and the reasons of a hit. */
export const sealContextOfHit = (hitId: string): string => `screening_hit content ${hitId}`;

/**
 * Returns an applicant as the subject of a screening. A screening covers the applicant as long as this value is the
 * same.
 */
export function screenedApplicant({
  fullName,
  socialName,
  dateOfBirth,
  nationality,
  taxId,
}: Applicant): ScreenedSubject {
  return {
    type: 'person',
    names: socialName === null ? [fullName] : [fullName, socialName],
    dateOfBirth,
    yearOfBirth: null,
    gender: null,
    countries: nationality === null ? [] : [nationality],
    taxId: taxId?.type === 'cpf' ? taxId.value : null,
    identifiers: [],
  };
}
