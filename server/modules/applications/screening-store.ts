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
  /** On what kinds of lists somebody was found to be the applicant. */
  readonly confirmed: readonly Schemas['HitCategory'][];
  readonly lists: readonly { readonly listId: string; readonly version: string }[];
  readonly staleLists: readonly string[];
}

export type KeptScreening = Omit<ScreeningEvidence, 'subject'> & { readonly subject: Sealed };

/** The categories of the hits that were confirmed, of which most screenings have none. */
const CONFIRMED = sql`CASE WHEN s.result <> 'confirmed_match' THEN '[]' ELSE (
  SELECT jsonb_agg(h.category) FROM screening_hit h WHERE h.tenant_id = s.tenant_id AND h.screening_id = s.id AND h.status = 'true_positive') END`;

/** The newest screening of an application as one value of JSON; null without one. An application is the subject of its screenings. */
export const newestScreeningOf = (tenantId: Fragment, applicationId: Fragment): Fragment => sql`(
  SELECT jsonb_build_object('id', s.id, 'result', s.result, 'subject', s.subject, 'hitCount', s.hit_count, 'openHitCount', s.open_hit_count, 'truncated', s.truncated, 'confirmed', ${CONFIRMED}, 'lists', s.lists, 'staleLists', to_jsonb(s.stale_lists))
  FROM screening s WHERE s.tenant_id = ${tenantId} AND s.subject_id = ${applicationId} ORDER BY s.created_at DESC, s.id DESC LIMIT 1)`;

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
  const key = unwrapped(tx, { type: 'application', id: applicationId.toLowerCase() }, wrapped);
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
