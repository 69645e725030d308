/**
 * The subject of a record: an application or a business. Used by decisions, documents, subscriptions and events.
 * Exactly one of the two members may name it.
 */
import { type FieldError, Problem } from '../contract/problem.ts';

/** Application or business that a record, an event or evidence concerns. */
export type Subject = {
  readonly kind: 'application' | 'business';
  readonly id: string;
};

/** Members by which a row or a request names its subject. */
interface SubjectMembers {
  readonly applicationId?: string | null;
  readonly businessId?: string | null;
}

/** Returns the subject that a row or a request names. Rejects two subjects, and none. */
export function subjectNamedBy({ applicationId = null, businessId = null }: SubjectMembers): Subject {
  if (applicationId !== null && businessId !== null)
    throw refusal({
      pointer: '/businessId',
      code: 'not_allowed',
      message: 'must be left out, because applicationId names the subject',
    });
  if (applicationId !== null) return { kind: 'application', id: applicationId };
  if (businessId !== null) return { kind: 'business', id: businessId };
  throw refusal({
    pointer: '/applicationId',
    code: 'required',
    message: 'must be present, because no businessId names the subject',
  });
}

/** Returns the one member by which a row or an event of the audit log names its subject. */
export function namedSubject({
  applicationId,
  businessId,
}: Required<SubjectMembers>): { readonly applicationId: string } | { readonly businessId: string | null } {
  return applicationId === null ? { businessId } : { applicationId };
}

const refusal = (error: FieldError): Problem => new Problem('validation_failed', { errors: [error] });

/** Returns a found record without the time of its erasure. Returns null if there is none, or if it is erased. */
export function unlessErased<Found extends { readonly erasedAt: unknown }>(
  found: Found | null,
): Omit<Found, 'erasedAt'> | null {
  if (found === null) return null;
  const { erasedAt, ...record } = found;
  return erasedAt === null ? record : null;
}
