/**
 * Tables whose rows belong to one application or one business: who created a row and when, its deletion with the
 * subject, and its list. `subjectTable` defines such a table for its store, `createSubjectTable` creates it in a
 * migration. A table that differs in one of these uses `table` and its own SQL; one whose SQL alone differs, only that.
 */
import type { Knex } from 'knex';
import { actor, businessTimestamp, uuid } from './column.ts';
import type { Columns, Duties } from './duties.ts';
import { isolateTenant, keepIdentity } from './row-level-security.ts';
import { type Table, table } from './table.ts';

type SubjectKind = 'application' | 'business';

const first = { tenantId: uuid(), id: uuid() };
const last = { createdAt: businessTimestamp(), createdBy: actor() };

type OfSubject<S extends SubjectKind, C> = typeof first &
  Readonly<Record<`${S}Id`, ReturnType<typeof uuid>>> &
  typeof last &
  C;
type OwnDuties<C extends Columns> = Omit<Duties<C>, 'owner' | 'sandboxReset' | 'insertedBy'>;

/** Defines a table whose rows belong to a subject, with these columns beside those that all such tables have. */
export function subjectTable<S extends SubjectKind, C extends Columns>(
  subject: S,
  name: string,
  columns: C,
  duties: OwnDuties<OfSubject<S, C>>,
): Table<OfSubject<S, C>> {
  const all = {
    ...first,
    [`${subject}Id`]: uuid(),
    ...columns,
    ...last,
  } as unknown as OfSubject<S, C>;
  return table<OfSubject<S, C>>(name, all, {
    owner: subject,
    sandboxReset: 'cascade',
    insertedBy: 'app',
    ...duties,
  });
}

/**
 * Creates a table whose rows belong to a subject and are deleted with it. `columns` is the SQL of the columns beside
 * those that all such tables have. The index serves a list of the rows of a subject in the order of their creation.
 */
export async function createSubjectTable(
  knex: Knex,
  subject: SubjectKind,
  name: string,
  columns: string,
): Promise<void> {
  await knex.raw(`
    CREATE TABLE ${name} (
      tenant_id uuid NOT NULL,
      id uuid NOT NULL,
      ${subject}_id uuid NOT NULL,
      ${columns},
      created_at timestamptz(3) NOT NULL,
      created_by jsonb NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, ${subject}_id) REFERENCES ${subject} (tenant_id, id) ON DELETE CASCADE
    );
    CREATE INDEX ${name}_by_${subject} ON ${name} (tenant_id, ${subject}_id, created_at, id)`);
  await isolateTenant(knex, name, { app: 'SELECT' });
  await keepIdentity(knex, name);
}
