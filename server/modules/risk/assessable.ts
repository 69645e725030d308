/**
 * A subject as it is assessed: an application or a business with its record. Used by the assessment, by overrides and
 * by the re-assessment of all subjects, so that they do not distinguish the two.
 */
import type { Transaction } from '../../database/index.ts';
import { type Subject, unlessErased } from '../../rules/subject.ts';
import { type ApplicationRecord, lockApplication } from '../applications/index.ts';
import { type Business, lockBusiness } from '../businesses/index.ts';

export type Assessable =
  | { readonly kind: 'application'; readonly record: ApplicationRecord }
  | { readonly kind: 'business'; readonly record: Business };

/** Returns the subject that an assessable record is. */
export function subjectOf({ kind, record: { id } }: Assessable): Subject {
  return { kind, id };
}

/** Locks and reads a subject. Returns null if it is erased, or if a reset of the sandbox has removed it. */
export async function lockAssessable(tx: Transaction, { kind, id }: Subject): Promise<Assessable | null> {
  if (kind === 'application') {
    const record = unlessErased(await lockApplication(tx, { tenantId: tx.tenantId!, id }));
    return record && { kind, record };
  }
  const record = unlessErased(await lockBusiness(tx, id));
  return record && { kind, record };
}

/** Returns subjects in the order in which they are locked: applications before businesses, each by its id. */
export function inOrder(subjects: readonly Subject[]): Subject[] {
  return subjects.toSorted((one, other) => (`${one.kind} ${one.id}` < `${other.kind} ${other.id}` ? -1 : 1));
}
