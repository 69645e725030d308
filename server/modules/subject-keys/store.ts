/**
 * Table `subject_key`: the wrapped key of each subject. Used by subject-keys.ts and exported in part by the index.
 * Destroying a key cannot be undone, and the database refuses a new one for the same subject.
 */
import type { Environment } from '../../contract/operation.ts';
import {
  bytes,
  code,
  type Fragment,
  type InsertOf,
  knex,
  type RowOf,
  sql,
  statement,
  table,
  timestampOfEitherClock,
  type Transaction,
  uuid,
} from '../../database/index.ts';

/** Owner of a key. */
export interface Subject {
  readonly type: 'application' | 'business' | 'screening' | 'own_list';
  readonly id: string;
}

export const subjectKey = table(
  'subject_key',
  {
    tenantId: uuid(),
    subjectType: code<Subject['type']>(),
    subjectId: uuid(),
    environment: code<Environment>(),
    // Null after its destruction.
    wrapped: bytes().nullable().changes('the erasure of the subject destroys the key'),
    createdAt: timestampOfEitherClock(),
    destroyedAt: timestampOfEitherClock().nullable().defaulted().changes('the erasure of the subject destroys the key'),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: { subjectType: 'application', wrapped: Buffer.alloc(32) },
  },
);

const own = subjectKey.select('wrapped');

type Key = { tenantId: string; subjectType: Subject['type']; subjectId: string };

const find = statement<Key, RowOf<typeof own>>(
  'subjectKey.find',
  (p) => sql`
  SELECT ${own} FROM subject_key
    WHERE ${subjectKey.equal({ tenantId: p.tenantId, subjectType: p.subjectType, subjectId: p.subjectId })}`,
);

const insert = statement<InsertOf<typeof subjectKey>>(
  'subjectKey.insert',
  (p) => sql`
  ${subjectKey.insert(p)} ON CONFLICT (tenant_id, subject_type, subject_id) DO NOTHING`,
);

const destroy = statement<Key & { now: Date }>(
  'subjectKey.destroy',
  (p) => sql`
  UPDATE subject_key SET ${subjectKey.assign({ wrapped: null, destroyedAt: p.now })}
  WHERE ${subjectKey.equal({
    tenantId: p.tenantId,
    subjectType: p.subjectType,
    subjectId: p.subjectId,
    destroyedAt: null,
  })}`,
);

const keyOf = (tx: Transaction, { type, id }: Subject): Key => ({
  tenantId: tx.tenantId!,
  subjectType: type,
  subjectId: id,
});

/** Returns the wrapped key, or null if there never was one or it is destroyed. */
export async function findWrapped(tx: Transaction, subject: Subject): Promise<Buffer | null> {
  const [row] = await tx.run(find, keyOf(tx, subject));
  return row?.wrapped ?? null;
}

/**
 * Inserts the first key of a subject. If two transactions do so at once, the second waits for the first one's key,
 * which stays.
 */
export function insertWrapped(tx: Transaction, row: InsertOf<typeof subjectKey>): void {
  void tx.run(insert, row);
}

/** Destroys a key. Nothing that was sealed under it can be read any more, wherever a copy exists. */
export function destroyKey(tx: Transaction, subject: Subject, now: Date): void {
  void tx.run(destroy, { ...keyOf(tx, subject), now });
}

/** Returns the wrapped key of a subject as a column, for statements that read rows of subjects. */
export function wrappedKey(type: Subject['type'], tenantId: Fragment, id: Fragment): Fragment {
  return sql`(SELECT wrapped FROM subject_key WHERE tenant_id = ${tenantId} AND subject_type = ${knex.raw(`'${type}'`)}
    AND subject_id = ${id})`;
}
