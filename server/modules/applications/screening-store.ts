import type { components } from '../../contract/generated/types.ts';
import type { Fragment } from '../../database/index.ts';
import { sql, statement, type Transaction } from '../../database/index.ts';
import { openValue, type Sealed, unwrapped, wrappedKey } from '../subject-keys/index.ts';
import type { Applicant } from './application.ts';

type Schemas = components['schemas'];
type ScreenedSubject = Schemas['ScreenedSubject'];

/**
 * What the newest screening of an applicant came to, as far as requirements and decisions go by it. The table is that of the module screenings, which knows applications and
 * so cannot be asked by them.
 */
export interface ScreeningEvidence {
  readonly id: string;
  readonly result: Schemas['ScreeningResult'];
  readonly subject: ScreenedSubject;
  readonly hitCount: number;
  readonly openHitCount: number;
  /** Not all hits are shown, so not all could be decided. */
  readonly truncated: boolean;
  /** The lists with hits of this screening that nobody has decided about, or nobody could. */
  readonly openLists: readonly string[];
  /** The same of all screenings of the applicant. */
  readonly everOpenLists: readonly string[];
  /** On what kinds of lists somebody was found to be the applicant. */
  readonly confirmed: readonly Schemas['HitCategory'][];
  readonly lists: readonly { readonly listId: string; readonly version: string }[];
  readonly staleLists: readonly string[];
  /** Whether the tenant has a list of its own, which is searched wherever the lists of the settings are. */
  readonly hasOwnList: boolean;
  /** With a threshold where the request asked for one. */
  readonly criteria: Pick<Schemas['ScreeningCriteria'], 'includeRca' | 'includeFormerPep'> & Partial<Pick<Schemas['ScreeningCriteria'], 'threshold'>>;
  /** From which scores on the settings of that day have hits; null of before there were such lines. */
  readonly lines: Schemas['ScreeningLinesByList'] | null;
}

export type KeptScreening = Omit<ScreeningEvidence, 'subject'> & { readonly subject: Sealed };

/**
 * The categories of all hits of the applicant that somebody confirmed, whichever screening showed them: a later one of fewer lists, or by a higher threshold, takes nothing back. What was decided otherwise about the
 * same entity later does, unless the hit is above what the dismissal holds for.
 */
const confirmedOf = (tenantId: Fragment, applicationId: Fragment): Fragment => sql`(
  SELECT coalesce(jsonb_agg(h.category), '[]') FROM screening_hit h WHERE h.tenant_id = ${tenantId} AND h.subject_id = ${applicationId} AND h.status = 'true_positive' AND NOT EXISTS (
    SELECT FROM hit_decision d WHERE d.tenant_id = h.tenant_id AND d.subject_id = h.subject_id AND d.list_id = h.list_id AND d.entity_mac = h.entity_mac AND d.state = 'effective' AND d.status = 'false_positive'
      AND (d.entity_hash <> h.entity_hash OR d.subject_hash <> h.subject_hash OR coalesce(h.score < d.holds_below, true))
      AND d.sequence > (SELECT made.sequence FROM hit_decision made WHERE made.tenant_id = h.tenant_id AND made.id = h.decision_id)))`;

const openLists = (hits: Fragment): Fragment => sql`(SELECT coalesce(jsonb_agg(DISTINCT h.list_id), '[]') FROM screening_hit h WHERE ${hits} AND h.status IN ('open', 'inconclusive'))`;

/** The newest screening of an application as one value of JSON; null without one. An application is the subject of its screenings. */
export const newestScreeningOf = (tenantId: Fragment, applicationId: Fragment): Fragment => sql`(
  SELECT jsonb_build_object('id', s.id, 'result', s.result, 'subject', s.subject, 'hitCount', s.hit_count, 'openHitCount', s.open_hit_count, 'truncated', s.truncated,
    'openLists', ${openLists(sql`h.tenant_id = s.tenant_id AND h.screening_id = s.id`)}, 'everOpenLists', ${openLists(sql`h.tenant_id = s.tenant_id AND h.subject_id = s.subject_id`)}, 'confirmed', ${confirmedOf(tenantId, applicationId)}, 'lists', s.lists, 'criteria', s.criteria, 'lines', s.lines, 'staleLists', to_jsonb(s.stale_lists),
    'hasOwnList', EXISTS (SELECT FROM own_list_version o WHERE o.tenant_id = s.tenant_id AND o.environment = s.environment AND o.ended_at IS NULL))
  FROM screening s WHERE s.tenant_id = ${tenantId} AND s.subject_id = ${applicationId} ORDER BY s.sequence DESC LIMIT 1)`;

type Key = { tenantId: string; applicationId: string };

const find = statement<Key, { screening: KeptScreening | null; wrapped: Buffer | null }>('application.newestScreening', (p) => sql`
  SELECT ${newestScreeningOf(sql`${p.tenantId}::uuid`, sql`${p.applicationId}::uuid`)} AS screening, ${wrappedKey('application', sql`${p.tenantId}::uuid`, sql`${p.applicationId}::uuid`)} AS wrapped`);

export async function newestScreening(tx: Transaction, key: Key): Promise<ScreeningEvidence | null> {
  const [row] = await tx.run(find, key);
  return row === undefined ? null : openedScreening(tx, key.applicationId, row.screening, row.wrapped);
}

/** With the subject as it was screened; nothing of one whose application is erased. */
export function openedScreening(tx: Transaction, applicationId: string, kept: KeptScreening | null, wrapped: Buffer | null): ScreeningEvidence | null {
  if (kept === null || wrapped === null) return null;
  const key = unwrapped(tx, { type: 'application', id: applicationId }, wrapped);
  return { ...kept, confirmed: [...new Set(kept.confirmed)].sort(), subject: openValue(key, placeOfScreened(kept.id), kept.subject) as ScreenedSubject };
}

/** Where the subject of a screening is sealed. */
export const placeOfScreened = (screeningId: string): string => `screening subject ${screeningId}`;

/** An applicant as a screening compares names: what the two say of the person is the same as long as this is. */
export function screenedApplicant({ fullName, socialName, dateOfBirth, nationality, taxId }: Applicant): ScreenedSubject {
  return {
    type: 'person', names: socialName === null ? [fullName] : [fullName, socialName], dateOfBirth, yearOfBirth: null, gender: null,
    countries: nationality === null ? [] : [nationality], taxId: taxId?.type === 'cpf' ? taxId.value : null,
  };
}
