/**
 * Statements about the stored files of documents: their keys, which of them are still wanted, and which are not sealed
 * yet. Used by the periodic jobs of this module and, through the index, by evidence packs and erasure. `sweepFiles`
 * deletes bytes for good: a condition that misses a living document loses its file.
 */
import type { Uuid } from '../../base/uuid.ts';
import type { RealTime } from '../../base/time.ts';
import { type Database, type RowOf, sql, statement, type Transaction } from '../../database/index.ts';
import { type FileKey, type FileStorage, sweepOrphans } from '../../providers/files/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject } from '../../rules/subject-rows.ts';
import { document } from './store.ts';

const file = document.select('id', 'storageKey', 'sealedAt');

const listFiles = bySubject((member, kind) =>
  statement<OfSubject, RowOf<typeof file>>(
    `document.listFiles.${kind}`,
    (p) => sql`
  SELECT ${file} FROM document
    WHERE ${document.equal({ tenantId: p.tenantId, [member]: p.subjectId, fileErasedAt: null })}
    AND status <> 'erased'`,
  ),
);

/** Returns the stored files of a subject by the id of their document. */
export async function listStoredFiles(
  tx: Transaction,
  subject: Subject,
): Promise<ReadonlyMap<string, RowOf<typeof file>>> {
  return new Map((await tx.run(listFiles(subject), keyOf(tx, subject))).map((row) => [row.id, row]));
}

const stored = document.select('storageKey');

const findStored = statement<{ tenantId: string; keys: readonly FileKey[] }, RowOf<typeof stored>>(
  'document.findStored',
  (p) => sql`
  SELECT ${stored} FROM document WHERE ${document.equal({ tenantId: p.tenantId, fileErasedAt: null })}
    AND status <> 'erased' AND storage_key = ANY (${p.keys})`,
);

const findErasedFile = statement<{ tenantId: string; id: string }, { storageKey: FileKey }>(
  'document.findErasedFile',
  (p) => sql`
  SELECT ${stored} FROM document WHERE ${document.equal({ tenantId: p.tenantId, id: p.id })}
    AND file_erased_at IS NOT NULL`,
);

/**
 * Returns the storage key of an erased file whose record remains; null if the record is deleted as well, because the
 * sweep deletes the file then.
 */
export async function erasedFileOf(tx: Transaction, id: string): Promise<FileKey | null> {
  return (await tx.run(findErasedFile, { tenantId: tx.tenantId!, id }))[0]?.storageKey ?? null;
}

const UNSEALED_AT_ONCE = 50;

const listUnsealedIds = statement<{ tenantId: string; after: string }, { id: string }>(
  'document.listUnsealed',
  (p) => sql`
  SELECT id FROM document WHERE ${document.equal({ tenantId: p.tenantId, sealedAt: null, fileErasedAt: null })}
    AND status <> 'erased' AND id > ${p.after}::uuid ORDER BY id LIMIT ${UNSEALED_AT_ONCE}`,
);

const unsealed = document.select('applicationId', 'environment', 'storageKey');
/** Only applications have documents from before files were sealed. */
type Unsealed = RowOf<typeof unsealed> & { readonly applicationId: Uuid };

const lockOneUnsealed = statement<{ tenantId: string; id: string }, Unsealed>(
  'document.lockUnsealed',
  (p) => sql`
  SELECT ${unsealed} FROM document WHERE ${document.equal({
    tenantId: p.tenantId,
    id: p.id,
    sealedAt: null,
    fileErasedAt: null,
  })} AND application_id IS NOT NULL AND status <> 'erased' FOR UPDATE`,
);

const sealedNow = statement<{ tenantId: string; id: string; now: RealTime }>(
  'document.sealed',
  (p) => sql`
  UPDATE document SET ${document.assign({ sealedAt: p.now })}
    WHERE ${document.equal({ tenantId: p.tenantId, id: p.id })}`,
);

const LEAST_ID = '00000000-0000-0000-0000-000000000000';

/** Lists a batch of documents whose files are not sealed, in the order of ids, after the given one. */
export async function listUnsealed(tx: Transaction, after: string | null): Promise<string[]> {
  return (await tx.run(listUnsealedIds, { tenantId: tx.tenantId!, after: after ?? LEAST_ID })).map(({ id }) => id);
}

export async function lockUnsealed(tx: Transaction, id: string): Promise<Unsealed | null> {
  const [row] = await tx.run(lockOneUnsealed, { tenantId: tx.tenantId!, id });
  return row ?? null;
}

export function markSealed(tx: Transaction, id: string, now: RealTime): void {
  void tx.run(sealedNow, { tenantId: tx.tenantId!, id, now });
}

/** Deletes files whose documents were never committed, are deleted or are erased. */
export function sweepFiles(database: Database, files: FileStorage, now: RealTime): Promise<number> {
  return sweepOrphans(
    files,
    async ({ owner, keys }) => {
      const rows = await database.transaction({ tenantId: owner, readOnly: true }, (tx) =>
        tx.run(findStored, { tenantId: owner, keys }),
      );
      return new Set(rows.map(({ storageKey }) => storageKey));
    },
    now,
  );
}
