/**
 * Stores the bytes of a document sealed under the key of its subject, and streams them back. Called, through the index,
 * by uploads, downloads and evidence packs; the job seals old files. A stream fails if the stored bytes were changed,
 * and reading throws once the key is destroyed.
 */
import type { RealTime } from '../../base/time.ts';
import type { KeyObject } from 'node:crypto';
import { pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { isSealed, sealFile, Unsealing } from '../../base/sealed-file.ts';
import type { Database } from '../../database/index.ts';
import { type FileKey, FileMissingError, type FileStorage } from '../../providers/files/index.ts';
import { sealingKey } from '../subject-keys/index.ts';
import { listUnsealed, lockUnsealed, markSealed } from './file-store.ts';

/**
 * Stored file of a document. A file from before sealing was introduced has no `sealedAt` until the job has sealed it.
 */
export interface StoredFile {
  readonly id: string;
  readonly storageKey: FileKey;
  readonly sealedAt: string | null;
}

/** Seals the bytes of a document under the key of its subject and stores them. */
export async function keepFile(
  files: FileStorage,
  tenantId: string,
  { id, key, bytes }: { readonly id: string; readonly key: KeyObject; readonly bytes: Uint8Array },
): Promise<FileKey> {
  return files.put(tenantId, await sealFile(key, id, bytes));
}

/**
 * Streams the unsealed bytes of a document. The stream fails if the stored bytes differ from those that were sealed.
 */
export async function openFile(
  files: FileStorage,
  { id, storageKey, sealedAt }: StoredFile,
  key: KeyObject | null,
  signal?: AbortSignal,
): Promise<Readable> {
  if (sealedAt === null && !isSealed(await beginningOf(files, storageKey))) return files.open(storageKey, signal);
  if (key === null) throw new Error(`The document ${id} is sealed, and its key is gone`);
  return pipeline(await files.open(storageKey, signal), new Unsealing(key, id), () => undefined);
}

async function beginningOf(files: FileStorage, storageKey: FileKey): Promise<Buffer> {
  for await (const piece of await files.open(storageKey)) return piece as Buffer;
  return Buffer.alloc(0);
}

/**
 * Seals the files of a tenant from before sealing was introduced. An erasure of such a document waits for the lock, or
 * has erased the file before it is sealed. Returns how many files it sealed.
 */
export async function sealFiles(
  database: Database,
  files: FileStorage,
  { tenantId, now, signal }: { readonly tenantId: string; readonly now: RealTime; readonly signal: AbortSignal },
): Promise<number> {
  let sealed = 0;
  for (let after: string | null = null, more = true; more && !signal.aborted; ) {
    const ids: string[] = await database.transaction({ tenantId, readOnly: true }, (tx) => listUnsealed(tx, after));
    for (const id of ids)
      sealed += await database.transaction({ tenantId }, async (tx) => {
        const found = await lockUnsealed(tx, id);
        if (found === null) return 0;
        const bytes = await files.open(found.storageKey).then(buffer, (error: unknown) => {
          if (error instanceof FileMissingError) return null;
          throw error;
        });
        if (bytes === null) return 0;
        const key = await sealingKey(
          tx,
          { type: 'application', id: found.applicationId },
          { environment: found.environment, now },
        );
        // In an earlier round, a crash may have occurred after the file was sealed and before the row was marked.
        if (!isSealed(bytes)) await files.replace(found.storageKey, await sealFile(key, id, bytes));
        markSealed(tx, id, now);
        return 1;
      });
    after = ids.at(-1) ?? null;
    more = after !== null;
  }
  return sealed;
}
