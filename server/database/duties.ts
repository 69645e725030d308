/**
 * Types of what a table declares beside its columns: who owns its rows, who writes them, and how they are erased. Used
 * by table.ts, and by tests that fill every table.
 */
import type { AuditAction } from '../contract/generated/audit-actions.ts';
import type { Column, Flag, WritingRole } from './column.ts';

export type AnyColumn = Column<unknown, unknown, unknown, Flag>;
export type Columns = Readonly<Record<string, AnyColumn>>;

type TypesOf<C> = C extends { readonly types: infer T } ? T : never;
/** Type of a column by index: 0 as the driver reads it, 1 as the service uses it, 2 as it is written, 3 its flags. */
export type At<C, I extends 0 | 1 | 2 | 3> =
  TypesOf<C> extends readonly [unknown, unknown, unknown, unknown] ? TypesOf<C>[I] : never;

/**
 * Rules of a table: who owns its rows, how they are erased and reset, and which roles write them. The rights in the
 * database, erasures, sandbox resets and the tests are derived from them (docs/decisions/0090).
 */
export interface Duties<C extends Columns> {
  /**
   * Owner of the rows:
   * - `application`: the application that `applicationId` names;
   * - `business`: the business that `businessId` names;
   * - `applicationOrBusiness`: whichever of `applicationId` and `businessId` is set;
   * - `screening`: a screened person, by `subjectId`;
   * - `recovery`: the funds recoveries of a tenant;
   * - `tenant`: the tenant;
   * - `person`: a person who can sign in;
   * - `platform`: the service itself, for all tenants.
   *
   * In rows of the first four owners, every text, document and byte column is encrypted (`sealed`), overwritten by an
   * erasure (`erasedTo`), or declared as an exception with a reason.
   */
  readonly owner:
    | 'application'
    | 'business'
    | 'applicationOrBusiness'
    | 'screening'
    | 'recovery'
    | 'tenant'
    | 'person'
    | 'platform';
  /** Whether a row of `applicationOrBusiness` may be about neither. */
  readonly mayHaveNoSubject?: true;
  /**
   * Table name in the context that a sealed text is bound to (associated data of the encryption). Set only if the first
   * texts were sealed under another name than that of the table.
   */
  readonly sealedAs?: string;
  /**
   * Audit events that the timeline of the application or business shows, and its resulting status; null if the status
   * does not change.
   */
  readonly timeline?: Readonly<Partial<Record<AuditAction, string | null>>>;
  /**
   * Effect of a sandbox reset on the rows of a tenant:
   * - `emptied`: they are deleted;
   * - `emptiedBefore`: they are deleted before those of the named table, to which they refer;
   * - `cascade`: a foreign key deletes them with a row to which they refer;
   * - `kept`: they stay, for this reason.
   */
  readonly sandboxReset?: 'emptied' | { readonly emptiedBefore: string } | 'cascade' | { readonly kept: string };
  /** Whether only transactions of the sealed audit log see the rows (`sealTable`). */
  readonly isSealed?: true;
  /** Roles that insert rows; if unset, only triggers insert rows. */
  readonly insertedBy?: WritingRole | 'both';
  /**
   * Roles that may update the columns whose `changes` gives one reason for all roles; by default those that insert
   * rows.
   */
  readonly updatedBy?: WritingRole | 'both';
  /** Column values of the rows that tests insert, if the database refuses a value that only suits the column's type. */
  readonly example?: { readonly [M in keyof C]?: At<C[M], 2> };
}
