/**
 * Finds the column of a table that names the subject of its rows (application or business). Used by the stores of
 * decisions and documents. Each row has exactly one subject; a new kind of subject is a new column here and in each of
 * these tables.
 */
import type { Subject } from './subject.ts';

type Kind = Subject['kind'];

/** Member of a table that names the subject of a row, by the kind of the subject. */
const MEMBER = { application: 'applicationId', business: 'businessId' } as const satisfies Readonly<
  Record<Kind, string>
>;

/** Key of the rows of a subject, for the statements that `bySubject` creates. */
export type OfSubject = { tenantId: string; subjectId: string };

/** Returns the key of the rows of a subject in the tenant of the transaction. */
export function keyOf({ tenantId }: { readonly tenantId: string | null }, { id }: Subject): OfSubject {
  return { tenantId: tenantId!, subjectId: id };
}

/** Returns the members of a new row that name its subject. */
export function subjectMembers({ kind, id }: Subject): {
  readonly applicationId: string | null;
  readonly businessId: string | null;
} {
  return { applicationId: null, businessId: null, [MEMBER[kind]]: id };
}

/**
 * Creates a statement for each kind of subject, because each kind has its own column and index. The statement is given
 * the member of the column, and a suffix of its name.
 */
export function bySubject<S>(create: (member: (typeof MEMBER)[Kind], suffix: Kind) => S): (subject: Subject) => S {
  const created: Readonly<Record<Kind, S>> = {
    application: create(MEMBER.application, 'application'),
    business: create(MEMBER.business, 'business'),
  };
  return ({ kind }) => created[kind];
}
