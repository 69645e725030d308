/**
 * Where the bytes of uploaded files are kept. The interface `FileStorage` says what any store must do; `LocalDirectory`
 * keeps files under DATA_DIR, which is enough for one node or a shared volume.
 *
 * The provider has no tables and may use base only: which files there are is known by the documents of the modules, which
 * keep the key of each file in their own transaction.
 *
 * An upload as an example: the request writes the file under a random key, which is complete or not there at all
 * (`local-directory.ts`); the module inserts the document with that key and commits. When the transaction fails, nobody
 * knows the key, and a periodic job removes the file (`sweepOrphans` in `file-storage.ts`). `StorageWatch` checks for the
 * readiness of the service whether files can be written and how much room is left.
 */
export { FileMissingError, StorageUnavailable, sweepOrphans, type FileKey, type FileStorage, type StoredFiles } from './file-storage.ts';
export { LocalDirectory } from './local-directory.ts';
export { StorageWatch } from './storage-watch.ts';
