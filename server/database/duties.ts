import type { AuditAction } from '../contract/generated/audit-actions.ts';
import type { Column, Flag, WritingRole } from './column.ts';

export type AnyColumn = Column<unknown, unknown, unknown, Flag>;
export type Columns = Readonly<Record<string, AnyColumn>>;

type TypesOf<C> = C extends { readonly types: infer T } ? T : never;
/** Type of a column: as the driver reads it, as the service uses it, as it is written, or its flags. */
export type At<C, I extends 0 | 1 | 2 | 3> =
  TypesOf<C> extends readonly [unknown, unknown, unknown, unknown] ? TypesOf<C>[I] : never;

/**
 * Duties of a table towards the persons in its rows and towards the rest of the service. The database, erasures,
 * sandbox resets and the tests follow them.
 */
export interface Duties<C extends Columns> {
  /**
   * Owner of the rows. In rows of an applicant (by `applicationId`) or of a screened person (by `subjectId`), every
   * text, document and byte column is sealed, emptied by an erasure, or declared impersonal with a reason. `subject`: a
   * row belongs to an application or to a business, by whichever of `applicationId` and `businessId` is set, and has
   * the duties of its owner.
   */
  readonly owner: 'application' | 'subject' | 'screening' | 'recovery' | 'tenant' | 'person' | 'platform';
  /**
   * Prefix of the location that a sealed text is bound to: the name of the table, unless the table had another name
   * when the first texts were sealed.
   */
  readonly sealedAs?: string;
  /**
   * Audit events that the timeline of the application shows, and the resulting status of the application; null if the
   * status does not change.
   */
  readonly timeline?: Readonly<Partial<Record<AuditAction, string | null>>>;
  /** Effect of a sandbox reset on the rows of a tenant. `along`: the rows are deleted with a row that they refer to. */
  readonly sandboxReset?: 'emptied' | { readonly emptiedBefore: string } | 'along' | { readonly kept: string };
  /** Roles that insert rows; if unset, only triggers insert rows. */
  readonly insertedBy?: WritingRole | 'both';
  /** Roles to which a reason without a role applies; by default those that insert rows. */
  readonly updatedBy?: WritingRole | 'both';
  /** Values that tests insert if values derived from the type of the column would be refused. */
  readonly example?: { readonly [M in keyof C]?: At<C[M], 2> };
}
